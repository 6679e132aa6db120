/** Types of the tables of migrations/0001/contacts.ts. */
import type { Generated } from 'kysely'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import type { AddressColumns, Defaulted, Flag, Nullable } from '../columns.ts'

export interface ContactsTable extends AddressColumns {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  trade_name: Nullable<string>
  nif: Nullable<string>
  /** The number as shown, if it differs from `nif`. */
  nif_written: Nullable<string>
  id_type: Nullable<string>
  kind: Nullable<'natural' | 'legal'>
  is_business: Nullable<Flag>
  is_customer: Defaulted<Flag>
  is_supplier: Defaulted<Flag>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  payment_method: Nullable<string>
  tax_treatment: Nullable<TaxTreatment>
  cause: Nullable<string>
  dir3_office: Nullable<string>
  dir3_body: Nullable<string>
  dir3_unit: Nullable<string>
  tags: Defaulted<string>
  external_refs: Defaulted<string>
  metadata: Defaulted<string>
  surcharge: Defaulted<Flag>
  /** Excluded from planned reminders. */
  reminders_off: Defaulted<Flag>
  withholding_bp: Nullable<number>
  payment_days: Nullable<number>
  language: Nullable<DocumentLanguage>
  notes: Nullable<string>
  search: string
  name_key: string
  used_at: Nullable<number>
  merged_into: Nullable<number>
  /** Migration 0002: the contact can no longer be used; records that refer to it are retained until that day. */
  blocked_at: Nullable<number>
  keep_until: Nullable<string>
  version: Defaulted<number>
  created_at: number
  updated_at: number
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

export interface PartiesTable extends AddressColumns {
  id: Generated<number>
  book_id: number
  digest: Uint8Array
  name: string
  trade_name: Nullable<string>
  nif: Nullable<string>
  id_type: Nullable<string>
  country: string
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  dir3_office: Nullable<string>
  dir3_body: Nullable<string>
  dir3_unit: Nullable<string>
  search: string
}

export interface ContactsTables {
  contacts: ContactsTable
  contact_merges: ContactMergesTable
  contacts_apart: ContactsApartTable
  parties: PartiesTable
}
