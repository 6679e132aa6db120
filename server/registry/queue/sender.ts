/**
 * Sends the queue to the authority in the order of the chain. Each attempt is stored before anything leaves, and an
 * answer and its consequences commit together. The sealed record never changes; only what is known about it does.
 */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { failpoint } from '../../db/failpoints.ts'
import { track } from '../../domain/concurrency/in-flight.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx } from '../../context.ts'
import { LeaseTable, runNextJob } from '../../platform/jobs/index.ts'
import { recordIdOf } from '../chain/append.ts'
import { isClockAway, provenSkewMs } from '../state/clock.ts'
import type { Outcome, Reading, RegistryWire, SentRecord, Taxpayer } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import type { Authority, Exchange } from './authority.ts'
import { backoffMs, INCIDENT_MS, LAST_BACKOFF_MS, nextSendAt } from './flow.ts'
import { queryInvoice, queryClock, resolveOutcome } from './resolve.ts'
import type { QueryContext, Finding } from './resolve.ts'
import { changeFlow, findFlow, inStatus, mayHaveArrived, openRecords } from './rows.ts'
import type { FlowRow, OpenRecord } from './rows.ts'
import { beginBatch, endBatch, settle, settleAll } from './settle.ts'
import type { BatchEnd, OnStatus, Settlement } from './settle.ts'

interface SenderOptions {
  authority: Authority<unknown>
  issuer: Taxpayer
  onStatus: OnStatus
  /** Source of the back-off jitter, in [0, 1). */
  random?: () => number
}

interface SendResult {
  /** Records whose outcome became known. */
  settled: number
  /** Time of the next work, in milliseconds since 1970; null when nothing waits or sending is suspended. */
  nextAt: number | null
}

/** Interval at which a clock that was far off is compared again. */
const CLOCK_RECHECK_MS = 60_000
const NOTHING: SendResult = { settled: 0, nextAt: null }

/** Books with an exchange in flight. Each book has one sender: two would send, and count, the same records twice. */
const leases = new LeaseTable<number>()

/**
 * Does the next thing the queue asks for: finds out what became of records of unknown outcome, or sends what is due in one
 * message. Does nothing while an exchange of the book is under way.
 */
export async function sendDueRecords(ctx: Ctx, options: SenderOptions): Promise<SendResult> {
  const { store } = ctx.env
  const run = (): Promise<SendResult> => track(store, () => new Turn(ctx, options).run())
  return leases.hold(store, ctx.book.id, run, NOTHING)
}

/** A message whose attempt is written. */
interface Submission {
  records: readonly OpenRecord[]
  /** As the reader of the answer knows them. */
  sent: readonly SentRecord[]
  batchId: number
  message: unknown
  /** The pace before the message. */
  flow: FlowRow
}

/** One turn at the queue: at most one message, after what came before it is known. */
class Turn {
  private readonly ctx: Ctx
  private readonly options: SenderOptions
  private readonly wire: RegistryWire
  private readonly authority: Authority<unknown>
  private readonly asking: QueryContext
  /** When the exchange in progress began, by this computer's clock. */
  private sentAt = 0
  private skewMs: number | null = null
  private settled = 0

  constructor(ctx: Ctx, options: SenderOptions) {
    this.ctx = ctx
    this.options = options
    this.wire = systemOf(ctx.book).wire
    const timed = (send: Authority<unknown>['submit']): Authority<unknown>['submit'] => {
      return (message) => {
        this.sentAt = this.now()
        return send(message)
      }
    }
    const { authority } = options
    this.authority = {
      submit: timed((message) => authority.submit(message)),
      query: timed((message) => authority.query(message)),
    }
    this.asking = {
      authority: this.authority,
      issuer: options.issuer,
      onAnswer: (exchange, presentedAt) => this.measure(exchange, presentedAt),
    }
  }

