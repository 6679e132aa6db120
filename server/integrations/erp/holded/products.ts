/** Reads the catalogue of Holded: products, each variant as a record of its own, and services. Prices are in euros. */
import { idOf, isObject, lineOf, listOf, microOf, readRows, RowFault } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { Micro } from '../../../domain/money.ts'
import type { NeutralItem, Reject } from '../port.ts'
import { decimalOf } from './decimals.ts'
import type { DecimalSign } from './decimals.ts'
import { percentBp, ratesOf } from './taxes.ts'
import type { TaxBook } from './taxes.ts'
import { flagOf, lineIn, paragraphIn } from './bounded-strings.ts'
import type { Warnings } from './bounded-strings.ts'

/** Version of the record shape below; raise it to read unchanged rows again. */
const RAW_VERSION = 1

export interface ItemCtx {
  sign: DecimalSign
  book: TaxBook
  /** The older API may state the rate in `tax`, without keys. */
  taxIsRate: boolean
}

export function readItem(row: Json, kind: 'product' | 'service', ctx: ItemCtx): NeutralItem {
  const warnings: Warnings = new Set()
  const externalId = idOf(row.id)
  const name = lineIn(row.name, 500, warnings)
  if (name === null) throw new RowFault('missing_name', 'name')
  const rates = ratesOf(row.taxes, ctx.book)
  if (rates.unknown) warnings.add('tax_unknown')
  return {
    record: 'item',
    externalId,
    externalKind: kind,
    rawVersion: RAW_VERSION,
    kind,
    name,
    sku: lineIn(row.sku, 120, warnings),
    barcode: lineIn(row.barcode, 120, warnings),
    description: paragraphIn(row.description, 2000, warnings),
    unitPrice: priceOf(row.price, ctx.sign, 'price'),
    cost: costOf(row, ctx.sign),
    currency: 'EUR',
    vatBp: ctx.taxIsRate && rates.keys.length === 0 ? percentBp(row.tax) : rates.vatBp,
    taxKeys: rates.keys,
    archived: flagOf(row.archived) ?? false,
    parentExternalId: null,
    warnings: [...warnings],
  }
}

/** Returns the variants of every product of a page; an unreadable variant is reported at the position of its product. */
export function readVariants(
  rows: readonly unknown[],
  products: readonly NeutralItem[],
  ctx: ItemCtx,
): { records: NeutralItem[]; rejects: Reject[] } {
  const byId = new Map(products.map((product) => [product.externalId, product]))
  const records: NeutralItem[] = []
  const rejects: Reject[] = []
  for (const [position, row] of rows.entries()) {
    const parent = isObject(row) ? byId.get(lineOf(row.id, 120) ?? '') : undefined
    if (!parent || !isObject(row)) continue
    const found = readRows(listOf(row.variants), 'variant', (variant) => variantOf(variant, parent, ctx))
    records.push(...found.records)
    rejects.push(...found.rejects.map((reject) => ({ ...reject, position })))
  }
  return { records, rejects }
}

/** Reads a variant; it inherits missing values from its product. */
function variantOf(row: Json, parent: NeutralItem, ctx: ItemCtx): NeutralItem {
  const warnings: Warnings = new Set()
  const externalId = idOf(row.id)
  const sku = lineIn(row.sku, 120, warnings)
  const own = lineIn(row.name, 500, warnings) ?? sku
  return {
    ...parent,
    externalId,
    externalKind: 'variant',
    kind: 'variant',
    name: own === null || own === parent.name ? parent.name : `${parent.name} (${own})`,
    sku,
    barcode: lineIn(row.barcode, 120, warnings),
    unitPrice: priceOf(row.price, ctx.sign, 'price') ?? parent.unitPrice,
    cost: costOf(row, ctx.sign) ?? parent.cost,
    archived: parent.archived || (flagOf(row.archived) ?? false),
    parentExternalId: parent.externalId,
    warnings: [...new Set([...parent.warnings, ...warnings])],
  }
}

function costOf(row: Json, sign: DecimalSign): Micro | null {
  return priceOf(row.cost, sign, 'cost') ?? priceOf(row.purchase_price, sign, 'purchase_price')
}

function priceOf(value: unknown, sign: DecimalSign, field: string): Micro | null {
  const text = decimalOf(value, sign, field)
  return text === null ? null : microOf(text, field)
}
