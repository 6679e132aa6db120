/** Draws and signs issued documents in the background, so that issuing never waits for its document. */
import { loadBook } from '../../platform/books/index.ts'
import { createLoop } from '../../domain/concurrency/background-loop.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { createCtx, orNotFound } from '../../context.ts'
import type { AppEnvironment } from '../../context.ts'
import { postponeDocument, resolveInvoice, waitingDocuments } from '../../sales/invoices/index.ts'
import { storedPdf } from './make.ts'

const BATCH = 20
const GATHER_MS = 400
const POLL_MS = 60_000
const RETRY_MS = 60_000

/** Creates the jobs of the queue. A document requested before its turn is drawn immediately. */
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
          const book = orNotFound(await loadBook(env.store.reader, item.book_public_id), 'internal')
          const ctx = createCtx({
            env,
            book,
            actor: { kind: 'system', id: 'system', name: 'Sello' },
            channel: 'system',
            requestId: env.newId('req'),
          })
          try {
            await storedPdf(ctx, await resolveInvoice(ctx, item.public_id))
          } catch (error) {
            // The invoice is valid whatever happens to its document: drawing is retried later, and on every request.
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