  async run(): Promise<SendResult> {
    const open = await openRecords(this.ctx, this.wire.maxRecords)
    const flow = await this.paceInTime()
    if (open.length === 0) return this.keepTime(flow)
    const dueAt = nextSendAt(flow, open.length, this.now(), this.wire.maxRecords)
    if (dueAt === null || dueAt > this.now()) return { settled: 0, nextAt: dueAt }
    await runNextJob({
      claim: () => this.claim(open, flow),
      attempt: ({ message }) => this.authority.submit(message),
      settle: (submission, exchange) => this.settleSubmission(submission, exchange),
    })
    return { settled: this.settled, nextAt: await this.nextAt() }
  }

  /**
   * Takes the records at the head of the chain into a message and writes the attempt; null when what came before is still unknown
   * or nothing is left to send.
   */
  private async claim(open: readonly OpenRecord[], flow: FlowRow): Promise<Submission | null> {
    // Only a start after a crash, or a failing disk, leaves records `sending` while nobody sends.
    const unknown = open.filter((record) => record.status !== 'pending')
    const known = await this.resolve(unknown)
    const waiting = unknown.length > 0 ? await openRecords(this.ctx, this.wire.maxRecords) : open
    const most = Math.min(flow.batch_limit, this.wire.maxRecords)
    const next = waiting.filter((record) => record.status === 'pending').slice(0, most)
    if (!known || next.length === 0) return null
    const fitting = this.wire.fitting(
      next.map((record) => ({ kind: record.kind, issueDate: record.issue_date })),
    )
    return this.begin(next.slice(0, fitting), flow)
  }

  private now(): number {
    return this.ctx.now().getTime()
  }

  private async nextAt(): Promise<number | null> {
    const open = await openRecords(this.ctx, this.wire.maxRecords)
    const flow = await findFlow(this.ctx)
    return open.length === 0
      ? this.clockDueAt(flow)
      : nextSendAt(flow, open.length, this.now(), this.wire.maxRecords)
  }

  /** The pace, after a clock that was set back: times to come are counted from now, or a wait of seconds would last for years. */
  private async paceInTime(): Promise<FlowRow> {
    const flow = await findFlow(this.ctx)
    const now = this.now()
    const lastSentAt = flow.last_sent_at === null ? null : Math.min(flow.last_sent_at, now)
    const nextAttemptAt = Math.min(flow.next_attempt_at, now + LAST_BACKOFF_MS)
    if (lastSentAt === flow.last_sent_at && nextAttemptAt === flow.next_attempt_at) return flow
    const changes = { last_sent_at: lastSentAt, next_attempt_at: nextAttemptAt }
    await this.ctx.transaction((tx) => changeFlow(tx, changes))
    return { ...flow, ...changes }
  }

  /**
   * Nothing waits. A clock that was far away at the last answer stops the issue, so that no answer would ever come to tell
   * that it was set right since: the authority is asked for its own.
   */
  private async keepTime(flow: FlowRow): Promise<SendResult> {
    const dueAt = this.clockDueAt(flow)
    if (dueAt === null || dueAt > this.now()) return { settled: 0, nextAt: dueAt }
    await queryClock(this.ctx, this.asking)
    const nextAt = this.now() + CLOCK_RECHECK_MS
    const after = { ...flow, ...this.skew() }
    await this.ctx.transaction(async (tx) => {
      await changeFlow(tx, { ...this.skew(), next_attempt_at: nextAt })
      await emitEvent(tx, 'registry.changed', {})
    })
    return { settled: 0, nextAt: isClockAway(after, this.now()) ? nextAt : null }
  }

  /** When the clocks are to be compared again; null: they were not far apart. */
  private clockDueAt(flow: FlowRow): number | null {
    if (flow.stopped === 1 || !isClockAway(flow, this.now())) return null
    return Math.max(flow.next_attempt_at, Math.min(flow.skew_at ?? 0, this.now()) + CLOCK_RECHECK_MS)
  }

  private measure(exchange: Exchange, presentedAt: string | null): void {
    if (exchange.kind !== 'answered') return
    const theirs = presentedAt === null ? exchange.serverTime : Date.parse(presentedAt)
    if (theirs !== null) this.skewMs = provenSkewMs(theirs, this.sentAt, this.now())
  }

