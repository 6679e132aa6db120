/** Lists of incoming documents. */
import { sql } from 'kysely'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { cursorPage } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { folded } from '../../db/text-search.ts'
import { searchText } from '../../domain/text.ts'
import type { getIncomingContract, IncomingState, listIncomingContract } from './contract.ts'
import { countsOf, findIncoming, INCOMING_TARGET, LISTED_COLUMNS, OPEN_STATES } from './rows.ts'
import { incomingSummary, incomingView } from './view.ts'
import type { ListedRow } from './view.ts'

const DEFAULT_LIMIT = 50

const NEWEST_FIRST: RowOrder<ListedRow> = {
  columns: ['incoming_documents.received_at', 'incoming_documents.id'],
  descending: true,
  position: (row) => [row.received_at, row.id],
}

const SEARCHED = ['name', 'sender', 'supplier_name', 'supplier_nif', 'supplier_number'] as const

/** The rows of a filter as the list shows them. */
function rowsOf(ctx: Ctx, states: readonly IncomingState[], text: string) {
  let query = ctx.db
    .selectFrom('incoming_documents')
    .leftJoin('incoming_sources', 'incoming_sources.id', 'incoming_documents.source_id')
    .leftJoin('received_invoices', 'received_invoices.id', 'incoming_documents.received_id')
    .select(LISTED_COLUMNS.map((column) => `incoming_documents.${column}` as const))
    .select([
      'incoming_sources.name as source_name',
      'received_invoices.public_id as entry_id',
      (eb) =>
        eb
          .selectFrom('file_links')
          .select((each) => each.fn.countAll<number>().as('files'))
          .where('file_links.target_type', '=', INCOMING_TARGET)
          .whereRef('file_links.target_id', '=', 'incoming_documents.id')
          .as('files'),
    ])
    .where('incoming_documents.book_id', '=', ctx.book.id)
    .where('incoming_documents.state', 'in', states)
  for (const word of searchText(text).split(' ').filter(Boolean)) {
    const like = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) =>
      eb.or(
        SEARCHED.map(
          (column) =>
            sql<boolean>`${folded(sql`coalesce(${sql.ref(`incoming_documents.${column}`)}, '')`)} like ${like} escape '\\'`,
        ),
      ),
    )
  }
  return query.$castTo<ListedRow>()
}

/** Returns a page; its cursor stays valid while others come in. */
export const listIncoming: UseCase<typeof listIncomingContract> = async (ctx, input) => {
  const { state = 'open', text = '', limit = DEFAULT_LIMIT, cursor } = input
  const states = state === 'open' ? OPEN_STATES : [state]
  const { rows, nextCursor } = await cursorPage(rowsOf(ctx, states, text), NEWEST_FIRST, {
    list: 'incoming',
    bound: { state, text },
    cursor,
    limit,
  })
  const counted = await countsOf(ctx)
  const counts = Object.fromEntries(
    [...OPEN_STATES, 'entered' as const, 'rejected' as const].map((each) => [each, counted.get(each) ?? 0]),
  ) as Record<IncomingState, number>
  return { items: rows.map(incomingSummary), nextCursor, counts }
}

/** Returns one document. */
export const getIncoming: UseCase<typeof getIncomingContract> = async (ctx, { id }) =>
  incomingView(ctx, orNotFound(await findIncoming(ctx, id)))
