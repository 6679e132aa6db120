/** The background work of the running application: what is due by the calendar, and the queues that wait for work. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppEnvironment, Book } from '../context.ts'
import { createDiskSpaceWatch } from '../db/disk-space.ts'
import { embedded } from '../db/embedded/port.ts'
import { createWriteRecovery } from '../db/embedded/write-recovery.ts'
import { createLoop } from '../domain/concurrency/background-loop.ts'
import type { Background } from '../domain/concurrency/background-loop.ts'
import { listBooks } from '../platform/books/index.ts'
import { checkChainAtStart, createRegistryJobs } from '../registry/index.ts'
import { setRegistryStatus } from '../sales/invoices/index.ts'
import type { OpenedSello } from './environment.ts'
import { createBackupJobs } from './backups/index.ts'
import type { BackupJobs } from './backups/index.ts'
import { pruneExpired, runCalendar } from './calendar.ts'
import { dropArchives } from './leaving/start.ts'

/** Queues that begin once the first requests are answered. */
type Later = 'documents' | 'mail' | 'webhooks' | 'filing' | 'incoming' | 'mailboxes' | 'exchange' | 'portal'

const HOUSEKEEPING_MS = 10 * 60_000
/** Delay of the chain verification and the maintenance, so that the first requests are served first. */
const AFTER_START_MS = 1_000
/** Delay before the modules that draw documents and send mails and events are loaded. */
const BREATH_MS = 50

/** Books of one company: live and test. */
const BOOKS_OF_ONE = 2
/** Returns the books that this installation keeps, without copies of others. */
async function ownBooks(env: AppEnvironment): Promise<Book[]> {
  return (await listBooks(env.store.reader)).filter(({ companyId }) => !env.advised?.has(companyId))
}

/** Runs the scheduled tasks of the calendar and deletes expired data. Reports failures to `say`. */
export async function runMaintenance({ env }: OpenedSello, say: (line: string) => void): Promise<void> {
  await runCalendar(env, await ownBooks(env), say)
  await pruneExpired(env)
}

/** The background work of a running application. */
export interface BackgroundWork {
  backups: BackupJobs
  /** Starts no further run; resolves when the current runs have ended. */
  stop(): Promise<void>
}

/** Starts the background work; from then on `env.wake` reaches it. */
export function startBackground(sello: OpenedSello): BackgroundWork {
  const { env, listeners, log } = sello
  const say = (line: string): void => log({ event: 'background', error: line })
  const sender = createRegistryJobs({ env, onStatus: setRegistryStatus, log: say })
  const writeRecovery = createWriteRecovery(embedded(env.store), say)
  const backups = createBackupJobs({ env, log: say })
  dropArchives(embedded(env.store).folder)
  const diskSpace = createDiskSpaceWatch(
    () => env.store.freeBytes(),
    () => listeners.diskSpace(),
    say,
  )
  let checked = false
  const housekeeping = createLoop({
    name: 'housekeeping',
    gatherMs: AFTER_START_MS,
    pollMs: HOUSEKEEPING_MS,
    log: say,
    run: async () => {
      if (!checked) {
        checked = true
        for (const book of await ownBooks(env)) await checkChainAtStart(sello.ctx(book))
      }
      await runMaintenance(sello, say)
    },
  })
  listeners.sender = () => sender.wake()
  listeners.writeRecovery = () => writeRecovery.wake()
  listeners.calendar = () => housekeeping.wake()
  const all: Background[] = [sender, writeRecovery, housekeeping, backups, diskSpace]
  // Work left by an earlier run.
  for (const one of all) one.wake()
  let isStopping = false
  const begin = (work: Later, one: Background): void => {
    all.push(one)
    listeners[work] = () => one.wake()
    one.wake()
  }
  // One company has no console, and its start loads nothing of it.
  let consoleWork: Promise<void> | null = null
  const beginConsole = (): void => {
    consoleWork ??= import('./console/index.ts').then(({ createConsoleJobs }) => {
      if (isStopping) return
      const jobs = createConsoleJobs({ env, log: say })
      all.push(jobs)
      listeners.bulk = () => jobs.wake()
      jobs.wake()
    })
    consoleWork.catch((error: unknown) => env.report('console', error))
  }
  listeners.bulk = beginConsole
  // The first answer is more urgent than the documents and messages that are waiting.
  const later = pause(BREATH_MS).then(async () => {
    if (isStopping) return
    const [
      { createDocumentJobs },
      { createMailJobs },
      { createWebhookJobs },
      { createFilingJobs },
      { createIncomingJobs },
      sources,
      { createExchangeJobs },
      { createPortalJobs },
    ] = await Promise.all([
      import('../documents/rendering/index.ts'),
      import('../documents/mail/index.ts'),
      import('../platform/webhooks/index.ts'),
      import('../accounting/returns/index.ts'),
      import('../purchases/incoming/index.ts'),
      import('../purchases/incoming/sources/index.ts'),
      import('../integrations/exchange/start.ts'),
      import('../integrations/portal/index.ts'),
    ])
    if (isStopping) return
    begin('documents', createDocumentJobs({ env, log: say }))
    begin('mail', createMailJobs({ env, log: say }))
    begin('webhooks', createWebhookJobs({ env, log: say }))
    begin('filing', createFilingJobs({ env, log: say }))
    begin('incoming', createIncomingJobs({ env, log: say }))
    begin('exchange', createExchangeJobs({ env, log: say }))
    begin('mailboxes', sources.createSourceJobs({ env, log: say }))
    begin('portal', createPortalJobs({ env, log: say }))
    if ((await listBooks(env.store.reader)).length > BOOKS_OF_ONE) beginConsole()
  })
  later.catch((error: unknown) => env.report('background', error))
  return {
    backups,
    stop: async () => {
      isStopping = true
      await later.catch(() => undefined)
      await consoleWork?.catch(() => undefined)
      await Promise.all(all.map((one) => one.stop()))
    },
  }
}
