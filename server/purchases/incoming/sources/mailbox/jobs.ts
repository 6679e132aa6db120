/**
 * Looks into the mailboxes: one after the other for each company. On a desk a connection stays open after a look, and its
 * news wake the next one; an office looks every five minutes.
 */
import { createSystemCtx } from '../../../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../../../context.ts'
import type { Background } from '../../../../domain/concurrency/background-loop.ts'
import { AppError } from '../../../../domain/errors/app-error.ts'
import {
  createWorkerLoop,
  earliestDue,
  exponentialBackoff,
  idsOf,
  inAllCompanies,
  messageOf,
} from '../../../../platform/jobs/index.ts'
import type { BookWork, CompanyBooks, DueTime } from '../../../../platform/jobs/index.ts'
import { notifySource } from '../manage.ts'
import { openSources, sourceByRow, writeSource } from '../rows.ts'
import type { SourceRow } from '../rows.ts'
import type { SourceFault } from '../contract.ts'
import { MailboxFault } from './connect.ts'
import type { MailboxLimits, MailServer, OpenMailbox } from './connect.ts'
import { openMailboxOf } from './login.ts'
import { readMailbox, SourceChanged } from './read-mailbox.ts'
import type { MailStep } from './read-mailbox.ts'

interface MailboxJobOptions {
  env: AppEnvironment
  log: (line: string) => void
  limits?: MailboxLimits
  onStep?: (step: MailStep) => void
}

const LOOK_MS = 5 * 60_000
/** Faults that only a person or the provider can end: asking often may lock the account. */
const STUBBORN: readonly SourceFault[] = ['login_refused', 'not_trusted', 'mailbox_missing', 'sign_in_needed']
const STUBBORN_MS = 60 * 60_000
const backoff = exponentialBackoff({ firstMs: 60_000, longestMs: STUBBORN_MS })

type Session = OpenMailbox & { server: MailServer }

/** The open connections of a desk, by the row of their source. */
class Sessions {
  private readonly open = new Map<number, { session: Session; version: number; bookId: number }>()
  private readonly onNews: (sourceId: number) => void

  constructor(onNews: (sourceId: number) => void) {
    this.onNews = onNews
  }

  /** Hands over the open connection of a source, if it is still as it was when the connection was made. */
  take({ id, version }: SourceRow): Session | null {
    const kept = this.open.get(id)
    this.open.delete(id)
    if (!kept) return null
    kept.session.client.removeAllListeners('exists')
    if (kept.version === version && kept.session.client.usable) return kept.session
    kept.session.client.close()
    return null
  }

  /** Keeps a connection open for news. */
  keep({ id, version, book_id: bookId }: SourceRow, session: Session): void {
    this.open.set(id, { session, version, bookId })
    session.client.on('exists', () => this.onNews(id))
  }

  /** Closes those of sources in these books that are open no more. */
  closeOthers(bookIds: readonly number[], rows: readonly SourceRow[]): void {
    for (const [id, { session, bookId }] of this.open)
      if (bookIds.includes(bookId) && !rows.some((row) => row.id === id)) {
        session.client.close()
        this.open.delete(id)
      }
  }
}

/** Returns how long a source waits after a failure: longer each time, as its last two times say. */
function waitAfter(row: SourceRow, why: SourceFault): number {
  if (STUBBORN.includes(why)) return STUBBORN_MS
  const last = row.state === 'failing' ? (row.next_at ?? 0) - (row.checked_at ?? 0) : 0
  const failures = last <= 0 ? 1 : Math.floor(Math.log2(last / 60_000)) + 2
  return backoff(Math.max(1, failures))
}

/** Writes how a look ended, unless a person changed the source meanwhile. */
async function settle(ctx: Ctx, row: SourceRow, why: SourceFault | null, hasMore: boolean): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = await sourceByRow(tx, row.id)
    if (now?.version !== row.version || now.state === 'paused') return
    const at = tx.now().getTime()
    const after = await writeSource(tx, row.id, {
      state: why === null ? 'active' : 'failing',
      why,
      checked_at: at,
      next_at: at + (why !== null ? waitAfter(now, why) : hasMore ? 0 : LOOK_MS),
    })
    if (now.state !== after.state || now.why !== after.why) await notifySource(tx, after)
  })
}

function closeQuietly({ client }: OpenMailbox): void {
  client.logout().catch(() => client.close())
}

interface Looking {
  signal: AbortSignal
  sessions: Sessions | null
}

