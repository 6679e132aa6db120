/**
 * Keeps the summary rows current. A fact marks the row of its company in its own transaction (a trigger on events);
 * here the marked rows are computed again, each company by itself and outside its transactions.
 */
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book } from '../../context.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { listBooks } from '../../platform/books/index.ts'
import { messageOf } from '../../platform/jobs/index.ts'
import { readFacts } from './facts.ts'
import type { SummaryFacts } from './facts.ts'
import { addRows, companiesWithoutRow, dueCompanies, hasStaleRows, takeRows, writeFacts } from './rows.ts'

/** Time for which a computed row stands although new facts come. */
const SETTLE_MS = 4_000
/** Age at which a row is computed again although no fact has marked it. */
const REPAIR_MS = 6 * 3_600_000
/** Rows that are taken, and then written, in one transaction. */
const BATCH = 10

interface RefreshOptions {
  log: (line: string) => void
  signal?: AbortSignal
  /** Replaces `SETTLE_MS`. */
  settleMs?: number
}

interface Refreshed {
  computed: number
  failed: number
  /** Some rows have facts that they do not include yet. */
  isStale: boolean
}

async function refreshBatch(
  env: AppEnvironment,
  books: readonly Book[],
  log: (line: string) => void,
): Promise<number> {
  await env.store.transaction(null, (db) =>
    takeRows(
      db,
      books.map(({ companyId }) => companyId),
    ),
  )
  const computed: { companyId: number; facts: SummaryFacts }[] = []
  for (const book of books) {
    try {
      computed.push({ companyId: book.companyId, facts: await readFacts(createSystemCtx(env, book)) })
    } catch (error) {
      // The row keeps its figures and its mark; the next pass tries again.
      log(`summaries: ${book.publicId}: ${messageOf(error)}`)
    }
  }
  const at = env.now()
  await env.store.transaction(null, async (db) => {
    for (const { companyId, facts } of computed)
      await writeFacts(db, companyId, { facts, at: at.getTime(), today: businessDateOf(at) })
  })
  return computed.length
}

/** Computes the rows that are due. */
export async function refreshSummaries(
  env: AppEnvironment,
  { log, signal, settleMs = SETTLE_MS }: RefreshOptions,
): Promise<Refreshed> {
  const { store } = env
  const now = env.now().getTime()
  for (let missing = await companiesWithoutRow(store.reader); missing.length > 0;) {
    const added = missing
    await store.transaction(null, (db) => addRows(db, added, now))
    missing = await companiesWithoutRow(store.reader)
  }
  const due = await dueCompanies(store.reader, {
    today: businessDateOf(env.now()),
    settledBefore: now - settleMs,
    repairedBefore: now - REPAIR_MS,
  })
  const refreshed: Refreshed = { computed: 0, failed: 0, isStale: false }
  if (due.length > 0) {
    const live = new Map(
      (await listBooks(store.reader))
        .filter(({ mode }) => mode === 'live')
        .map((book) => [book.companyId, book]),
    )
    const books = due.flatMap((companyId) => live.get(companyId) ?? [])
    for (let from = 0; from < books.length && !signal?.aborted; from += BATCH) {
      const batch = books.slice(from, from + BATCH)
      const computed = await refreshBatch(env, batch, log)
      refreshed.computed += computed
      refreshed.failed += batch.length - computed
    }
  }
  refreshed.isStale = await hasStaleRows(store.reader)
  return refreshed
}
