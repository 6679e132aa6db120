/**
 * Documents of issued invoices: rendered once and stored for good. The queue entry is written with the issue, so that
 * none is lost.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../../context.ts'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import type { Db } from '../../../db/query.ts'
import { numberList, unindexed } from '../../../db/engine-sql.ts'
import { prepare } from '../../../db/query.ts'
import type { Content, ContentColumn } from '../../../db/outside/objects.ts'
import { readContent } from '../../../platform/contents/index.ts'

const enqueue = prepare((db, p: { invoiceId: number }) =>
  db.insertInto('document_queue').values({ invoice_id: p.invoiceId }),
)

/** Queues the document of an issued invoice. Runs in the issue transaction. */
export async function queueDocument(ctx: Ctx, invoiceId: number): Promise<void> {
  await enqueue.later(ctx.db, { invoiceId })
}

export const DOCUMENT_CONTENTS: ContentColumn = { table: 'documents', column: 'bytes' }

/** PDFs on a sheet or a roll, and the signed Facturae. */
type StoredFormat = 'a4' | 'ticket' | 'facturae'
type SignatureLevel = 'PAdES-B-B' | 'XAdES-EPES'

const documents = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('documents')
    .leftJoin('document_signatures', 'document_signatures.document_id', 'documents.id')
    .leftJoin('certificates', 'certificates.id', 'document_signatures.certificate_id')
    .select([
      'documents.id',
      'documents.format',
      'documents.language',
      'documents.sha256',
      'documents.bytes',
      'document_signatures.level',
      'document_signatures.appended',
      'document_signatures.sha256 as signed_sha256',
      'document_signatures.signed_at',
      'certificates.holder_name',
    ])
    .where('documents.invoice_id', '=', p.invoiceId)
    .orderBy('documents.id'),
)

type Row = Awaited<ReturnType<typeof documents.all>>[number]

interface DocumentSignature {
  level: SignatureLevel
  /** Subject of the certificate that signed. */
  subject: string
  signedAt: number
}

/** A stored document without its bytes. */
export interface DocumentEntry {
  id: number
  format: StoredFormat
  language: DocumentLanguage
  /** Hash of the whole file, with its signature. */
  sha256: Uint8Array
  signature: DocumentSignature | null
  /** The content before the signature. */
  content: Content
  /** What the signature appends; null without one. */
  appended: Uint8Array | null
}

export interface StoredDocument extends DocumentEntry {
  /** The whole file, with its signature. */
  bytes: Uint8Array
}

function entryOf(row: Row): DocumentEntry {
  const isSigned = row.level !== null && row.appended !== null && row.signed_sha256 !== null
  return {
    id: row.id,
    format: row.format,
    language: row.language as DocumentLanguage,
    sha256: isSigned && row.signed_sha256 ? row.signed_sha256 : row.sha256,
    signature:
      row.level === null
        ? null
        : { level: row.level, subject: row.holder_name ?? '', signedAt: row.signed_at ?? 0 },
    content: { cell: row.bytes, sha256: row.sha256 },
    appended: isSigned ? row.appended : null,
  }
}

/** Returns all stored documents of an invoice, the first rendered first. */
export async function documentsOf(db: Db, invoiceId: number): Promise<DocumentEntry[]> {
  return (await documents.all(db, { invoiceId })).map(entryOf)
}

/** Returns a document with its bytes, given those before the signature. */
export function withBytes(kept: DocumentEntry, unsigned: Uint8Array): StoredDocument {
  return { ...kept, bytes: Buffer.concat(kept.appended ? [unsigned, kept.appended] : [unsigned]) }
}

/** Returns a document with its bytes. Throws the errors of `readContent`. */
export async function readDocument(ctx: Ctx, kept: DocumentEntry): Promise<StoredDocument> {
  return withBytes(kept, await readContent(ctx, kept.content))
}

const states = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('documents')
    .leftJoin('document_signatures', 'document_signatures.document_id', 'documents.id')
    .leftJoin('certificates', 'certificates.id', 'document_signatures.certificate_id')
    .select([
      'documents.language',
      'document_signatures.level',
      'document_signatures.signed_at',
      'certificates.holder_name',
    ])
    .where('documents.invoice_id', '=', p.invoiceId)
    .where('documents.format', 'in', ['a4', 'ticket'])
    .orderBy('documents.id'),
)

const unsigned = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('unsigned_documents')
    .select((eb) => eb.fn.count<number>('invoice_id').distinct().as('count'))
    .where('book_id', '=', p.bookId),
)

/** Counts the invoices of the book whose stored PDF has no signature. */
export async function countUnsigned(ctx: Ctx): Promise<number> {
  return (await unsigned.first(ctx.db, { bookId: ctx.book.id }))?.count ?? 0
}

/** Returns the states of the stored PDFs of an invoice, without their bytes; the first rendered first. */
export async function documentStates(db: Db, invoiceId: number) {
  return (await states.all(db, { invoiceId })).map((row) => ({
    language: row.language as DocumentLanguage,
    level: row.level,
    subject: row.holder_name,
    signedAt: row.signed_at,
  }))
}

