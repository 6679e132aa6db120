/** Documents of issued invoices: drawn once, kept for ever. The queue entry is written with the issue, so none is lost. */
import type { Ctx } from '../ctx.ts'
import type { Db } from '../store/query.ts'
import { prepare } from '../store/query.ts'

const enqueue = prepare((db, p: { invoiceId: number }) =>
  db.insertInto('document_queue').values({ invoice_id: p.invoiceId }),
)

/** Asks for the document of an issued invoice. In the issue transaction. */
export async function queueDocument(ctx: Ctx, invoiceId: number): Promise<void> {
  await enqueue.run(ctx.db, { invoiceId })
}

const find = prepare((db, p: { invoiceId: number; language: string }) =>
  db
    .selectFrom('documents')
    .selectAll()
    .where('invoice_id', '=', p.invoiceId)
    .where('language', '=', p.language),
)

export interface StoredDocument {
  bytes: Uint8Array
  sha256: Uint8Array
  signature: 'PAdES-B-B' | 'none'
}

/** The stored document of an invoice in a language. */
export async function findDocument(
  db: Db,
  invoiceId: number,
  language: string,
): Promise<StoredDocument | undefined> {
  return find.first(db, { invoiceId, language })
}

interface NewDocument extends StoredDocument {
  invoiceId: number
  language: string
  renderer: string
}

/** Keeps a drawn document and takes it off the queue. The first one stays: a second drawing is dropped, and not new. */
export async function keepDocument(
  ctx: Ctx,
  document: NewDocument,
): Promise<{ document: StoredDocument; isNew: boolean }> {
  const existing = await findDocument(ctx.db, document.invoiceId, document.language)
  if (existing) return { document: existing, isNew: false }
  await ctx.db
    .insertInto('documents')
    .values({
      invoice_id: document.invoiceId,
      language: document.language,
      sha256: document.sha256,
      bytes: document.bytes,
      signature: document.signature,
      renderer: document.renderer,
      rendered_at: ctx.now().getTime(),
    })
    .execute()
  await ctx.db.deleteFrom('document_queue').where('invoice_id', '=', document.invoiceId).execute()
  return { document, isNew: true }
}

const waiting = prepare((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('document_queue')
    .innerJoin('invoices', 'invoices.id', 'document_queue.invoice_id')
    .innerJoin('books', 'books.id', 'invoices.book_id')
    .select([
      'document_queue.invoice_id',
      'document_queue.attempts',
      'invoices.public_id',
      'books.public_id as book_public_id',
    ])
    .where('document_queue.next_attempt_at', '<=', p.now)
    .orderBy('document_queue.invoice_id')
    .limit(p.limit),
)

export type WaitingDocument = Awaited<ReturnType<typeof waiting.all>>[number]

/** Documents to draw now, oldest first, of all books. */
export function waitingDocuments(db: Db, now: Date, limit: number): Promise<WaitingDocument[]> {
  return waiting.all(db, { now: now.getTime(), limit })
}

/** Puts a failed drawing off. */
export async function postponeDocument(ctx: Ctx, invoiceId: number, untilMs: number): Promise<void> {
  await ctx.db
    .updateTable('document_queue')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: untilMs }))
    .where('invoice_id', '=', invoiceId)
    .execute()
}
