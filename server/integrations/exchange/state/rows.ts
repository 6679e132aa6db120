/** SQL of the followed invoices, what is said of them, the messages and the facts. */
import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import { prepare } from '../../../db/query.ts'
import type {
  ExchangeDocumentsTable,
  ExchangeFactsTable,
  ExchangeMessagesTable,
  ExchangeReportsTable,
} from '../../../db/schema.ts'
import type { Ctx } from '../../../context.ts'
import type { InvoiceCode } from '../types.ts'

export type DocumentRow = Selectable<ExchangeDocumentsTable>
export type ReportRow = Selectable<ExchangeReportsTable>
export type MessageRow = Selectable<ExchangeMessagesTable>
export type FactRow = Selectable<ExchangeFactsTable>
type Direction = DocumentRow['direction']
type ExchangeState = DocumentRow['state']

/** States of an issued invoice whose sending is not over. */
export const SENDING: readonly ExchangeState[] = ['to_send', 'sent_unknown']
/** States of a report that is not settled. */
export const OPEN_REPORTS: readonly ReportRow['state'][] = ['to_send', 'unknown']
/** The same in SQL, as the partial index on reports has it: with parameters the index would not be used. */
export const isOpenReport = sql<boolean>`exchange_reports.state in ('to_send', 'unknown')`

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

/** Returns a followed invoice by its public identifier, or null. */
export async function findDocument(ctx: Ctx, publicId: string): Promise<DocumentRow | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('exchange_documents').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

/** Returns a followed invoice by its row id. Throws if there is none. */
export async function documentRow(ctx: Ctx, id: number): Promise<DocumentRow> {
  const row = await byRow.first(ctx.db, { bookId: ctx.book.id, id })
  if (!row) throw new Error(`There is no followed invoice ${id}.`)
  return row
}

const byInvoice = prepare((db, p: { bookId: number; invoiceId: number }) =>
  db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('id', 'desc')
    .limit(1),
)

/** Returns the followed invoice of an issued one, the newest if it was withdrawn and sent again; null if there is none. */
export async function documentOfInvoice(ctx: Ctx, invoiceId: number): Promise<DocumentRow | null> {
  return (await byInvoice.first(ctx.db, { bookId: ctx.book.id, invoiceId })) ?? null
}

const byReceived = prepare((db, p: { bookId: number; receivedId: number }) =>
  db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('received_id', '=', p.receivedId)
    .orderBy('id', 'desc')
    .limit(1),
)

/** Returns the followed invoice of a purchase; null if there is none. */
export async function documentOfReceived(ctx: Ctx, receivedId: number): Promise<DocumentRow | null> {
  return (await byReceived.first(ctx.db, { bookId: ctx.book.id, receivedId })) ?? null
}

const byCode = prepare(
  (db, p: { bookId: number; direction: Direction; issuerNif: string; number: string; issueDate: string }) =>
    db
      .selectFrom('exchange_documents')
      .selectAll()
      .where('book_id', '=', p.bookId)
      .where('direction', '=', p.direction)
      .where('issuer_nif', '=', p.issuerNif)
      .where('number', '=', p.number)
      .where('issue_date', '=', p.issueDate)
      .orderBy('id', 'desc')
      .limit(1),
)

type CodeColumns = Pick<DocumentRow, 'issuer_nif' | 'number' | 'issue_date'>

/** Returns the columns of a unique code. */
export function codeColumns(code: InvoiceCode): CodeColumns {
  return { issuer_nif: code.issuerTaxId, number: code.number, issue_date: code.issueDate }
}

/** Returns the unique code of a followed invoice. */
export function codeOf(row: CodeColumns): InvoiceCode {
  return { issuerTaxId: row.issuer_nif, number: row.number, issueDate: row.issue_date }
}

/** Returns a code as one text, for maps. */
export function codeKey(code: InvoiceCode): string {
  return `${code.issuerTaxId}\n${code.number}\n${code.issueDate}`
}

/** Returns the newest followed invoice of a unique code, also a withdrawn one; null if there is none. */
export async function documentOfCode(
  ctx: Ctx,
  direction: Direction,
  code: InvoiceCode,
): Promise<DocumentRow | null> {
  const { issuerTaxId: issuerNif, number, issueDate } = code
  return (
    (await byCode.first(ctx.db, { bookId: ctx.book.id, direction, issuerNif, number, issueDate })) ?? null
  )
}

