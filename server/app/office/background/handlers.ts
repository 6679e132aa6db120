/** What each kind of background work does for one company, or for the whole installation. */
import { webhookPass } from './webhooks.ts'
import { createSystemCtx } from '../../../context.ts'
import type { AppEnvironment, WorkKind } from '../../../context.ts'
import { filingWork } from '../../../accounting/returns/index.ts'
import { exchangeWork } from '../../../integrations/exchange/start.ts'
import { documentWork } from '../../../documents/rendering/index.ts'
import { mailWork } from '../../../documents/mail/index.ts'
import { erpWork } from '../../../integrations/erp/index.ts'
import { portalWork } from '../../../integrations/portal/index.ts'
import { Lanes } from '../../../platform/jobs/index.ts'
import type { BookWork, CompanyBooks, DueTime } from '../../../platform/jobs/index.ts'
import { incomingWork } from '../../../purchases/incoming/index.ts'
import { mailboxWork } from '../../../purchases/incoming/sources/index.ts'
import { checkChainAtStart, guardBook, registryWork } from '../../../registry/index.ts'
import { setRegistryStatus } from '../../../sales/invoices/index.ts'
import { pruneExpired, runCalendar } from '../../calendar.ts'
import { removeOutside } from '../../companies/index.ts'
import { bulkWork, summaryPass } from '../../console/index.ts'
import { sweepObjects } from '../../maintenance/sweep-objects.ts'
import { exportWork, pruneExports } from '../exports.ts'

/** Kinds of work in the background of an office: events are those of webhooks. */
export type OfficeWorkKind = Exclude<WorkKind, 'events'> | 'pruning' | 'summaries'

/** One piece of work: that of a company, or of the installation, which has no books. */
export interface WorkOrder {
  /** Writes only while the lease is held. */
  env: AppEnvironment
  company: CompanyBooks
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
function companyHandler(workFor: (order: WorkOrder) => BookWork): Handler {
  return async (order) => {
    const { company, isLeftBehind, signal, log } = order
    const { name, reclaim, work } = workFor(order)
    if (isLeftBehind) await reclaim?.(company, true)
    const lanes = new Lanes({ name, log, perLane: 1, total: 1, onIdle: () => {} })
    const next = await work(company, { signal, lanes })
    await lanes.quiet()
    return next
  }
}

/** What the day asks, and a look at what is kept outside the database. */
async function calendar({ env, company, log, signal }: WorkOrder): Promise<DueTime> {
  // Rows of a restored database are older than what it wrote outside.
  for (const book of company.books) {
    const ctx = createSystemCtx(env, book)
    await guardBook(ctx)
    await checkChainAtStart(ctx)
  }
  const next = await runCalendar(env, company.books, log, signal)
  const [first] = company.books
  for (let after: string | null | undefined; first && after !== null && !signal.aborted;)
    ({ after } = await sweepObjects(createSystemCtx(env, first), after ?? null))
  return next
}

/** The handlers by kind. */
export const HANDLERS: Readonly<Record<OfficeWorkKind, Handler>> = {
  sender: companyHandler(({ env, log }) => registryWork({ env, log, onStatus: setRegistryStatus })),
  mail: companyHandler(mailWork),
  documents: companyHandler(documentWork),
  webhooks: webhookPass,
  erp: companyHandler(({ env }) => erpWork(env)),
  exports: companyHandler(({ env }) => exportWork(env)),
  filing: companyHandler(filingWork),
  incoming: companyHandler(incomingWork),
  exchange: companyHandler(({ env, log }) => exchangeWork({ env, log })),
  mailboxes: companyHandler((order) => mailboxWork(order)),
  portal: companyHandler(portalWork),
  bulk: companyHandler(({ env }) => bulkWork(env)),
  summaries: ({ env, log, signal }) => summaryPass(env, log, signal),
  calendar,
  pruning: async ({ env }) => {
    await pruneExpired(env)
    await pruneExports(env)
    await removeOutside(env)
    return env.now().getTime() + PRUNE_MS
  },
}
