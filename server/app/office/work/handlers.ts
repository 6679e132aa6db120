/** What each kind of background work does for one company, or for the whole installation. */
import { webhookPass } from './webhooks.ts'
import type { AppEnvironment, Book, WorkKind } from '../../../context.ts'
import { documentWork } from '../../../documents/rendering/index.ts'
import { mailWork } from '../../../documents/mail/index.ts'
import { erpWork } from '../../../integrations/erp/index.ts'
import { Lanes } from '../../../platform/jobs/index.ts'
import type { BookWork, DueTime } from '../../../platform/jobs/index.ts'
import { registryWork } from '../../../registry/index.ts'
import { setRegistryStatus } from '../../../sales/invoices/index.ts'
import { pruneExpired, runCalendar } from '../../calendar.ts'
import { exportWork, pruneExports } from '../exports.ts'

/** Kinds of work in the background of an office: events are those of webhooks. */
export type OfficeWorkKind = Exclude<WorkKind, 'events'> | 'pruning'

/** One piece of work: that of a company, or of the installation without books. */
export interface WorkOrder {
  /** Writes only while the lease is held. */
  env: AppEnvironment
  books: readonly Book[]
  /** True if the server that had it before has vanished in the middle. */
  isLeftBehind: boolean
  /** Aborted when the server stops, or the lease is lost. */
  signal: AbortSignal
  log: (line: string) => void
}

type Handler = (order: WorkOrder) => Promise<DueTime>

/** Interval at which expired data is deleted. */
const PRUNE_MS = 10 * 60_000

/** Returns the handler of work that is the same on a desk. */
function ofBooks(name: string, workFor: (order: WorkOrder) => BookWork): Handler {
  return async (order) => {
    const { books, isLeftBehind, signal, log } = order
    const { reclaim, work } = workFor(order)
    if (isLeftBehind) await reclaim?.(books, true)
    const lanes = new Lanes({ name, log, perLane: 1, total: 1, onIdle: () => {} })
    const next = await work(books, { signal, lanes })
    await lanes.quiet()
    return next
  }
}

/** The handlers by kind. */
export const HANDLERS: Readonly<Record<OfficeWorkKind, Handler>> = {
  sender: ofBooks('registry', ({ env, log }) => registryWork({ env, log, onStatus: setRegistryStatus })),
  mail: ofBooks('mail', mailWork),
  documents: ofBooks('documents', documentWork),
  webhooks: webhookPass,
  erp: ofBooks('erp', ({ env }) => erpWork(env)),
  exports: ofBooks('exports', ({ env }) => exportWork(env)),
  calendar: ({ env, books, log, signal }) => runCalendar(env, books, log, signal),
  pruning: async ({ env }) => {
    await pruneExpired(env)
    await pruneExports(env)
    return env.now().getTime() + PRUNE_MS
  },
}