const unjoined = prepare((db, p: { bookId: number; issuerNif: string; issueDate: string }) =>
  db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('direction', '=', 'received')
    .where('issuer_nif', '=', p.issuerNif)
    .where('issue_date', '=', p.issueDate)
    .where('received_id', 'is', null)
    .orderBy('id', 'desc'),
)

/** Returns the arrived invoices of a supplier and a day that belong to no purchase yet, the newest first. */
export function unjoinedOf(ctx: Ctx, issuerNif: string, issueDate: string): Promise<DocumentRow[]> {
  return unjoined.all(ctx.db, { bookId: ctx.book.id, issuerNif, issueDate })
}

const unjoinedOfFiles = (ctx: Ctx, sha256: readonly Uint8Array[]) =>
  ctx.db
    .selectFrom('exchange_documents')
    .innerJoin('exchange_contents', 'exchange_contents.id', 'exchange_documents.content_id')
    .selectAll('exchange_documents')
    .where('exchange_documents.book_id', '=', ctx.book.id)
    .where('exchange_documents.direction', '=', 'received')
    .where('exchange_documents.received_id', 'is', null)
    .where(
      'exchange_contents.sha256',
      'in',
      sha256.map((each) => Buffer.from(each)),
    )
    .orderBy('exchange_documents.id', 'desc')
    .limit(1)

/** Returns the arrived invoice whose file is one of these, if it belongs to no purchase yet; else null. */
export async function unjoinedOfFile(ctx: Ctx, sha256: readonly Uint8Array[]): Promise<DocumentRow | null> {
  if (sha256.length === 0) return null
  return (await unjoinedOfFiles(ctx, sha256).executeTakeFirst()) ?? null
}

