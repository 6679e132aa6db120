/** Types of the tables of migrations/0001/lookups.ts. */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from '../columns.ts'

export interface VatNumberChecksTable {
  id: Generated<number>
  book_id: number
  public_id: string
  contact_id: Nullable<number>
  vat_number: string
  valid: Flag
  name: Nullable<string>
  address: Nullable<string>
  requester: Nullable<string>
  consultation: Nullable<string>
  simulated: Flag
  checked_at: number
}

export interface CensusChecksTable {
  id: Generated<number>
  book_id: number
  public_id: string
  contact_id: Nullable<number>
  nif: string
  name: string
  result: 'identified' | 'similar' | 'not_identified' | 'inactive' | 'revoked'
  census_name: Nullable<string>
  simulated: Flag
  checked_at: number
}

export interface ExchangeRatesTable {
  book_id: number
  currency: string
  day: string
  rate_micro: number
  source: string
  simulated: Flag
  fetched_at: number
}

export interface LookupsTables {
  vat_number_checks: VatNumberChecksTable
  census_checks: CensusChecksTable
  exchange_rates: ExchangeRatesTable
}
