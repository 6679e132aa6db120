/** SQL of items, and the facts that an invoice line takes from one. */
import type { Selectable } from 'kysely'
import type { BasisPoints, Micro } from '../../domain/money.ts'
import type { LineSupply } from '../../domain/tax/line-supply.ts'
import type { PriceMode, TaxTreatment } from '../../domain/tax/totals.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { ItemsTable } from '../../db/schema.ts'

export type ItemRecord = Selectable<ItemsTable>

/** Facts that an invoice line takes from an item. */
export interface ItemFacts {
  rowId: number
  id: string
  name: string
  description: string | null
  unit: string | null
  unitPriceMicro: Micro
  priceMode: PriceMode
  taxTreatment: TaxTreatment
  regimeKey: string | null
  cause: string | null
  vatRateBp: BasisPoints | null
  withholdable: boolean
  account: string | null
  /** Null where it is not said. */
  supply: LineSupply | null
}

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('items').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

/** Returns the row of an item, or null when the book has none. */
export async function findItem(ctx: Ctx, publicId: string): Promise<ItemRecord | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('items').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

/** Returns the item of a row, or null. */
export async function findItemByRow(ctx: Ctx, id: number): Promise<ItemRecord | null> {
  return (await byRow.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

const bySku = prepare((db, p: { bookId: number; sku: string }) =>
  db.selectFrom('items').selectAll().where('book_id', '=', p.bookId).where('sku', '=', p.sku),
)

/** Returns the item with the company's own code, or null. */
export async function findItemBySku(ctx: Ctx, sku: string): Promise<ItemRecord | null> {
  return (await bySku.first(ctx.db, { bookId: ctx.book.id, sku })) ?? null
}

const byName = prepare((db, p: { bookId: number; nameKey: string }) =>
  db
    .selectFrom('items')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('name_key', '=', p.nameKey)
    .orderBy('id'),
)

/** Returns the existing items that match new data, oldest first: by code, or by name where one of the two has no code. */
export async function findSameItems(ctx: Ctx, sku: string | null, name: string): Promise<ItemRecord[]> {
  const row = sku === null ? null : await findItemBySku(ctx, sku)
  if (row) return [row]
  const named = await byName.all(ctx.db, { bookId: ctx.book.id, nameKey: searchText(name) })
  return named.filter((each) => sku === null || each.sku === null)
}

/** Returns the facts of the item with that identifier, or null when the book has none. */
export async function itemFacts(ctx: Ctx, publicId: string): Promise<ItemFacts | null> {
  const row = await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })
  if (!row) return null
  return {
    rowId: row.id,
    id: row.public_id,
    name: row.name,
    description: row.description,
    unit: row.unit,
    unitPriceMicro: row.unit_price_micro,
    priceMode: row.price_mode,
    taxTreatment: row.tax_treatment,
    regimeKey: row.regime_key,
    cause: row.cause,
    vatRateBp: row.vat_rate_bp,
    withholdable: row.withholdable === 1,
    account: row.account,
    supply: row.supply,
  }
}
