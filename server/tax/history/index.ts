/**
 * Documents of an earlier program: what each counted in the tax totals, so that it is taken back exactly, and by which it
 * is known again. The rows of the documents belong to the books of issued and received invoices.
 */
import type { HistoryDocument } from '../../domain/history.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx } from '../../context.ts'
import { prepare, prepareInsert } from '../../db/query.ts'
import { countHistory } from '../totals/index.ts'
import type { Operation } from '../totals/index.ts'

/** An operation without its source, which is the row of its document. */
type StoredOperation = Omit<Operation, 'source'> & { part: number }

/** Document whose row is there already. */
interface TakenDocument {
  runId: number
  type: 'invoice' | 'received'
  rowId: number
  document: HistoryDocument
  operations: readonly Operation[]
  /** False for a document from before the first period that these books count: it is only owed. */
  counts: boolean
}

/** Returns the same text for the same document: side, number, kind of sign, day and other party. */
export function historyKey(document: HistoryDocument): string {
  const { side, number, issueDate, party, totalCents } = document
  const who = party.nif === null ? searchText(party.name) : normalizeNif(party.nif)
  const supplier = side === 'received' ? who : ''
  return [
    side,
    number.toUpperCase().replace(/\s+/g, ''),
    issueDate,
    supplier,
    totalCents < 0 ? '-' : '',
  ].join('|')
}

const byKey = prepare((db, p: { bookId: number; key: string }) =>
  db
    .selectFrom('history_documents')
    .select('id')
    .where('book_id', '=', p.bookId)
    .where('document_key', '=', p.key),
)

/** Returns true if a document was taken in before. */
export async function isTaken(ctx: Ctx, key: string): Promise<boolean> {
  return (await byKey.first(ctx.db, { bookId: ctx.book.id, key })) !== undefined
}

interface Values {
  bookId: number
  runId: number
  invoiceId: number | null
  receivedId: number | null
  key: string
  reception: string | null
  lastNumber: string | null
  facts: string
  isCounted: number
  source: string
}

const insert = prepareInsert((db, p: Values) =>
  db
    .insertInto('history_documents')
    .values({
      book_id: p.bookId,
      run_id: p.runId,
      invoice_id: p.invoiceId,
      received_id: p.receivedId,
      document_key: p.key,
      reception: p.reception,
      last_number: p.lastNumber,
      facts: p.facts,
      is_counted: p.isCounted,
      source: p.source,
    })
    .returning('id'),
)

/** Counts a document in the figures of its periods, and remembers what it counted. In the transaction of its row. */
export async function takeHistory(tx: Ctx, taken: TakenDocument): Promise<void> {
  const { document, operations, type, rowId } = taken
  const stored = operations.map(({ source, ...rest }): StoredOperation => ({
    ...rest,
    part: source.part ?? 0,
  }))
  await insert.run(tx.db, {
    bookId: tx.book.id,
    runId: taken.runId,
    invoiceId: type === 'invoice' ? rowId : null,
    receivedId: type === 'received' ? rowId : null,
    key: historyKey(document),
    reception: document.side === 'received' ? document.reception : null,
    lastNumber: document.lastNumber,
    facts: JSON.stringify(stored),
    isCounted: taken.counts ? 1 : 0,
    source: JSON.stringify(document.source),
  })
  if (taken.counts) await countHistory(tx, operations, 1)
}

interface HistoryRow {
  id: number
  invoiceId: number | null
  receivedId: number | null
  operations: Operation[]
  counts: boolean
}

const nextOfRun = prepare((db, p: { bookId: number; runId: number; limit: number }) =>
  db
    .selectFrom('history_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('run_id', '=', p.runId)
    // What was taken in last may name what was taken in before.
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Returns the documents of a run that were taken in last. */
export async function lastOfRun(ctx: Ctx, runId: number, limit: number): Promise<HistoryRow[]> {
  const rows = await nextOfRun.all(ctx.db, { bookId: ctx.book.id, runId, limit })
  return rows.map((row) => {
    const source =
      row.invoice_id === null
        ? ({ type: 'received', id: row.received_id ?? 0 } as const)
        : ({ type: 'invoice', id: row.invoice_id } as const)
    return {
      id: row.id,
      invoiceId: row.invoice_id,
      receivedId: row.received_id,
      operations: (JSON.parse(row.facts) as StoredOperation[]).map(({ part, ...rest }) => ({
        ...rest,
        source: { ...source, part },
      })),
      counts: row.is_counted === 1,
    }
  })
}

const remove = prepare((db, p: { id: number }) => db.deleteFrom('history_documents').where('id', '=', p.id))

/** Takes a document out of the figures again. Its row is deleted by its own book, afterwards. */
export async function dropHistory(tx: Ctx, row: HistoryRow): Promise<void> {
  if (row.counts) await countHistory(tx, row.operations, -1)
  await remove.run(tx.db, { id: row.id })
}
