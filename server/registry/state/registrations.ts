/** Returns the registrations of an invoice with every exchange about them, and the short form for the invoice itself. */
import { environmentOf } from '../../company/index.ts'
import { madridInstant } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import { sanitizeLine } from '../../domain/text.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { recordIdOf } from '../chain/append.ts'
import type { MadeRecord } from '../chain/append.ts'
import type { NextAction, RegistryDetail, registryStatusContract } from '../contract.ts'
import { nextSendAt } from '../queue/flow.ts'
import type { Pace } from '../queue/flow.ts'
import { findFlow, isUnsettled } from '../queue/rows.ts'
import type { CodeMeaning, Marks } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { hexOf, invoiceRowId, latestRecord, recordsOfInvoice } from '../chain/rows.ts'
import type { RecordRow } from '../chain/rows.ts'

type Registration = NonNullable<ContractOutput<typeof registryStatusContract>['registrations']>[number]
type Detail = RegistryDetail

const iso = (at: number) => new Date(at).toISOString()

/** Facts that decide the next step. */
interface Standing {
  status: string
  authority_code: string | null
  conflict: number
  closed: number
}

/** Returns the meaning of an unsettled, faulty or refused record for a person; null when it needs nothing. */
export function meaningFor({ book }: Pick<Ctx, 'book'>, record: Standing): CodeMeaning | null {
  if (record.conflict === 1)
    return {
      code: 'registry_conflict',
      action: record.closed === 1 ? 'none' : 'decide',
      fix: 'Another program has registered this number with other content: decide which of the two stands.',
    }
  return record.authority_code === null ? null : systemOf(book).meaningOf(record.authority_code)
}

/** Returns the one next step for a record. */
export function actionFor(ctx: Pick<Ctx, 'book'>, record: Standing): NextAction {
  if (isUnsettled(record.status)) return 'wait'
  if (record.closed === 1) return 'none'
  return meaningFor(ctx, record)?.action ?? (record.status === 'rejected' ? 'call' : 'none')
}

/** Facts of an invoice that its marks contain. */
interface QrFacts {
  issuerNif: string | null
  number: string | null
  issueDate: BusinessDate | null
  /** ImporteTotal of the record: base, tax, and the cost under a margin scheme. */
  registeredCents: Cents
}

/**
 * Returns what is printed beside an invoice. It follows from facts that are frozen with the invoice, so it is not
 * stored. `link`: what its first record is named by.
 */
function marksOf(ctx: Ctx, facts: QrFacts, link: string): Marks | null {
  const { issuerNif, number, issueDate, registeredCents: totalCents } = facts
  if (!issuerNif || !number || !issueDate) return null
  // Only invoices that the real registry will hold may carry its address.
  const environment = environmentOf(ctx) === 'production' ? 'production' : 'test'
  return systemOf(ctx.book).marks({ environment, issuerNif, number, issueDate, totalCents, link })
}

/** Returns the pace of the queue for a record in it; null for a settled one. */
async function paceFor(ctx: Ctx, record: { status: string }): Promise<Pace | null> {
  return isUnsettled(record.status) ? findFlow(ctx) : null
}

/** Returns the next attempt of the queue, for a record in it. */
function nextAttemptOf(ctx: Ctx, pace: Pace | null): string | undefined {
  if (!pace) return undefined
  const at = nextSendAt(pace, 1, ctx.now().getTime(), systemOf(ctx.book).wire.maxRecords)
  return at === null || at <= ctx.now().getTime() ? undefined : iso(at)
}

/** Returns the registration of an issued invoice for its detail: that of its latest record. */
export async function registryDetail(ctx: Ctx, invoiceId: number, facts: QrFacts): Promise<Detail> {
  const record = orNotFound(await latestRecord(ctx, invoiceId), 'internal')
  return detailOf(ctx, record, facts, await paceFor(ctx, record))
}

/** Returns the same detail for a record that this transaction has just made, mostly without reading it again. */
export async function newRecordDetail(
  ctx: Ctx,
  invoiceId: number,
  { sequence, hash, link, followsLast, chain }: MadeRecord,
  facts: QrFacts,
): Promise<Detail> {
  // A record that is not chained to the one before it shows that one all the same, such as the first of an installation.
  if (!followsLast) return registryDetail(ctx, invoiceId, facts)
  const record: DetailRecord = {
    sequence,
    kind: 'registration',
    hash,
    previous_hash: chain.head_hash,
    first_link: link,
    status: 'pending',
    answered_at: null,
    sent_at: null,
    csv: null,
    authority_code: null,
    message: null,
    conflict: 0,
    closed: 0,
  }
  return detailOf(ctx, record, facts, chain)
}