  private skew(): Partial<FlowRow> {
    return this.skewMs === null ? {} : { skew_ms: this.skewMs, skew_at: this.now() }
  }

  /** Asks for each record of unknown outcome, in order. False when the authority could not be asked. */
  private async resolve(records: readonly OpenRecord[]): Promise<boolean> {
    if (!this.wire.canAsk && records.length > 0) {
      // The same bytes leave again, and the answer to them tells; what may have arrived stays in the attempts.
      await this.ctx.transaction((tx) => this.setAll(tx, records, 'pending'))
      return true
    }
    for (const record of records) {
      const finding = await queryInvoice(this.ctx, this.asking, record)
      if (finding.kind === 'failed') {
        await this.ctx.transaction(async (tx) => {
          // A query changes nothing: whatever failed, it can be repeated.
          await settle(tx, this.options.onStatus, { record, status: 'unknown' })
          await this.fail(tx, finding)
        })
        return false
      }
      const settlement = await resolveOutcome(this.ctx, record, finding)
      await this.ctx.transaction(async (tx) => {
        await settle(tx, this.options.onStatus, settlement)
        await changeFlow(tx, { failures: 0, ...this.skew() })
      })
      if (settlement.status !== 'pending') this.settled += 1
    }
    return true
  }

  /** Notes a failure in the pace; one more makes the next try later. */
  private async fail(
    tx: Ctx,
    failure?: Pick<Extract<Finding, { kind: 'failed' }>, 'faultCode' | 'detail' | 'faulted' | 'stops'>,
  ) {
    const { random = Math.random } = this.options
    if (failure?.faulted && failure.stops) return this.stop(tx, failure.faultCode ?? '', failure.detail)
    const failures = (await findFlow(tx)).failures + 1
    await changeFlow(tx, {
      failures,
      next_attempt_at: this.now() + backoffMs(failures, random),
      ...(failure?.faulted ? { fault_code: failure.faultCode, fault_message: failure.detail } : {}),
      ...this.skew(),
    })
  }

  /** The authority suspended us: nothing leaves until a person says so. */
  private async stop(tx: Ctx, code: string, message: string): Promise<void> {
    await changeFlow(tx, { stopped: 1, fault_code: code, fault_message: message, ...this.skew() })
    await emitEvent(tx, 'registry.stopped', { authorityCode: code })
    await recordAudit(tx, { action: 'registry.stopped', code, outcome: 'refused' })
  }

  private async begin(records: readonly OpenRecord[], flow: FlowRow): Promise<Submission> {
    const now = this.now()
    const incident = records.some((record) => now - record.generated_at > INCIDENT_MS)
    const ids = this.wire.canAsk ? [] : records.map(({ id }) => id)
    const arrived = await mayHaveArrived(this.ctx, ids)
    const batchId = await this.ctx.transaction(async (tx) => {
      await changeFlow(tx, { last_sent_at: now })
      return beginBatch(tx, 'submission', records, incident)
    })
    failpoint('sending.attempt_written')
    const texts = records.map((record) => unpackXml(record.xml))
    const message = this.wire.submission(this.options.issuer, texts, { incident })
    const sent = records.map((record, index) => ({
      recordId: recordIdOf(record.sequence),
      kind: record.kind,
      number: record.number ?? '',
      text: texts[index] ?? '',
      mayHaveArrived: arrived.has(record.id),
    }))
    return { records, sent, batchId, message, flow }
  }

  /** Writes what came of a message. */
  private async settleSubmission(
    { records, sent, batchId, flow }: Submission,
    exchange: Exchange,
  ): Promise<void> {
    if (exchange.kind !== 'answered') return this.putBack(records, batchId, flow, exchange)
    const body = this.wire.kept(exchange)
    const reading = this.wire.read(body, { issuer: this.options.issuer, records: sent })
    this.measure(exchange, reading.kind === 'answer' ? reading.presentedAt : null)
    const end = { httpStatus: exchange.status, body }
    if (reading.kind === 'answer' && this.isOurs(reading))
      await this.takeAnswer(records, batchId, flow, reading, end)
    else if (reading.kind === 'refused') await this.takeRefusal(records, batchId, flow, reading, end)
    else
      await this.ctx.transaction(async (tx) => {
        // It settles nothing; the timeline shows what it says.
        const said =
          reading.kind === 'answer'
            ? { outcome: 'unreadable' as const, detail: 'it answers another issuer' }
            : { outcome: reading.outcome, detail: reading.detail }
        await endBatch(tx, batchId, { ...end, ...said })
        await this.setAll(tx, records, 'unknown')
        await this.fail(tx)
      })
  }

