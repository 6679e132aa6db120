/** Lists products and services of the accounting system. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import { numberFromMicro, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { ErpItemsTable } from '../../../db/schema.ts'
import { wordsIn } from '../../../db/text-search.ts'
import type { NeutralItem } from '../port.ts'
import type { ErpItem, listErpItemsContract, windowErpItemsContract } from './contract.ts'
import { shownConnection } from '../connection/rows.ts'
import type { ConnectionRow } from '../connection/rows.ts'

const DEFAULT_LIMIT = 25
const DEFAULT_STRETCH = 50

type Filter = Pick<ContractInput<typeof listErpItemsContract>, 'text' | 'missing'>

function filtered(ctx: Ctx, connection: ConnectionRow, filter: Filter) {
  let query = ctx.db.selectFrom('erp_items').where('connection_id', '=', connection.id)
  if (filter.missing !== undefined)
    query = query.where('missing_since', filter.missing ? 'is not' : 'is', null)
  return filter.text === undefined ? query : query.where(wordsIn(sql.ref('search'), filter.text))
}

function itemView(row: Selectable<ErpItemsTable>): ErpItem {
  const record = JSON.parse(row.record) as NeutralItem
  return {
    id: row.public_id,
    externalId: row.external_id,
    kind: record.kind,
    name: row.name,
    sku: row.sku,
    barcode: record.barcode,
    unitPrice: record.unitPrice === null ? null : numberFromMicro(record.unitPrice),
    currency: record.currency,
    vatRate: record.vatBp === null ? null : percentFromBasisPoints(record.vatBp),
    archived: row.archived === 1,
    missingSince: row.missing_since === null ? null : new Date(row.missing_since).toISOString(),
    untrusted: true,
  }
}

/** Returns a page by name, with a cursor. */
export const listErpItems: UseCase<typeof listErpItemsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], nextCursor: null }
  const bound = { ...filter, connection: connection.public_id }
  let query = filtered(ctx, connection, filter).selectAll()
  if (cursor !== undefined) {
    const [search, id] = readCursor(cursor, 'erp.items', bound)
    query = query.where(sql<SqlBool>`(search, id) > (${search}, ${id})`)
  }
  const rows = await query
    .orderBy('search')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(itemView),
    nextCursor: rows.length > limit && last ? createCursor('erp.items', bound, [last.search, last.id]) : null,
  }
}

/** Returns a range of the same list by position, for the window. */
export const windowErpItems: UseCase<typeof windowErpItemsContract> = async (
  ctx,
  { offset = 0, limit = DEFAULT_STRETCH, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], offset, count: 0 }
  const counted = await filtered(ctx, connection, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await filtered(ctx, connection, filter)
    .selectAll()
    .orderBy('search')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(itemView), offset, count: counted.count }
}
