/** Types of the tables of migrations/0001/companies.ts. */
import type { Generated } from 'kysely'
import type { AddressColumns, Defaulted, Nullable } from './columns.ts'

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
  default_language: Defaulted<'es' | 'en'>
  version: Defaulted<number>
  created_at: number
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
  books: BooksTable
}