type DetailRecord = NonNullable<Awaited<ReturnType<typeof latestRecord>>>

function detailOf(ctx: Ctx, record: DetailRecord, facts: QrFacts, pace: Pace | null): Detail {
  const cancelled = record.kind === 'cancellation' && record.status.startsWith('accepted')
  const marks = marksOf(ctx, facts, record.first_link ?? hexOf(record.hash))
  const meaning = meaningFor(ctx, record)
  return {
    status: cancelled ? 'cancelled' : record.status,
    simulated: ctx.book.mode === 'test' ? true : undefined,
    recordId: recordIdOf(record.sequence),
    hash: hexOf(record.hash),
    previousHash: record.previous_hash ? hexOf(record.previous_hash) : undefined,
    qrUrl: marks?.qr,
    identifier: marks?.identifier ?? undefined,
    csv: record.csv ?? undefined,
    sentAt: record.sent_at ? iso(record.sent_at) : undefined,
    answeredAt: record.answered_at ? iso(record.answered_at) : undefined,
    errors: meaning
      ? [
          {
            code: meaning.code,
            fix: meaning.fix,
            action: actionFor(ctx, record),
            authorityCode: record.authority_code ?? '',
            message: record.message ?? '',
          },
        ]
      : [],
    nextAttemptAt: nextAttemptOf(ctx, pace),
  }
}

interface Registered {
  recordId: string
  hash: string
  qrUrl: string
  /** Line above the QR; null or absent where the registry has none. */
  identifier?: string | null
  /** Texts below the QR; absent: those of the first registry. */
  lines?: readonly string[]
  /** The registry that the record belongs to; absent: the first one. */
  registry?: string
  /** In the format of the record itself. */
  generatedAt: string
}

function registeredOf(ctx: Ctx, record: RecordRow): Registered | null {
  const hash = hexOf(record.hash)
  const facts = {
    issuerNif: record.issuer_nif,
    number: record.number,
    issueDate: record.issue_date,
    registeredCents: record.base_cents + record.tax_cents + record.margin_cost_cents,
  }
  const marks = marksOf(ctx, facts, record.link ?? hash)
  if (!marks) return null
  return {
    recordId: recordIdOf(record.sequence),
    hash,
    qrUrl: marks.qr,
    identifier: marks.identifier,
    lines: marks.lines,
    registry: ctx.book.registry,
    generatedAt: madridInstant(new Date(record.generated_at)),
  }
}

/** Returns the first registration of an issued invoice: its document shows this one, whatever records follow. */
export async function firstRegistration(ctx: Ctx, invoiceId: number): Promise<Registered | null> {
  const [record] = await recordsOfInvoice(ctx, invoiceId)
  return record ? registeredOf(ctx, record) : null
}

/** Returns the first registration with its stored text; null if there is none. */
export async function registrationAsStored(
  ctx: Ctx,
  invoiceId: number,
): Promise<(Registered & { xml: string; issuerNif: string | null; issuerName: string }) | null> {
  const [record] = await recordsOfInvoice(ctx, invoiceId)
  const registered = record ? registeredOf(ctx, record) : null
  if (!record || !registered) return null
  const { issuer_nif: issuerNif, issuer_name: issuerName } = record
  return { ...registered, xml: unpackXml(record.xml), issuerNif, issuerName }
}

const SUBMISSION_OUTCOMES = {
  running: 'running',
  answered: 'unknown',
  fault: 'refused',
  unreadable: 'unknown',
  no_answer: 'unknown',
  not_sent: 'not_delivered',
  interrupted: 'unknown',
} as const

