/** The registry's background work: sending what is queued, soon after it was issued and again when its time has come. */
import { findCompany, listBooks } from '../../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../../contracts.ts'
import { createCtx } from '../../ctx.ts'
import type { AppEnvironment, Book, Ctx, UseCase } from '../../ctx.ts'
import type { Background } from '../../core/background.ts'
import { createLoop } from '../../core/background.ts'
import { queueFigures } from '../rows.ts'
import { hurryQueue, recoverInterrupted, sendDueRecords } from './sender.ts'
import type { SenderOptions } from './sender.ts'
import { simulatedAuthority } from '../simulator/stored.ts'

export interface RegistryJobOptions {
  env: AppEnvironment
  onStatus: SenderOptions['onStatus']
  log: (line: string) => void
}

/** Gathers what is issued in a burst into one submission; nobody notices a fifth of a second. */
const GATHER_MS = 200
/** How often the queue is looked at when nothing woke it: records put off by an error come due. */
const POLL_MS = 30_000

function jobCtx(env: AppEnvironment, book: Book): Ctx {
  return createCtx({
    env,
    book,
    actor: { kind: 'system', id: 'system', name: 'Sello' },
    channel: 'system',
    requestId: env.newId('req'),
  })
}

/** Sends everything due in a test book, until nothing more is settled. */
export async function sendBook(
  env: AppEnvironment,
  book: Book,
  onStatus: SenderOptions['onStatus'],
): Promise<void> {
  const ctx = jobCtx(env, book)
  const company = await findCompany(ctx)
  const options = {
    authority: simulatedAuthority(ctx),
    issuer: { name: company.legal_name, nif: company.nif },
    onStatus,
  }
  while ((await sendDueRecords(ctx, options)) > 0);
}

/**
 * Sends for every test book. A live book's records wait: sending them to the authority needs its adapter and a
 * certificate, without which a live book cannot issue either.
 */
export function createRegistryJobs(options: RegistryJobOptions): Background {
  const { env, onStatus, log } = options
  let recovered = false
  return createLoop({
    name: 'registry',
    gatherMs: GATHER_MS,
    pollMs: POLL_MS,
    log,
    async run() {
      const books = (await listBooks(env.store.reader)).filter((book) => book.mode === 'test')
      if (!recovered) {
        for (const book of books) await recoverInterrupted(jobCtx(env, book))
        recovered = true
      }
      for (const book of books) await sendBook(env, book, onStatus)
    },
  })
}

/** Try the queue now. */
export const sendNow: UseCase<ParsedInputOf<'registry.send'>, OutputOf<'registry.send'>> = async (ctx) => {
  await hurryQueue(ctx)
  ctx.env.wake('sender')
  return { pending: (await queueFigures(ctx)).pending }
}
