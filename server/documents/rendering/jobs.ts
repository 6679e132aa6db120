/** Draws and signs issued documents in the background, so that issuing never waits for its document. */
import { loadBook } from '../../platform/books/index.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { createSystemCtx, orNotFound } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { createWorkerLoop, drainQueue, linearBackoff, messageOf } from '../../platform/jobs/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import { postponeDocument, resolveInvoice, waitingDocuments } from '../../sales/invoices/index.ts'
import { storedPdf } from './make.ts'

const BATCH = 20
const GATHER_MS = 400
const POLL_MS = 60_000
const backoff = linearBackoff(60_000)

type WaitingDocument = Awaited<ReturnType<typeof waitingDocuments>>[number]

interface DocumentJob {
  ctx: Ctx
  item: WaitingDocument
}

/** The queue of documents. It needs no lease: a document that is drawn twice at the same time is kept once. */
function documentQueue(
  env: AppEnvironment,
  log: (line: string) => void,
): JobQueue<DocumentJob, 'drawn' | 'failed'> {
  let batch: WaitingDocument[] = []
  return {
    async claim() {
      if (batch.length === 0) batch = await waitingDocuments(env.store.reader, env.now(), BATCH)
      const item = batch.shift()
      if (!item) return null
      const book = orNotFound(await loadBook(env.store.reader, item.book_public_id), 'internal')
      return { ctx: createSystemCtx(env, book), item }
    },
    async attempt({ ctx, item }) {
      await storedPdf(ctx, await resolveInvoice(ctx, item.public_id))
      return 'drawn'
    },
    // The invoice is valid whatever happens to its document: drawing is retried later, and on every request.
    outcomeOfError({ item }, error) {
      log(`documents: ${item.public_id}: ${messageOf(error)}`)
      return 'failed'
    },
    async settle({ ctx, item }, outcome) {
      // Keeping a document takes it out of the queue.
      if (outcome === 'drawn') return
      await ctx.transaction((tx) =>
        postponeDocument(tx, item.invoice_id, tx.now().getTime() + backoff(item.attempts + 1)),
      )
    },
  }
}

/** Creates the jobs of the queue. A document requested before its turn is drawn immediately. */
export function createDocumentJobs(options: {
  env: AppEnvironment
  log: (line: string) => void
}): Background {
  const { env, log } = options
  return createWorkerLoop({
    name: 'documents',
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    log,
    now: env.now,
    async work() {
      // Without the signal: stopping waits until the queue is drained.
      await drainQueue(documentQueue(env, log))
      // The next poll finds what was postponed.
      return null
    },
  })
}
