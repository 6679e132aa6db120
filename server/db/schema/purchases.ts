/**
 * Types of the tables of purchases/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/purchases.ts.
 */
import type { Generated } from 'kysely'
import type { TaxTreatment } from '../../domain/tax/totals.ts'
import type { Flag, Nullable } from './columns.ts'

export interface ReceivedInvoicesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  year: number
  sequence: number
  state: 'entered' | 'void'
  kind: 'invoice' | 'simplified' | 'rectifying' | 'receipt' | 'customs' | 'reagyp' | 'self_billed'
  contact_id: Nullable<number>
  supplier_name: string
  supplier_nif: Nullable<string>
  supplier_id_type: Nullable<'02' | '03' | '04' | '05' | '06' | '07'>
  supplier_country: string
  supplier_street: Nullable<string>
  supplier_postal_code: Nullable<string>
  supplier_city: Nullable<string>
  supplier_province: Nullable<string>
  supplier_number: Nullable<string>
  number_key: string
  issue_date: string
  reception_date: string
  operation_date: Nullable<string>
  due_date: Nullable<string>
  deduction_date: Nullable<string>
  base_cents: number
  /** VAT and surcharge charged by the supplier. */
  tax_cents: number
  surcharge_cents: number
  self_assessed_cents: number
  deductible_cents: number
  total_cents: number
  withholding_bp: Nullable<number>
  withholding_base_cents: number
  withholding_cents: number
  withholding_reason: Nullable<'professional' | 'rent' | 'other'>
  payable_cents: number
  paid_cents: Generated<number>
  is_owed: Flag
  concept: string
  currency: string
  fx_rate_micro: Nullable<number>
  currency_total_cents: number
  payment_method: Nullable<string>
  cash_accounting: Flag
  property_situation: Nullable<number>
  cadastral_reference: Nullable<string>
  /** JSON list of the invoices that it rectifies. */
  rectifies: Nullable<string>
  notes: Nullable<string>
  external_ref: Nullable<string>
  files: Generated<number>
  search: string
  version: Generated<number>
  created_at: number
  updated_at: number
  voided_at: Nullable<number>
  supplier_nif_written: Nullable<string>
}

export interface ReceivedLinesTable {
  received_id: number
  position: number
  description: Nullable<string>
  tax_treatment: TaxTreatment
  nature:
    | 'domestic'
    | 'reverse_charge'
    | 'eu_goods'
    | 'eu_services'
    | 'foreign_services'
    | 'import'
    | 'reagyp'
  regime_key: string
  vat_rate_bp: Nullable<number>
  base_cents: number
  tax_cents: number
  self_assessed: Flag
  surcharge_bp: Nullable<number>
  surcharge_cents: number
  deductible_bp: number
  deductible_cents: number
  concept: string
  account: string
  investment_good: Flag
  document_base_cents: number
  document_tax_cents: number
  document_surcharge_cents: number
}

export interface PurchasesTables {
  received_invoices: ReceivedInvoicesTable
  received_lines: ReceivedLinesTable
}
