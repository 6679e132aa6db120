/**
 * Types of the tables of catalog/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/catalog.ts.
 */
import type { Generated } from 'kysely'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Flag, Nullable } from './columns.ts'

export interface ContactsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  trade_name: Nullable<string>
  nif: Nullable<string>
  id_type: Nullable<'02' | '03' | '04' | '05' | '06' | '07'>
  kind: Nullable<'natural' | 'legal'>
  is_business: Nullable<Flag>
  is_customer: Generated<Flag>
  is_supplier: Generated<Flag>
  street: Nullable<string>
  postal_code: Nullable<string>
  city: Nullable<string>
  province: Nullable<string>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  payment_method: Nullable<'transfer' | 'direct_debit' | 'card' | 'cash' | 'bizum' | 'cheque' | 'other'>
  tax_treatment: Nullable<TaxTreatment>
  cause: Nullable<string>
  dir3_office: Nullable<string>
  dir3_body: Nullable<string>
  dir3_unit: Nullable<string>
  tags: Generated<string>
  external_refs: Generated<string>
  surcharge: Generated<Flag>
  withholding_bp: Nullable<number>
  payment_days: Nullable<number>
  language: Nullable<'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'>
  notes: Nullable<string>
  search: string
  name_key: string
  used_at: Nullable<number>
  merged_into: Nullable<number>
  version: Generated<number>
  created_at: number
  updated_at: number
  /** Migration 0002: the contact can no longer be used; records that refer to it are retained until that day. */
  blocked_at: Nullable<number>
  keep_until: Nullable<string>
  /** Excluded from planned reminders. */
  reminders_off: Generated<Flag>
  /** The number as shown, if it differs from `nif`. */
  nif_written: Nullable<string>
  metadata: Generated<string>
  payment_terms: Nullable<string>
  dir3_proposing: Nullable<string>
  enclosed_formats: Nullable<string>
}

export interface ContactMergesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kept_id: number
  merged_id: number
  before: string
  after: string
  moved: string
  merged_at: number
  undone_at: Nullable<number>
}

export interface ContactsApartTable {
  first_id: number
  second_id: number
}

export interface PartiesTable {
  id: Generated<number>
  book_id: number
  digest: Uint8Array
  name: string
  trade_name: Nullable<string>
  nif: Nullable<string>
  id_type: Nullable<string>
  street: Nullable<string>
  postal_code: Nullable<string>
  city: Nullable<string>
  province: Nullable<string>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  dir3_office: Nullable<string>
  dir3_body: Nullable<string>
  dir3_unit: Nullable<string>
  search: string
  dir3_proposing: Nullable<string>
}

export interface ItemsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  sku: Nullable<string>
  name: string
  description: Nullable<string>
  unit: Nullable<string>
  unit_price_micro: number
  price_mode: 'net' | 'gross'
  tax_treatment: TaxTreatment
  regime_key: Nullable<string>
  cause: Nullable<string>
  vat_rate_bp: Nullable<number>
  withholdable: Generated<Flag>
  account: Nullable<string>
  active: Generated<Flag>
  search: string
  name_key: string
  version: Generated<number>
  created_at: number
  updated_at: number
  metadata: Generated<string>
  supply: Nullable<'goods' | 'services'>
}

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

export interface CatalogTables {
  contacts: ContactsTable
  contact_merges: ContactMergesTable
  contacts_apart: ContactsApartTable
  parties: PartiesTable
  items: ItemsTable
  vat_number_checks: VatNumberChecksTable
  census_checks: CensusChecksTable
  exchange_rates: ExchangeRatesTable
}