/** Looks into one mailbox, and writes how it went. */
async function look(options: MailboxJobOptions, ctx: Ctx, row: SourceRow, looking: Looking): Promise<void> {
  const { signal, sessions } = looking
  const kept = sessions?.take(row) ?? null
  try {
    // A connection that waited for news may have broken without a sign: then a new one is made at once.
    if (kept === null || !(await readThrough(options, ctx, row, kept, looking).catch(unlessLost))) {
      const { limits } = options
      const session = await openMailboxOf(ctx, row, { signal, ...(limits ? { limits } : {}) })
      await readThrough(options, ctx, row, session, looking)
    }
  } catch (error) {
    if (signal.aborted || error instanceof SourceChanged) return
    const why = error instanceof MailboxFault ? error.why : whyOf(error)
    if (why === 'broken') options.log(`mailboxes: ${row.public_id}: ${messageOf(error)}`)
    await settle(ctx, row, why, false)
  }
}

function unlessLost(error: unknown): false {
  if (error instanceof MailboxFault && error.why === 'connection_lost' && !error.isTooMuch) return false
  throw error
}

/** Reads what is new on a connection, which stays open on a desk. */
async function readThrough(
  { onStep }: MailboxJobOptions,
  ctx: Ctx,
  row: SourceRow,
  session: Session,
  { signal, sessions }: Looking,
): Promise<true> {
  try {
    const hasMore = await readMailbox(ctx, row, session, { signal, ...(onStep ? { onStep } : {}) })
    await settle(ctx, row, null, hasMore)
  } catch (error) {
    closeQuietly(session)
    throw error
  }
  if (sessions && !signal.aborted) sessions.keep(row, session)
  else closeQuietly(session)
  return true
}

/** An error of the store or of this computer may pass; any other is a bug. */
function whyOf(error: unknown): SourceFault {
  return error instanceof AppError && error.code !== 'internal' ? 'try_later' : 'broken'
}

/** Returns the mailboxes that are read: an archived company gets no new documents. */
async function readSources({ books, reader }: CompanyBooks): Promise<SourceRow[]> {
  const open = books.filter(({ archived }) => !archived).map(({ id }) => id)
  return open.length === 0 ? [] : openSources(reader, 'mailbox', open)
}

/** Looks into the mailboxes of a company that are due. */
export function mailboxWork(options: MailboxJobOptions, sessions: Sessions | null = null): BookWork {
  const { env } = options
  return {
    name: 'mailboxes',
    async work(company, { signal }) {
      const books = new Map(company.books.map((book) => [book.id, book]))
      const rows = await readSources(company)
      sessions?.closeOthers(idsOf(company), rows)
      const now = env.now().getTime()
      for (const row of rows) {
        if (signal.aborted) break
        if ((row.next_at ?? 0) > now) continue
        await look(options, createSystemCtx(env, books.get(row.book_id) as Book), row, { signal, sessions })
      }
      return nextAt(company)
    },
  }
}

async function nextAt(company: CompanyBooks): Promise<DueTime> {
  const rows = await readSources(company)
  return earliestDue(rows.map(({ next_at }) => next_at))
}

const GATHER_MS = 200
const POLL_MS = 60_000
const SHORTEST_MS = 1_000

/** Creates the jobs of a desk, which keep a connection open to each mailbox. */
export function createMailboxJobs(options: MailboxJobOptions): Background {
  const { env, log } = options
  const news = new Set<number>()
  const sessions = new Sessions((sourceId) => {
    news.add(sourceId)
    loop.wake()
  })
  const { name, work } = mailboxWork(options, sessions)
  const loop = createWorkerLoop({
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    shortestWaitMs: SHORTEST_MS,
    ...inAllCompanies(
      env,
      {
        name,
        async work(company, pass) {
          await makeDue(options, company, news)
          return work(company, pass)
        },
      },
      log,
    ),
  })
  return {
    wake: () => loop.wake(),
    // Its signal closes the open connections.
    stop: () => loop.stop(),
  }
}

/** Makes mailboxes due in which something has arrived. */
async function makeDue({ env }: MailboxJobOptions, company: CompanyBooks, news: Set<number>): Promise<void> {
  const rows = await readSources(company)
  for (const row of rows) {
    if (!news.delete(row.id)) continue
    const book = company.books.find(({ id }) => id === row.book_id)
    if (!book) continue
    await createSystemCtx(env, book).transaction(async (tx) => {
      await writeSource(tx, row.id, { next_at: tx.now().getTime() })
    })
  }
}
