/**
 * The background work of one server of an office. Any server does any work: it takes what is due, holds a lease while it
 * works, and gives it back with the time of the next work. Servers tell each other about new work, and look by the clock
 * because a message may be lost.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppEnvironment } from '../../../context.ts'
import { createLoop } from '../../../domain/concurrency/background-loop.ts'
import { INSTALLATION, LeaseLost } from '../../../db/postgres/tables/due-work.ts'
import type { DueWork, TakenWork, WorkFigures } from '../../../db/postgres/tables/due-work.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import { companyBooks, messageOf } from '../../../platform/jobs/index.ts'
import type { OpenedOffice } from '../application.ts'
import { fenced } from './fence.ts'
import { figuresOf } from './figures.ts'
import { HANDLERS } from './handlers.ts'
import type { OfficeWorkKind } from './handlers.ts'

/** All kinds of work, as `office serve --work` names them. */
export const OFFICE_WORK_KINDS = Object.keys(HANDLERS) as readonly OfficeWorkKind[]

/** Time after which a server that says nothing is taken for gone. */
const LEASE_MS = 30_000
/** How often leases are prolonged: two prolongations may fail before one is lost. */
const RENEW_MS = 9_000
/** Time to gather new work before a look. */
const GATHER_MS = 20
/** Longest time between two looks: what is relied on when no message comes. */
const POLL_MS = 3_000
/** Pieces of work of one server at the same time. */
const AT_ONCE = 8
/** Drawing and packing keep a processor busy: more of it at once only takes longer. */
const HEAVY_AT_ONCE = 2
const HEAVY: readonly string[] = ['documents', 'bulk']
/** Wait after work that failed as a whole, such as in a database that cannot be reached. */
const AFTER_FAILURE_MS = 30_000

export interface OfficeWorkOptions {
  /** The kinds that this server does. */
  kinds?: readonly OfficeWorkKind[]
  log: (line: string) => void
  /** Length of a lease, and time between looks, in tests. */
  leaseMs?: number
  pollMs?: number
}

/** What a commit of this server can make due. */
const WAKING = [
  'sender',
  'documents',
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
] as const

export interface OfficeWork {
  /** Says that work has become due. */
  wake(): void
  /** Takes nothing more, ends what is under way and gives it back. */
  stop(): Promise<void>
}

interface Running {
  taken: TakenWork
  abort: AbortController
  /** When the lease ends by this process's own steady clock, in milliseconds. */
  endsAt: number
  ended: Promise<void>
}

/** Starts the background work of a server; from then on what it commits wakes it. */
export async function startOfficeWork(sello: OpenedOffice, options: OfficeWorkOptions): Promise<OfficeWork> {
  const { env, dueWork, listeners } = sello
  const { kinds = OFFICE_WORK_KINDS, log } = options
  const server = new WorkingServer(sello, options)
  if (kinds.includes('calendar')) await dueWork.ensure('calendar', 'all', env.now().getTime())
  if (kinds.includes('summaries')) await dueWork.ensure('summaries', 'installation', env.now().getTime())
  if (kinds.includes('pruning')) await dueWork.ensure('pruning', 'installation', env.now().getTime())
  const loop = createLoop({
    name: 'office',
    gatherMs: GATHER_MS,
    pollMs: options.pollMs ?? POLL_MS,
    log,
    run: () => server.look(),
  })
  server.onIdle = () => loop.wake()
  const renewing = setInterval(
    () => void server.renew(),
    (options.leaseMs ?? LEASE_MS) * (RENEW_MS / LEASE_MS),
  )
  renewing.unref()
  for (const kind of WAKING) listeners[kind] = () => loop.wake()
  loop.wake()
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      await server.stop()
      clearInterval(renewing)
    },
  }
}

class WorkingServer {
  onIdle: () => void = () => {}
  private readonly env: AppEnvironment
  private readonly dueWork: DueWork
  private readonly kinds: readonly OfficeWorkKind[]
  private readonly log: (line: string) => void
  private readonly leaseMs: number
  private readonly running = new Map<number, Running>()
  private stopped = false

