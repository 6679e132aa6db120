/** Lists products and services of the accounting system. */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { numberFromMicro, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { countOf, cursorPage, inOrder } from '../../../db/ordered-rows.ts'
import type { RowOrder } from '../../../db/ordered-rows.ts'
import type { ErpItemsTable } from '../../../db/schema.ts'
import { matchesSearch } from '../../../db/text-search.ts'
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
  return filter.text === undefined ? query : query.where(matchesSearch(sql.ref('search'), filter.text))
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

const BY_NAME: RowOrder<Selectable<ErpItemsTable>> = {
  columns: ['search', 'id'],
  position: ({ search, id }) => [search, id],
}

/** Returns a page by name, with a cursor. */
export const listErpItems: UseCase<typeof listErpItemsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], nextCursor: null }
  const bound = { ...filter, connection: connection.public_id }
  const { rows, nextCursor } = await cursorPage(filtered(ctx, connection, filter).selectAll(), BY_NAME, {
    list: 'erp.items',
    bound,
    cursor,
    limit,
  })
  return { items: rows.map(itemView), nextCursor }
}

/** Returns a range of the same list by position, for the window. */
export const windowErpItems: UseCase<typeof windowErpItemsContract> = async (
  ctx,
  { offset = 0, limit = DEFAULT_STRETCH, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], offset, count: 0 }
  const count = await countOf(filtered(ctx, connection, filter))
  const rows = await inOrder(filtered(ctx, connection, filter).selectAll(), BY_NAME)
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(itemView), offset, count }
}
