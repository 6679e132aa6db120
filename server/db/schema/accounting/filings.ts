/** Types of the tables of migrations/0001/filings.ts and 0014/wage-recipients.ts. */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from '../columns.ts'

export interface FilingsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  model: string
  year: number
  /** 1T to 4T, 01 to 12, 0A the year. */
  period: string
  filed_on: string
  outcome: 'pay' | 'offset' | 'refund' | 'none'
  result_cents: number
  reference: Nullable<string>
  boxes: string
  created_at: number
  withdrawn_at: Nullable<number>
}

export interface FilingInputsTable {
  book_id: number
  model: string
  year: number
  period: string
  box: string
  cents: number
}

export interface FiscalProfilesTable {
  book_id: number
  activity_code: Nullable<'A' | 'B' | 'C' | 'D'>
  activity_type: Nullable<string>
  iae: Nullable<string>
  income_method: 'direct_simplified' | 'direct_normal' | 'modules' | 'none'
  annual_vat_exempt: Flag
}

export interface WageRecipientsTable {
  book_id: number
  year: number
  position: number
  nif: string
  name: string
  key: string
  subkey: Nullable<string>
  province: Nullable<string>
  paid_cents: number
  withheld_cents: number
  in_kind_cents: number
  in_kind_withheld_cents: number
}

export interface FilingsTables {
  filings: FilingsTable
  filing_inputs: FilingInputsTable
  fiscal_profiles: FiscalProfilesTable
  wage_recipients: WageRecipientsTable
}