  private isOurs({ issuerNif }: Extract<Reading, { kind: 'answer' }>): boolean {
    return issuerNif === null || issuerNif === this.options.issuer.nif
  }

  private async setAll(
    tx: Ctx,
    records: readonly OpenRecord[],
    status: 'pending' | 'unknown',
  ): Promise<void> {
    const settlements = records.map((record) => ({ record, status }))
    await settleAll(tx, this.options.onStatus, settlements)
  }

  /** Nothing came back: back to the queue when it is certain that nothing arrived, else the outcome is unknown. */
  private async putBack(
    records: readonly OpenRecord[],
    batchId: number,
    flow: FlowRow,
    exchange: Exclude<Exchange, { kind: 'answered' }>,
  ): Promise<void> {
    const unsent = exchange.kind === 'not_sent'
    const detail = unsent ? `${exchange.reason}: ${exchange.detail}` : exchange.detail
    await this.ctx.transaction(async (tx) => {
      await endBatch(tx, batchId, { outcome: exchange.kind, detail })
      await this.setAll(tx, records, unsent ? 'pending' : 'unknown')
      // What never left costs no waiting time.
      if (unsent) await changeFlow(tx, { last_sent_at: flow.last_sent_at })
      await this.fail(tx)
    })
  }

  private async takeAnswer(
    records: readonly OpenRecord[],
    batchId: number,
    flow: FlowRow,
    reading: Extract<Reading, { kind: 'answer' }>,
    end: Omit<BatchEnd, 'outcome'>,
  ): Promise<void> {
    const settlements = await this.settlementsOf(records, reading)
    const retry = settlements.some(({ status }) => status === 'pending' || status === 'unknown')
    await this.ctx.transaction(async (tx) => {
      await endBatch(tx, batchId, { ...end, outcome: 'answered' })
      await settleAll(tx, this.options.onStatus, settlements)
      await changeFlow(tx, {
        ...(reading.waitSeconds === null ? {} : { wait_seconds: reading.waitSeconds }),
        failures: 0,
        next_attempt_at: 0,
        batch_limit: Math.min(this.wire.maxRecords, flow.batch_limit * 2),
        fault_code: null,
        fault_message: null,
        ...this.skew(),
      })
      if (retry) await this.fail(tx)
      failpoint('sending.outcome_written')
    })
    failpoint('sending.outcome_committed')
    this.settled += settlements.filter(({ status }) => status !== 'pending' && status !== 'unknown').length
  }

  private async settlementsOf(
    records: readonly OpenRecord[],
    { outcomes, receipt }: Extract<Reading, { kind: 'answer' }>,
  ): Promise<Settlement[]> {
    const lines = new Map(outcomes.map((line) => [line.recordRef, line]))
    const settlements: Settlement[] = []
    for (const record of records) {
      const line = lines.get(recordIdOf(record.sequence))
      const known = line !== undefined && line.operation === record.kind && line.number === record.number
      // A line that is missing or speaks of something else says nothing: the record is asked for.
      settlements.push(known ? await this.settlementOf(record, line, receipt) : { record, status: 'unknown' })
    }
    return settlements
  }

  private async settlementOf(record: OpenRecord, line: Outcome, csv: string | null): Promise<Settlement> {
    const { state: status, code, message } = line
    const told = { record, authorityCode: code, message }
    if (status !== 'rejected') return { ...told, status, csv, csvLost: csv === null }
    switch (line.rejection) {
      case 'again':
        return { ...told, status: 'pending' }
      case 'done':
        return { ...told, status: 'accepted', csvLost: true }
      case 'ours':
        return { record, status: 'accepted', csvLost: true }
      case 'foreign':
        return { ...told, status, heldState: 'active', conflict: record.kind === 'registration' }
      case 'cancelled':
        return { ...told, status, heldState: 'cancelled' }
      case 'taken':
        return this.duplicateOf(record, told)
      case 'final':
        return { ...told, status }
    }
  }

