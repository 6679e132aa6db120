/**
 * Types of the tables of tax/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/tax.ts.
 */
import type { Generated } from 'kysely'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Flag, Nullable } from './columns.ts'

export interface FigureGroupsTable {
  id: Generated<number>
  book_id: number
  side: 'issued' | 'received'
  stage: 'both' | 'accrued' | 'settled'
  rectifying: Flag
  tax: string
  tax_treatment: TaxTreatment
  regime_key: string
  /** -1 if the treatment has no rate. */
  vat_rate_bp: number
  surcharge_bp: number
  place: 'domestic' | 'outside' | 'eu' | 'non_eu'
  nature: '' | 'goods' | 'services'
  deductible: Flag
  investment: Flag
  eu_key: string
  country: string
}

export interface FigureEntriesTable {
  group_id: number
  /** 202607. */
  month: number
  /** 1 issued invoice, 2 purchase invoice. */
  source: number
  source_id: number
  part: number
  base_cents: number
  tax_cents: number
  surcharge_cents: number
  deductible_cents: number
  income_cents: number
}

export interface MonthFiguresTable {
  group_id: number
  month: number
  base_cents: number
  tax_cents: number
  surcharge_cents: number
  deductible_cents: number
  income_cents: number
  documents: number
}

export interface PeriodTotalsTable {
  book_id: number
  side: 'issued' | 'received'
  month: number
  documents: number
  base_cents: number
  tax_cents: number
  total_cents: number
  income_cents: number
  withheld_base_cents: number
  withholding_cents: number
  missing_nif: number
  without_file: number
}

export interface FigurePartiesTable {
  id: Generated<number>
  book_id: number
  party_key: string
  name: string
  nif: Nullable<string>
  country: string
  id_type: Nullable<string>
}

export interface PartyFiguresTable {
  party_id: number
  /** 0 issued, 1 received. */
  side: number
  /** 202600 a year, 202607 a month, 202623 a quarter. */
  period: number
  book_id: number
  base_cents: number
  total_cents: number
  third_cents: number
  documents: number
}

export interface EuFiguresTable {
  book_id: number
  month: number
  eu_key: string
  rectifying: Flag
  party_id: number
  base_cents: number
  documents: number
}

export interface WithholdingFiguresTable {
  book_id: number
  month: number
  reason: 'professional' | 'work' | 'rent' | 'capital' | 'other'
  party_id: number
  base_cents: number
  amount_cents: number
  documents: number
}

export interface CashOperationsTable {
  source: number
  source_id: number
  part: number
  book_id: number
  last_day: string
  is_open: Flag
  operation: string
}

export interface HistoryDocumentsTable {
  id: Generated<number>
  book_id: number
  run_id: number
  invoice_id: Nullable<number>
  received_id: Nullable<number>
  document_key: string
  reception: Nullable<string>
  last_number: Nullable<string>
  /** JSON list of the operations of the tax totals, as they were counted. */
  facts: string
  is_counted: Flag
  /** JSON: `HistorySource`. */
  source: string
}

export interface TaxTables {
  figure_groups: FigureGroupsTable
  figure_entries: FigureEntriesTable
  month_figures: MonthFiguresTable
  period_totals: PeriodTotalsTable
  figure_parties: FigurePartiesTable
  party_figures: PartyFiguresTable
  eu_figures: EuFiguresTable
  withholding_figures: WithholdingFiguresTable
  cash_operations: CashOperationsTable
  history_documents: HistoryDocumentsTable
}
