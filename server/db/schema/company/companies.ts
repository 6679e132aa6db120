/** Types of the tables of migrations/0001/companies.ts. */
import type { Generated } from 'kysely'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import type { AddressColumns, Defaulted, Flag, Nullable } from '../columns.ts'

export interface SettingsTable {
  name: string
  value: string
}

export interface CompaniesTable extends AddressColumns {
  id: Generated<number>
  public_id: string
  legal_name: string
  trade_name: Nullable<string>
  nif: string
  kind: 'natural' | 'legal'
  country: string
  territory: 'mainland' | 'canary' | 'ceuta_melilla'
  vat_regime: 'general' | 'surcharge' | 'simplified' | 'cash' | 'exempt' | 'used_goods' | 'travel'
  email: Nullable<string>
  phone: Nullable<string>
  iban: Nullable<string>
  registry_inscription: Nullable<string>
  default_withholding_bp: Nullable<number>
  default_payment_days: Defaulted<number>
  default_language: Defaulted<DocumentLanguage>
  version: Defaulted<number>
  created_at: number
}

export interface CompanyDesignsTable {
  company_id: number
  accent: Nullable<string>
  footer: Nullable<string>
  simplified_format: Defaulted<'a4' | 'ticket'>
  payment_qr: Defaulted<Flag>
  logo: Nullable<Uint8Array>
  logo_media_type: Nullable<'image/png' | 'image/jpeg'>
  logo_width: Nullable<number>
  logo_height: Nullable<number>
  logo_sha256: Nullable<Uint8Array>
}

export interface BooksTable {
  id: Generated<number>
  public_id: string
  company_id: number
  mode: 'live' | 'test'
  environment: Defaulted<'production' | 'preproduction'>
  created_at: number
}

export interface CompaniesTables {
  settings: SettingsTable
  companies: CompaniesTable
  company_designs: CompanyDesignsTable
  books: BooksTable
}
