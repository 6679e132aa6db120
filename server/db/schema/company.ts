/**
 * Types of the tables of company/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/company.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export interface SettingsTable {
  name: string
  value: string
}

export interface CompaniesTable {
  id: Generated<number>
  public_id: string
  legal_name: string
  trade_name: Nullable<string>
  nif: string
  kind: 'natural' | 'legal'
  street: Nullable<string>
  postal_code: Nullable<string>
  city: Nullable<string>
  province: Nullable<string>
  country: string
  territory: 'mainland' | 'canary' | 'ceuta_melilla' | 'basque'
  vat_regime:
    | 'general'
    | 'surcharge'
    | 'simplified'
    | 'cash'
    | 'exempt'
    | 'used_goods'
    | 'travel'
    | 'retailer'
    | 'small_business'
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  default_withholding_bp: Nullable<number>
  default_payment_days: Generated<number>
  default_language: Generated<'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'>
  version: Generated<number>
  created_at: number
  colour: Nullable<number>
  mark: Nullable<string>
  activity_code: Nullable<string>
}

export interface CompanyDesignsTable {
  company_id: number
  accent: Nullable<string>
  footer: Nullable<string>
  simplified_format: Generated<'a4' | 'ticket'>
  payment_qr: Generated<Flag>
  logo: Nullable<Uint8Array>
  logo_media_type: Nullable<'image/png' | 'image/jpeg'>
  logo_width: Nullable<number>
  logo_height: Nullable<number>
  logo_sha256: Nullable<Uint8Array>
}

export interface CompanyEndsTable {
  company_id: number
  begun_at: number
}

export interface BooksTable {
  id: Generated<number>
  public_id: string
  company_id: number
  mode: 'live' | 'test'
  environment: Generated<'production' | 'preproduction'>
  created_at: number
  archived_at: Nullable<number>
  registry_system: Generated<string>
}

export interface SeriesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  code: string
  kind: 'ordinary' | 'simplified' | 'rectifying' | 'quote'
  start_number: Generated<number>
  next_number: number
  last_issue_date: Nullable<string>
  purpose: Generated<'general' | 'recipient' | 'third_party' | 'forced_sale' | 'reverse_charge' | 'vat_group'>
  pattern: Nullable<string>
  is_default: Generated<Flag>
  note: Nullable<string>
  archived_at: Nullable<number>
  created_at: number
}

export interface SeriesGapsTable {
  series_id: number
  first: number
  last: number
  noted_at: number
}

export interface CertificatesTable {
  id: Generated<number>
  company_id: number
  public_id: string
  kind: 'person' | 'representative' | 'seal'
  subject: string
  holder_name: string
  holder_nif: Nullable<string>
  organization_nif: Nullable<string>
  issuer: string
  serial: string
  fingerprint: Uint8Array
  key_type: 'rsa' | 'ec'
  valid_from: number
  valid_to: number
  chain: string
  sealed_key: Nullable<string>
  imported_at: number
  removed_at: Nullable<number>
}

export interface CertificateWarningsTable {
  certificate_id: number
  book_id: number
  days_left: number
  warned_at: number
}

export interface CompanyTables {
  settings: SettingsTable
  companies: CompaniesTable
  company_designs: CompanyDesignsTable
  company_ends: CompanyEndsTable
  books: BooksTable
  series: SeriesTable
  series_gaps: SeriesGapsTable
  certificates: CertificatesTable
  certificate_warnings: CertificateWarningsTable
}
