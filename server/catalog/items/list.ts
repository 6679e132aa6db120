/** Lists items by name or code. */
import { sql } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { readMetadata } from '../../domain/contract/metadata.ts'
import { numberFromMicro, percentFromBasisPoints } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { countOf, cursorPage, batchesOf } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { chosen } from '../../db/selected-rows.ts'
import { matchesSearch } from '../../db/text-search.ts'
import type { exportItemsContract, getItemContract, Item, listItemsContract } from './contract.ts'
import { findItem } from './rows.ts'
import type { ItemRecord } from './rows.ts'

const DEFAULT_LIMIT = 50

/** Returns an item in the form of the contract. */
export function itemView(row: ItemRecord): Item {
  return {
    id: row.public_id,
    sku: row.sku,
    name: row.name,
    description: row.description,
    unit: row.unit,
    unitPrice: numberFromMicro(row.unit_price_micro),
    priceMode: row.price_mode,
    vatRate: row.vat_rate_bp === null ? null : percentFromBasisPoints(row.vat_rate_bp),
    taxTreatment: row.tax_treatment,
    cause: row.cause,
    regimeKey: row.regime_key,
    withholdable: row.withholdable === 1,
    account: row.account,
    supply: row.supply,
    active: row.active === 1,
    metadata: readMetadata(row.metadata),
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

type Filter = Pick<ContractInput<typeof listItemsContract>, 'text' | 'active' | 'updatedSince'>

function matching(ctx: Ctx, { text, active, updatedSince }: Filter) {
  let query = ctx.db.selectFrom('items').where('book_id', '=', ctx.book.id)
  if (active !== undefined) query = query.where('active', '=', active ? 1 : 0)
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', Date.parse(updatedSince))
  return text === undefined ? query : query.where(matchesSearch(sql.ref('search'), text))
}

const BY_NAME: RowOrder<ItemRecord> = {
  columns: ['search', 'id'],
  position: ({ search, id }) => [search, id],
}

/** Returns items of the book by name. */
export const listItems: UseCase<typeof listItemsContract> = async (
  ctx,
  { cursor, offset, limit = DEFAULT_LIMIT, ...filter },
) => {
  const page = { list: 'items', bound: filter, cursor, limit, offset }
  const count = await countOf(matching(ctx, filter))
  const { rows, nextCursor } = await cursorPage(matching(ctx, filter).selectAll(), BY_NAME, page)
  return { items: rows.map(itemView), count, nextCursor }
}

/** Yields all items of a selection, in batches. Throws `not_found` when one of them does not exist. */
export async function itemsChosen(
  ctx: Ctx,
  { ids, ...filter }: ContractInput<typeof exportItemsContract>,
): Promise<AsyncGenerator<readonly Item[], void, undefined>> {
  const named = ids && (await chosen(ids, 'public_id', (some) => countOf(matching(ctx, {}).where(some))))
  const meant = named ? matching(ctx, filter).where(named) : matching(ctx, filter)
  return viewsOf(batchesOf(meant.selectAll(), BY_NAME))
}

async function* viewsOf(
  stretches: AsyncIterable<readonly ItemRecord[]>,
): AsyncGenerator<readonly Item[], void, undefined> {
  for await (const rows of stretches) yield rows.map(itemView)
}

/** Returns one item. */
export const getItem: UseCase<typeof getItemContract> = async (ctx, { id }) =>
  itemView(orNotFound(await findItem(ctx, id)))
