/** Types of the tables of migrations/0001/items.ts. */
import type { Generated } from 'kysely'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

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
  withholdable: Defaulted<Flag>
  account: Nullable<string>
  active: Defaulted<Flag>
  metadata: Defaulted<string>
  search: string
  name_key: string
  version: Defaulted<number>
  created_at: number
  updated_at: number
}

export interface ItemsTables {
  items: ItemsTable
}