async function attemptsOf(ctx: Ctx, record: RecordRow): Promise<Registration['attempts']> {
  const rows = await ctx.db
    .selectFrom('registry_attempts')
    .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
    .select([
      'registry_attempts.attempt',
      'registry_batches.kind',
      'registry_batches.started_at',
      'registry_batches.finished_at',
      'registry_batches.outcome',
      'registry_batches.detail',
    ])
    .where('registry_attempts.record_id', '=', record.id)
    .orderBy('registry_attempts.attempt')
    .execute()
  // After a lost answer a query settled the record, not a submission.
  const settling =
    record.csv_lost === 1
      ? -1
      : rows.findLastIndex((row) => row.kind === 'submission' && row.outcome === 'answered')
  return rows.map((row, index) => {
    const attempt = {
      attempt: row.attempt,
      kind: row.kind,
      startedAt: iso(row.started_at),
      ...(row.finished_at ? { finishedAt: iso(row.finished_at) } : {}),
    }
    if (row.kind === 'query') {
      const answered = row.outcome === 'answered' ? (row.detail === 'held' ? 'held' : 'not_held') : null
      return { ...attempt, outcome: answered ?? SUBMISSION_OUTCOMES[row.outcome] }
    }
    // The batch states only that there was an answer; the answer itself is stored with the record, and belongs to its
    // last exchange.
    const last = index === settling && !isUnsettled(record.status)
    if (last)
      return {
        ...attempt,
        outcome: record.status as 'accepted' | 'accepted_with_errors' | 'rejected',
        ...(record.authority_code ? { authorityCode: record.authority_code } : {}),
        ...(record.message ? { message: record.message } : {}),
      }
    const code = /^\d{4}$/.test(row.detail ?? '') ? row.detail : null
    return {
      ...attempt,
      outcome: SUBMISSION_OUTCOMES[row.outcome],
      ...(code ? { authorityCode: code } : {}),
      ...(row.detail && !code ? { message: row.detail } : {}),
    }
  })
}

/** Returns what the authority holds in place of a record in conflict, read again from its stored answer. */
async function heldInstead(ctx: Ctx, record: RecordRow): Promise<Partial<Pick<Registration, 'held'>>> {
  if (record.conflict === 0) return {}
  const row = await ctx.db
    .selectFrom('registry_attempts')
    .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
    .select('registry_batches.reply')
    .where('registry_attempts.record_id', '=', record.id)
    .where('registry_batches.kind', '=', 'query')
    .where('registry_batches.outcome', '=', 'answered')
    .orderBy('registry_attempts.attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const held =
    row?.reply && record.number !== null
      ? systemOf(ctx.book).wire.heldIn(unpackXml(row.reply), record.number)
      : null
  if (!held) return {}
  return {
    held: {
      kind: held.kind,
      client: sanitizeLine(held.recipients.map(({ name }) => name).join(', ')) || null,
      total: held.total,
      generatedAt: held.generatedAt,
      installation: held.system?.installation ?? null,
      state: held.state === 'Anulado' ? 'cancelled' : 'active',
    },
  }
}

/** Returns every record of an invoice, oldest first. Throws `not_found`. */
export async function registrationsOf(ctx: Ctx, idOrNumber: string): Promise<Registration[]> {
  const invoiceId = orNotFound(await invoiceRowId(ctx, idOrNumber))
  const registrations: Registration[] = []
  for (const record of await recordsOfInvoice(ctx, invoiceId)) {
    const meaning = meaningFor(ctx, record)
    registrations.push({
      recordId: recordIdOf(record.sequence),
      kind: record.kind,
      turn: record.turn as Registration['turn'],
      sequence: record.sequence,
      status: record.status,
      ...(ctx.book.mode === 'test' ? { simulated: true as const } : {}),
      generatedAt: iso(record.generated_at),
      hash: hexOf(record.hash),
      ...(record.previous_hash ? { previousHash: hexOf(record.previous_hash) } : {}),
      ...(record.csv ? { csv: record.csv } : {}),
      ...(record.csv_lost === 1 ? { csvLost: true as const } : {}),
      ...(record.conflict === 1 ? { conflict: true as const } : {}),
      ...(await heldInstead(ctx, record)),
      closed: record.closed === 1,
      ...(record.authority_code ? { authorityCode: record.authority_code } : {}),
      ...(record.message ? { message: record.message } : {}),
      ...(meaning ? { meaning: meaning.code, fix: meaning.fix } : {}),
      action: actionFor(ctx, record),
      ...(record.changes ? { changes: JSON.parse(record.changes) as Registration['changes'] } : {}),
      nextAttemptAt: nextAttemptOf(ctx, await paceFor(ctx, record)),
      attempts: await attemptsOf(ctx, record),
      xml: unpackXml(record.xml),
      untrusted: true,
    })
  }
  return registrations
}