/** Adds a followed invoice and returns it. */
export async function insertDocument(
  ctx: Ctx,
  row: Omit<Insertable<ExchangeDocumentsTable>, 'book_id' | 'public_id' | 'created_at' | 'changed_at'>,
): Promise<DocumentRow> {
  const now = ctx.now().getTime()
  return ctx.db
    .insertInto('exchange_documents')
    .values({ ...row, book_id: ctx.book.id, public_id: ctx.newId('exd'), created_at: now, changed_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes what is known of a followed invoice. */
export async function changeDocument(
  ctx: Ctx,
  id: number,
  change: Partial<Insertable<ExchangeDocumentsTable>>,
): Promise<void> {
  await ctx.db
    .updateTable('exchange_documents')
    .set({ ...change, changed_at: ctx.now().getTime() })
    .where('id', '=', id)
    .execute()
}

const reportsOfDocument = prepare((db, p: { documentId: number }) =>
  db.selectFrom('exchange_reports').selectAll().where('document_id', '=', p.documentId).orderBy('position'),
)

/** Returns what this side says of an invoice, in order. */
export function reportsOf(ctx: Ctx, documentId: number): Promise<ReportRow[]> {
  return reportsOfDocument.all(ctx.db, { documentId })
}

/** Adds a report and returns it. */
export async function insertReport(
  ctx: Ctx,
  row: Omit<Insertable<ExchangeReportsTable>, 'book_id' | 'public_id' | 'created_at'>,
): Promise<ReportRow> {
  return ctx.db
    .insertInto('exchange_reports')
    .values({ ...row, book_id: ctx.book.id, public_id: ctx.newId('exr'), created_at: ctx.now().getTime() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a report that is in one of these states. Returns false if it is in another. */
export async function changeReport(
  ctx: Ctx,
  id: number,
  from: readonly ReportRow['state'][],
  change: Partial<Insertable<ExchangeReportsTable>>,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('exchange_reports')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** What happened to a followed invoice. */
export interface NewFact {
  documentId: number
  fact: FactName
  day?: string | null
  reportId?: number | null
  messageId?: number | null
  code?: string | null
  note?: string | null
}

const FACTS = [
  'followed',
  'not_due',
  'queued',
  'blocked',
  'sent',
  'answer_lost',
  'nothing_done',
  'admitted',
  'refused',
  'withdrawn',
  'cancelled_here',
  'arrived',
  'downloaded',
  'entered',
  'paid_on_the_invoice',
  'partner_rejected',
  'partner_rejection_cancelled',
  'partner_paid',
  'partner_payment_cancelled',
  'partner_settled',
  'partner_settlement_cancelled',
  'partner_defaulted',
  'partner_default_cancelled',
  'partner_withdrew',
  'report_asked',
  'report_dropped',
  'report_sent',
  'report_unknown',
  'report_admitted',
  'report_refused',
  'report_again',
] as const
type FactName = (typeof FACTS)[number]

interface FactValues {
  bookId: number
  documentId: number
  at: number
  fact: string
  day: string | null
  reportId: number | null
  messageId: number | null
  code: string | null
  note: string | null
  actor: string
}

const insertFact = prepare((db, p: FactValues) =>
  db.insertInto('exchange_facts').values({
    book_id: p.bookId,
    document_id: p.documentId,
    at: p.at,
    fact: p.fact,
    day: p.day,
    report_id: p.reportId,
    message_id: p.messageId,
    code: p.code,
    note: p.note,
    actor: p.actor,
  }),
)

/** Adds a fact: facts are never changed. */
export async function addFact(ctx: Ctx, fact: NewFact): Promise<void> {
  if (!ctx.inTransaction) throw new Error('A fact is written in the transaction of its change.')
  await insertFact.run(ctx.db, {
    bookId: ctx.book.id,
    documentId: fact.documentId,
    at: ctx.now().getTime(),
    fact: fact.fact,
    day: fact.day ?? null,
    reportId: fact.reportId ?? null,
    messageId: fact.messageId ?? null,
    code: fact.code ?? null,
    note: fact.note ?? null,
    actor: ctx.actor.name,
  })
}

const factsOfDocument = prepare((db, p: { documentId: number }) =>
  db.selectFrom('exchange_facts').selectAll().where('document_id', '=', p.documentId).orderBy('id'),
)

/** Returns the facts of an invoice, oldest first. */
export function factsOf(ctx: Ctx, documentId: number): Promise<FactRow[]> {
  return factsOfDocument.all(ctx.db, { documentId })
}

/** Writes a message before it leaves, with what is in it, and returns it. */
export async function beginMessage(
  ctx: Ctx,
  message: {
    /** Where the message itself names it. */
    publicId?: string
    kind: MessageRow['kind']
    role?: MessageRow['role']
    contentId?: number | null
  },
  items: readonly { documentId: number; reportId?: number | null }[],
): Promise<MessageRow> {
  const row = await ctx.db
    .insertInto('exchange_messages')
    .values({
      book_id: ctx.book.id,
      public_id: message.publicId ?? ctx.newId('exm'),
      kind: message.kind,
      role: message.role ?? null,
      sent_at: ctx.now().getTime(),
      sent_by: ctx.actor.name,
      content_id: message.contentId ?? null,
      outcome: 'sent',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('exchange_items')
    .values(
      items.map((item, position) => ({
        message_id: row.id,
        position,
        document_id: item.documentId,
        report_id: item.reportId ?? null,
      })),
    )
    .execute()
  return row
}

/** Writes what became of a message, if nobody has. */
export async function endMessage(
  ctx: Ctx,
  id: number,
  end: Partial<Insertable<ExchangeMessagesTable>> & { outcome: MessageRow['outcome'] },
): Promise<void> {
  await ctx.db
    .updateTable('exchange_messages')
    .set({ ...end, ended_at: ctx.now().getTime() })
    .where('id', '=', id)
    .where('outcome', '=', 'sent')
    .execute()
}

/** Writes what the platform answered of an item of a message. */
export async function answerItem(
  ctx: Ctx,
  messageId: number,
  position: number,
  answer: { code: string; detail: string; locator: string | null },
): Promise<void> {
  await ctx.db
    .updateTable('exchange_items')
    .set(answer)
    .where('message_id', '=', messageId)
    .where('position', '=', position)
    .execute()
}

/** Returns a message by its public identifier, or null. */
export async function findMessage(ctx: Ctx, publicId: string): Promise<MessageRow | null> {
  const row = await ctx.db
    .selectFrom('exchange_messages')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  return row ?? null
}