/** Returns the first document of an invoice that its customer can read: its PDF. */
export async function firstDocument(db: Db, invoiceId: number): Promise<DocumentEntry | undefined> {
  return (await documentsOf(db, invoiceId)).find(({ format }) => format !== 'facturae')
}

/**
 * Returns the bytes of a document that was sent before, by their hash: as they were then, although it may have been
 * signed since.
 */
export async function bytesBySha256(
  ctx: Ctx,
  invoiceId: number,
  sha256: Uint8Array,
): Promise<Uint8Array | null> {
  const wanted = Buffer.from(sha256)
  for (const kept of await documentsOf(ctx.db, invoiceId)) {
    if (wanted.equals(kept.sha256)) return (await readDocument(ctx, kept)).bytes
    if (wanted.equals(kept.content.sha256)) return readContent(ctx, kept.content)
  }
  return null
}

/** Data that a signature adds to a document. */
export interface NewSignature {
  level: SignatureLevel
  certificateId: number
  appended: Uint8Array
  /** Of the whole signed file. */
  sha256: Uint8Array
}

export interface NewDocument {
  invoiceId: number
  format: StoredFormat
  language: DocumentLanguage
  /** Without the bytes that a signature appends, as its row holds it. */
  content: Content
  renderer: string
  signature: NewSignature | null
}

async function storedAs(ctx: Ctx, like: Pick<NewDocument, 'invoiceId' | 'format' | 'language'>) {
  const all = await documentsOf(ctx.db, like.invoiceId)
  return all.find(({ format, language }) => format === like.format && language === like.language)
}

/**
 * Stores a rendered document and removes it from the queue. The first one stays: a second one is dropped, and not
 * new.
 */
export async function saveDocument(
  ctx: Ctx,
  document: NewDocument,
): Promise<{ document: DocumentEntry; isNew: boolean }> {
  const existing = await storedAs(ctx, document)
  if (existing) return { document: existing, isNew: false }
  const { signature, invoiceId, format, language, renderer, content } = document
  const { id } = await ctx.db
    .insertInto('documents')
    .values({
      invoice_id: invoiceId,
      format,
      language,
      sha256: content.sha256,
      bytes: content.cell,
      renderer,
      rendered_at: ctx.now().getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (signature) await insertSignature(ctx, id, signature)
  if (format !== 'facturae')
    await ctx.db.deleteFrom('document_queue').where('invoice_id', '=', invoiceId).execute()
  const kept = await storedAs(ctx, document)
  if (!kept) throw new Error('The document just kept is missing.')
  return { document: kept, isNew: true }
}

async function insertSignature(ctx: Ctx, documentId: number, signature: NewSignature): Promise<void> {
  await ctx.db
    .insertInto('document_signatures')
    .values({
      document_id: documentId,
      level: signature.level,
      certificate_id: signature.certificateId,
      appended: signature.appended,
      sha256: signature.sha256,
      signed_at: ctx.now().getTime(),
    })
    .execute()
}

/** Stores the signature of an unsigned document. False when it has one by now: the first stays. */
export async function saveSignature(ctx: Ctx, documentId: number, signature: NewSignature): Promise<boolean> {
  const known = await ctx.db
    .selectFrom('document_signatures')
    .select('document_id')
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  if (known) return false
  await insertSignature(ctx, documentId, signature)
  return true
}

/** Returns the queue of the documents of some books, with their invoices. */
function queueOf(db: Db, bookIds: readonly number[]) {
  return (
    db
      .selectFrom('document_queue')
      .innerJoin('invoices', 'invoices.id', 'document_queue.invoice_id')
      // The queue is short, and an index of the invoices would walk all of them.
      .where(unindexed(sql.ref('invoices.book_id')), 'in', numberList(bookIds))
  )
}

/** Returns the documents of some books to render now: those never tried first, each kind oldest first. */
export function waitingDocuments(db: Db, bookIds: readonly number[], now: Date, limit: number) {
  return queueOf(db, bookIds)
    .innerJoin('books', 'books.id', 'invoices.book_id')
    .select([
      'document_queue.invoice_id',
      'document_queue.attempts',
      'invoices.public_id',
      'books.public_id as book_public_id',
    ])
    .where('document_queue.next_attempt_at', '<=', now.getTime())
    .orderBy('document_queue.next_attempt_at')
    .orderBy('document_queue.invoice_id')
    .limit(limit)
    .execute()
}

/** Returns when the next document of some books is due, in milliseconds since 1970; null when none waits. */
export async function nextDocumentAt(db: Db, bookIds: readonly number[]): Promise<number | null> {
  const row = await queueOf(db, bookIds)
    .select('document_queue.next_attempt_at as at')
    .orderBy('document_queue.next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Postpones a failed rendering. */
export async function postponeDocument(ctx: Ctx, invoiceId: number, untilMs: number): Promise<void> {
  await ctx.db
    .updateTable('document_queue')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: untilMs }))
    .where('invoice_id', '=', invoiceId)
    .execute()
}
