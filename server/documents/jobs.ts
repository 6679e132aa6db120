/** The documents of invoices: a draft's preview is drawn on demand, an issued invoice's is drawn once and kept. */
import { loadBook } from '../company/index.ts'
import { createLoop } from '../core/background.ts'
import type { Background } from '../core/background.ts'
import type { BytesAnswer } from '../core/contract.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { createCtx, found } from '../ctx.ts'
import type { AppEnvironment, Ctx, UseCase } from '../ctx.ts'
import { emitEvent } from '../events/index.ts'
import {
  findDocument,
  keepDocument,
  postponeDocument,
  readInvoice,
  resolveInvoice,
  waitingDocuments,
} from '../invoices/index.ts'
import type { InvoiceRow, StoredDocument } from '../invoices/index.ts'
import { paperOf } from './paper-of.ts'

/** Named in the store beside each document: says which program drew it. */
const RENDERER = 'sello-pdf-1'
/** How long a caller waits for a drawing before it is told to come back. */
const PATIENCE_MS = 10_000

/** The document is still being drawn: HTTP answers 202 with Retry-After. */
export class DocumentPending extends Error {
  constructor() {
    super('The document is being drawn.')
    this.name = 'DocumentPending'
  }
}

/** Printable ASCII without separators: safe in a header and on every file system. */
function fileNameOf(row: InvoiceRow): string {
  return `${(row.number ?? `borrador-${row.public_id}`).replace(/[^A-Za-z0-9._-]/g, '-')}.pdf`
}

function answerOf(row: InvoiceRow, document: StoredDocument): BytesAnswer {
  return {
    bytes: document.bytes,
    sha256: Buffer.from(document.sha256).toString('hex'),
    fileName: fileNameOf(row),
    signature: document.signature,
  }
}

async function draw(ctx: Ctx, invoice: InvoiceRow): Promise<StoredDocument> {
  const paper = await readInvoice(ctx, invoice.public_id, (row) => paperOf(ctx, row))
  const { bytes, sha256 } = await ctx.env.documents.draw(paper)
  return { bytes, sha256: Buffer.from(sha256, 'hex'), signature: 'none' }
}

async function drawAndKeep(ctx: Ctx, row: InvoiceRow): Promise<StoredDocument> {
  const drawn = await draw(ctx, row)
  return ctx.transaction(async (tx) => {
    const { document, isNew } = await keepDocument(tx, {
      ...drawn,
      invoiceId: row.id,
      language: row.language,
      renderer: RENDERER,
    })
    if (isNew) await emitEvent(tx, 'document.ready', { invoiceId: row.public_id })
    return document
  })
}

/** `DocumentPending` when it takes longer than a caller waits. */
export function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DocumentPending()), PATIENCE_MS)
  })
  // Whoever stops waiting leaves the drawing under way: it is kept when it ends.
  work.catch(() => undefined)
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** The PDF of an invoice: the stored bytes of an issued one, a watermarked preview of a draft. */
export const invoicePdf: UseCase<ParsedInputOf<'invoices.pdf'>, OutputOf<'invoices.pdf'>> = async (
  ctx,
  { id },
) => {
  const row = await resolveInvoice(ctx, id)
  if (row.state === 'draft') return answerOf(row, await withinPatience(draw(ctx, row)))
  const stored = await findDocument(ctx.db, row.id, row.language)
  return answerOf(row, stored ?? (await withinPatience(drawAndKeep(ctx, row))))
}

const BATCH = 20
const GATHER_MS = 400
const POLL_MS = 60_000
const RETRY_MS = 60_000

/** Draws what was issued, in the background. Whoever asks for a document before its turn gets it drawn at once. */
export function createDocumentJobs(options: {
  env: AppEnvironment
  log: (line: string) => void
}): Background {
  const { env, log } = options
  return createLoop({
    name: 'documents',
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    log,
    async run() {
      for (;;) {
        const waiting = await waitingDocuments(env.store.reader, env.now(), BATCH)
        if (waiting.length === 0) return
        for (const item of waiting) {
          const book = found(await loadBook(env.store.reader, item.book_public_id), 'internal')
          const ctx = createCtx({
            env,
            book,
            actor: { kind: 'system', id: 'system', name: 'Sello' },
            channel: 'system',
            requestId: env.newId('req'),
          })
          try {
            await drawAndKeep(ctx, await resolveInvoice(ctx, item.public_id))
          } catch (error) {
            // The invoice stands whatever happens to its paper: it is tried again later, and on every request.
            log(`documents: ${item.public_id}: ${error instanceof Error ? error.message : String(error)}`)
            await ctx.transaction((tx) =>
              postponeDocument(tx, item.invoice_id, tx.now().getTime() + RETRY_MS * (item.attempts + 1)),
            )
          }
        }
      }
    },
  })
}
