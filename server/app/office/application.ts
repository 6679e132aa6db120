/** Composes the application of an office: the same services over PostgreSQL, in any number of servers. */
import type { AppEnvironment, WorkKind } from '../../context.ts'
import { noteDue } from '../../db/postgres/tables/due-work.ts'
import type { DueWork } from '../../db/postgres/tables/due-work.ts'
import { DatabaseClock } from '../../db/postgres/clock.ts'
import { createPools, openOfficeStore } from '../../db/postgres/store.ts'
import type { Bucket } from '../../db/postgres/objects/bucket.ts'
import type { StoreObserver } from '../../db/postgres/observer.ts'
import type { OfficePools } from '../../db/postgres/store.ts'
import { isSandbox } from '../../db/sandbox.ts'
import { keepExportsIn } from '../../documents/rendering/start.ts'
import { createLog } from '../../platform/log.ts'
import { composeEnvironment, openedSello } from '../environment.ts'
import type { EnvironmentOptions, OpenedSello } from '../environment.ts'
import { officeExports } from './exports.ts'
import type { OfficeWorkKind } from './background/handlers.ts'
import { forgetCachedKeys } from '../../platform/api-keys/index.ts'
import { PeopleOfOffice } from '../people/index.ts'
import { joinServers } from './servers.ts'

export interface OfficeOptions extends EnvironmentOptions {
  /** Where the database is: `postgresql://user@host/name`. */
  url: string
  /** Key of the sealed columns: 32 bytes. */
  masterKey: Buffer
  /** Most connections of this process that write, and most that read. */
  connections?: number
  pools?: OfficePools | undefined
  /** Where documents of more than 64 kB are (`openBucket`); undefined: in the database. It is closed with the office. */
  bucket?: Bucket | undefined
  /** Longest document in the database, in bytes, for tests. */
  inRowAtMost?: number | undefined
  /** Also writes for companies that are being moved: for the move itself. */
  writesAway?: boolean
  /** Told what the store does, to measure it. */
  observer?: StoreObserver | undefined
  log?: ((line: string) => void) | undefined
  /** Replaces the database's clock in tests. */
  now?: () => Date
  /** Replaces this computer's clock in tests, by which the time between two readings of the database's is measured. */
  monotonicMs?: () => number
}

/** What a commit of one server can make due on another one. */
const WORKS: readonly WorkKind[] = [
  'sender',
  'documents',
  'events',
  'mail',
  'webhooks',
  'erp',
  'exports',
  'filing',
  'incoming',
  'mailboxes',
  'exchange',
  'portal',
  'bulk',
  'calendar',
]

/** Events are passed on by the work of webhooks. */
function officeKindOf(kind: WorkKind): OfficeWorkKind {
  return kind === 'events' ? 'webhooks' : kind
}

/** An open office, with what is due in its background. */
export interface OpenedOffice extends OpenedSello {
  dueWork: DueWork
}

/** Connects to the database of an office. Throws `AppError`s of the store. */
export async function openOffice(
  options: OfficeOptions,
  loadContracts: AppEnvironment['loadContracts'],
): Promise<OpenedOffice> {
  const clock = options.now ? null : new DatabaseClock(options.monotonicMs)
  const now = options.now ?? (() => clock!.now())
  const log = createLog(options.log ?? (() => {}), now)
  const { url, masterKey, connections, bucket, inRowAtMost, writesAway, observer } = options
  const pools = options.pools ?? createPools({ url, ...(connections === undefined ? {} : { connections }) })
  const endPools = async (): Promise<void> => {
    if (!options.pools) await Promise.all([pools.writers.end(), pools.readers.end()])
  }
  const store = await openOfficeStore({
    url,
    masterKey,
    now,
    clock,
    pools,
    bucket,
    inRowAtMost,
    writesAway,
    observer,
  }).catch(async (error: unknown) => {
    await endPools()
    throw error
  })
  const report = (work: string, error: unknown): void =>
    log({ event: 'background', error: `${work}: ${String(error)}` })
  const servers = joinServers({ url, pools, report })
  const close = async (): Promise<void> => {
    await servers.close()
    store.close()
    await endPools()
  }
  try {
    const sandbox = await isSandbox(store.reader)
    const composed = composeEnvironment({
      ...options,
      loadContracts,
      store,
      servers,
      sandbox,
      log,
      now,
      onWake: (work, companyId) => servers.tell(work, companyId),
    })
    const { env, listeners } = composed
    const people = new PeopleOfOffice(env, options.monotonicMs)
    env.people = people
    env.noteDue = (db, companyId, kinds) =>
      noteDue(db, companyId, [...new Set(kinds.map(officeKindOf))], now().getTime())
    keepExportsIn(env, officeExports)
    for (const work of WORKS) servers.onTold(work, (companyId) => listeners[work](companyId ?? undefined))
    servers.onTold('keys', () => forgetCachedKeys(env))
    servers.onTold('people', () => people.forget())
    servers.onTold('presence', (companyId) => people.onPresence(companyId))
    return { ...openedSello(composed, log, close), dueWork: store.dueWork }
  } catch (error) {
    await close()
    throw error
  }
}