  /**
   * The key is taken. If what is held is our own record, an earlier answer was lost on the way and the record is registered;
   * if it is not, somebody else used the number.
   */
  private async duplicateOf(
    record: OpenRecord,
    told: Pick<Settlement, 'authorityCode' | 'message'>,
  ): Promise<Settlement> {
    const finding = await queryInvoice(this.ctx, this.asking, record)
    if (finding.kind === 'failed') return { record, status: 'unknown' }
    const judged = finding.kind === 'held' ? await resolveOutcome(this.ctx, record, finding) : null
    if (judged && judged.status !== 'pending' && judged.status !== 'rejected') return judged
    // Sent again it would only be refused again: what is held is not ours to overtake without a person's decision.
    return {
      ...told,
      record,
      status: 'rejected',
      heldState: judged?.heldState ?? 'active',
      conflict: record.kind === 'registration',
    }
  }

  /** The message was refused as a whole; nothing of it was taken. */
  private async takeRefusal(
    records: readonly OpenRecord[],
    batchId: number,
    flow: FlowRow,
    { code, message, treatment, retryAfterSeconds }: Extract<Reading, { kind: 'refused' }>,
    end: Omit<BatchEnd, 'outcome'>,
  ): Promise<void> {
    const [only] = records
    const unfit = treatment === 'find_record' && records.length === 1 ? only : undefined
    await this.ctx.transaction(async (tx) => {
      await endBatch(tx, batchId, { ...end, outcome: 'fault', detail: code ?? message })
      if (unfit) {
        await settle(tx, this.options.onStatus, {
          record: unfit,
          status: 'rejected',
          authorityCode: code,
          message,
        })
        return changeFlow(tx, { failures: 0, batch_limit: this.wire.maxRecords, ...this.skew() })
      }
      await this.setAll(tx, records, 'pending')
      if (treatment === 'stop') return this.stop(tx, code ?? '', message)
      if (treatment === 'find_record')
        return changeFlow(tx, {
          batch_limit: Math.ceil(Math.min(flow.batch_limit, records.length) / 2),
          ...this.skew(),
        })
      await this.fail(tx)
      if (retryAfterSeconds !== undefined) {
        const { next_attempt_at: backoff } = await findFlow(tx)
        const asked = Math.min(this.now() + retryAfterSeconds * 1000, this.now() + LAST_BACKOFF_MS)
        await changeFlow(tx, { next_attempt_at: Math.max(backoff, asked) })
      }
      if (treatment === 'hold') {
        if (flow.fault_code !== code)
          await recordAudit(tx, { action: 'registry.refused', code: code ?? 'fault', outcome: 'refused' })
        await changeFlow(tx, {
          fault_code: code ?? '',
          fault_message: message,
          next_attempt_at: this.now() + LAST_BACKOFF_MS,
        })
      }
    })
    if (unfit) this.settled += 1
  }
}

/** After a start: what was on its way when the program stopped has an unknown outcome and is asked for. */
export async function recoverInterrupted(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db
      .updateTable('registry_batches')
      .set({ outcome: 'interrupted', finished_at: tx.now().getTime() })
      .where('book_id', '=', tx.book.id)
      // Not a bound parameter: the planner has to recognize the condition of the index.
      .where(sql<SqlBool>`outcome = 'running'`)
      .execute()
    await tx.db
      .updateTable('registry_submissions')
      .set({ status: 'unknown' })
      .where('book_id', '=', tx.book.id)
      .where(inStatus('sending'))
      .execute()
  })
}

/** Makes the next attempt due now, within the pace that the authority asked for. */
export async function retryNow(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await changeFlow(tx, { next_attempt_at: 0, failures: 0 })
    tx.wake('sender')
  })
}