  constructor(
    { env, dueWork }: OpenedOffice,
    { kinds = OFFICE_WORK_KINDS, log, leaseMs = LEASE_MS }: OfficeWorkOptions,
  ) {
    this.env = env
    this.dueWork = dueWork
    this.kinds = kinds
    this.log = log
    this.leaseMs = leaseMs
  }

  /** Takes what is due, as far as there is room. Returns in how many milliseconds more is due. */
  async look(): Promise<number | void> {
    for (;;) {
      const kinds = this.kinds.filter((kind) => this.roomFor(kind) > 0)
      const limit = Math.min(AT_ONCE - this.running.size, ...kinds.map((kind) => this.roomFor(kind)))
      // The end of a piece of work is the next look.
      if (this.stopped || kinds.length === 0 || limit <= 0) return
      const now = this.env.now().getTime()
      const asked = performance.now()
      const taken = await this.dueWork.take(kinds, { now, until: now + this.leaseMs, limit })
      for (const one of taken) this.begin(one, asked + this.leaseMs)
      if (taken.length > 0) continue
      const next = await this.dueWork.nextAt(kinds)
      return next === null ? undefined : Math.max(0, next - this.env.now().getTime())
    }
  }

  private roomFor(kind: OfficeWorkKind): number {
    if (!HEAVY.includes(kind)) return AT_ONCE
    let sameKind = 0
    for (const { taken } of this.running.values()) if (taken.kind === kind) sameKind += 1
    return HEAVY_AT_ONCE - sameKind
  }

  private begin(taken: TakenWork, endsAt: number): void {
    const abort = new AbortController()
    const ended = this.perform(taken, abort.signal).finally(() => {
      this.running.delete(taken.lease)
      this.onIdle()
    })
    this.running.set(taken.lease, { taken, abort, endsAt, ended })
  }

  private async perform(taken: TakenWork, signal: AbortSignal): Promise<void> {
    const { env, log } = this
    const { companyId, kind, isLeftBehind } = taken
    let next: number | null
    let figures: WorkFigures | null = null
    try {
      const books =
        companyId === INSTALLATION ? [] : await booksOfCompany(env.store.readerOf(companyId), companyId)
      const own = fenced(env, taken)
      const company = companyBooks(own, companyId, books)
      next = await HANDLERS[kind as OfficeWorkKind]({ env: own, company, isLeftBehind, signal, log })
      figures = await figuresOf(kind as OfficeWorkKind, company, env.now().getTime())
      if (signal.aborted) next = env.now().getTime()
    } catch (error) {
      if (error instanceof LeaseLost) return log(`${kind}: another server has taken over`)
      log(`${kind}: ${messageOf(error)}`)
      next = env.now().getTime() + (this.stopped ? 0 : AFTER_FAILURE_MS)
    }
    try {
      if (!(await this.dueWork.giveBack(taken, { next, now: env.now().getTime(), figures })))
        log(`${kind}: another server has taken over`)
    } catch (error) {
      // The lease ends by itself, and the work is looked at again.
      log(`${kind}: ${messageOf(error)}`)
    }
  }

  /** Prolongs the leases of what is under way, and cuts off what was lost. */
  async renew(): Promise<void> {
    if (this.running.size === 0) return
    const asked = performance.now()
    // A server that stood still longer than its leases must not go on with what others have taken over.
    for (const { abort, endsAt } of this.running.values()) if (asked > endsAt) abort.abort()
    const leases = [...this.running.keys()]
    try {
      const held = await this.dueWork.renew(leases, this.env.now().getTime() + this.leaseMs)
      for (const lease of leases) {
        const one = this.running.get(lease)
        if (!one) continue
        if (held.has(lease)) one.endsAt = asked + this.leaseMs
        else one.abort.abort()
      }
    } catch (error) {
      this.log(`office: ${messageOf(error)}`)
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    for (const { abort } of this.running.values()) abort.abort()
    while (this.running.size > 0) {
      await Promise.all([...this.running.values()].map(({ ended }) => ended))
      await pause(0)
    }
  }
}
