/** Draws and signs issued documents in the background, so that issuing never waits for its document. */
import { loadBook } from '../../platform/books/index.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import { createSystemCtx, orNotFound } from '../../context.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import {
  createWorkerLoop,
  drainQueue,
  idsOf,
  inAllCompanies,
  linearBackoff,
  messageOf,
} from '../../platform/jobs/index.ts'
import type { BookWork, CompanyBooks, JobQueue } from '../../platform/jobs/index.ts'
import {
  nextDocumentAt,
  postponeDocument,
  resolveInvoice,
  waitingDocuments,
} from '../../sales/invoices/index.ts'
import { storedPdf } from './make.ts'

const BATCH = 20
const GATHER_MS = 400
const POLL_MS = 60_000
/** The shortest wait before the queue is checked again. */
const SHORTEST_MS = 1_000
/** On a desk stopping waits until the queue is drained. */
const NEVER = new AbortController().signal
const backoff = linearBackoff(60_000)

type WaitingDocument = Awaited<ReturnType<typeof waitingDocuments>>[number]

interface DocumentJobOptions {
  env: AppEnvironment
  log: (line: string) => void
}

interface DocumentJob {
  ctx: Ctx
  item: WaitingDocument
}

/** The queue of documents. It needs no lease: a document that is drawn twice at the same time is kept once. */
function documentQueue(
  { env, log }: DocumentJobOptions,
  company: CompanyBooks,
): JobQueue<DocumentJob, 'drawn' | 'failed'> {
  const bookIds = idsOf(company)
  let batch: WaitingDocument[] = []
  return {
    async claim() {
      if (batch.length === 0) batch = await waitingDocuments(company.reader, bookIds, env.now(), BATCH)
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

/** Draws the waiting documents of a company, one at a time. */
export function documentWork(options: DocumentJobOptions): BookWork {
  return {
    name: 'documents',
    async work(company, { signal }) {
      await drainQueue(documentQueue(options, company), { signal })
      return nextDocumentAt(company.reader, idsOf(company))
    },
  }
}

/** Creates the jobs of the queue. A document requested before its turn is drawn immediately. */
export function createDocumentJobs(options: DocumentJobOptions): Background {
  const { env, log } = options
  const { name, work } = documentWork(options)
  const drain: BookWork = { name, work: (company, pass) => work(company, { ...pass, signal: NEVER }) }
  return createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    shortestWaitMs: SHORTEST_MS,
    ...inAllCompanies(env, drain, log),
  })
}
