/** Lists items by name or code. */
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { readMetadata } from '../../domain/contract/metadata.ts'
import { numberFromMicro, percentFromBasisPoints } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { chosen } from '../../db/selected-rows.ts'
import { wordsIn } from '../../db/text-search.ts'
import type { exportItemsContract, getItemContract, Item, listItemsContract } from './contract.ts'
import { findItem } from './rows.ts'
import type { ItemRecord } from './rows.ts'

const DEFAULT_LIMIT = 50
/** Rows of an export in memory at a time. */
const STRETCH = 500

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
  return text === undefined ? query : query.where(wordsIn(sql.ref('search'), text))
}

/** Returns items of the book by name. */
export const listItems: UseCase<typeof listItemsContract> = async (
  ctx,
  { cursor, offset, limit = DEFAULT_LIMIT, ...filter },
) => {
  const { count } = await matching(ctx, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  let query = matching(ctx, filter).selectAll()
  if (cursor !== undefined) {
    const [search, id] = readCursor(cursor, 'items', filter)
    query = query.where(sql<SqlBool>`(search, id) > (${search}, ${id})`)
  }
  const rows = await query
    .orderBy('search')
    .orderBy('id')
    .limit(limit + 1)
    .offset(offset ?? 0)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(itemView),
    count,
    nextCursor: rows.length > limit && last ? createCursor('items', filter, [last.search, last.id]) : null,
  }
}

/** Yields all items of a selection, in batches. Throws `not_found` when one of them does not exist. */
export async function itemsChosen(
  ctx: Ctx,
  { ids, ...filter }: ContractInput<typeof exportItemsContract>,
): Promise<AsyncGenerator<readonly Item[], void, undefined>> {
  const countOf = async (named: RawBuilder<SqlBool>): Promise<number> =>
    (
      await matching(ctx, {})
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(named)
        .executeTakeFirstOrThrow()
    ).count
  const named = ids && (await chosen(ids, 'public_id', countOf))
  const found = named ? matching(ctx, filter).where(named) : matching(ctx, filter)
  return stretchesOf(found.selectAll().orderBy('search').orderBy('id').limit(STRETCH))
}

async function* stretchesOf(
  query: ReturnType<ReturnType<typeof matching>['selectAll']>,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let from = query; ;) {
    const rows = await from.execute()
    yield rows.map(itemView)
    const last = rows.at(-1)
    if (!last || rows.length < STRETCH) return
    from = query.where(sql<SqlBool>`(search, id) > (${last.search}, ${last.id})`)
  }
}

/** Returns one item. */
export const getItem: UseCase<typeof getItemContract> = async (ctx, { id }) =>
  itemView(orNotFound(await findItem(ctx, id)))
