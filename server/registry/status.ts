/** How the registrations stand: of one invoice, of the book, and the list of records. */
import { environmentOf } from '../company/index.ts'
import { madridInstant } from '../core/dates.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { recordIdOf } from './append.ts'
import { meaningOf } from './wire/codes.ts'
import { unpackXml } from './record/compact.ts'
import { qrUrl } from './record/qr.ts'
import {
  countUnknown,
  findChain,
  headOf,
  hexOf,
  inStatus,
  invoiceRowId,
  openRecords,
  queueFigures,
  recordsOfInvoice,
  settledCounts,
} from './rows.ts'
import type { RecordRow } from './rows.ts'

type Status = OutputOf<'registry.status'>
type Detail = OutputOf<'invoices.get'>['registry']

const iso = (at: number) => new Date(at).toISOString()
const MAX_ATTENTION = 20

function isOpen(status: string): boolean {
  return status === 'pending' || status === 'sending' || status === 'unknown'
}

/** The QR's address follows from facts that are frozen with the invoice, so it is not stored. */
function qrOf(ctx: Ctx, record: RecordRow): string | null {
  const { issuer_nif: issuerNif, number, issue_date: issueDate } = record
  if (!issuerNif || !number || !issueDate) return null
  // A test book, and a sandbox store's live one, must never print an address of the real authority.
  const environment = ctx.book.mode === 'test' || ctx.env.sandbox ? 'test' : 'production'
  return qrUrl(environment, {
    issuerNif,
    number,
    issueDate,
    totalCents: record.base_cents + record.tax_cents,
  })
}

/** The registration of an issued invoice as part of its detail: that of its latest record. */
export async function registryDetail(ctx: Ctx, invoiceId: number): Promise<Detail> {
  const record = found((await recordsOfInvoice(ctx, invoiceId)).at(-1), 'internal')
  const qr = qrOf(ctx, record)
  return {
    status: record.status,
    ...(ctx.book.mode === 'test' ? { simulated: true as const } : {}),
    recordId: recordIdOf(record.sequence),
    hash: hexOf(record.hash),
    ...(record.previous_hash ? { previousHash: hexOf(record.previous_hash) } : {}),
    ...(qr ? { qrUrl: qr } : {}),
    ...(record.csv ? { csv: record.csv } : {}),
    ...(record.sent_at ? { sentAt: iso(record.sent_at) } : {}),
    ...(record.answered_at ? { answeredAt: iso(record.answered_at) } : {}),
    errors: record.authority_code
      ? [
          {
            ...meaningOf(record.authority_code),
            authorityCode: record.authority_code,
            message: record.message ?? '',
          },
        ]
      : [],
    ...(isOpen(record.status) && record.next_attempt_at > 0
      ? { nextAttemptAt: iso(record.next_attempt_at) }
      : {}),
  }
}

/** When the record of an issued invoice was made, in the form the record itself has it. */
export async function registryGeneratedAt(ctx: Ctx, invoiceId: number): Promise<string | null> {
  const record = (await recordsOfInvoice(ctx, invoiceId)).at(-1)
  return record ? madridInstant(new Date(record.generated_at)) : null
}

const OUTCOMES = {
  running: 'running',
  answered: 'accepted',
  fault: 'not_delivered',
  unreadable: 'unknown',
  not_delivered: 'not_delivered',
  interrupted: 'unknown',
} as const

async function attemptsOf(ctx: Ctx, record: RecordRow) {
  const rows = await ctx.db
    .selectFrom('registry_attempts')
    .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
    .select([
      'registry_attempts.attempt',
      'registry_batches.started_at',
      'registry_batches.finished_at',
      'registry_batches.outcome',
    ])
    .where('registry_attempts.record_id', '=', record.id)
    .orderBy('registry_attempts.attempt')
    .execute()
  return rows.map((row, index) => {
    // The batch says that there was an answer; which one stands with the record, and belongs to its last attempt.
    const answered =
      row.outcome === 'answered' &&
      index === rows.length - 1 &&
      !isOpen(record.status) &&
      record.status !== 'cancelled'
    return {
      attempt: row.attempt,
      startedAt: iso(row.started_at),
      ...(row.finished_at ? { finishedAt: iso(row.finished_at) } : {}),
      outcome: answered
        ? (record.status as 'accepted' | 'accepted_with_errors' | 'rejected')
        : OUTCOMES[row.outcome],
      ...(answered && record.authority_code ? { authorityCode: record.authority_code } : {}),
      ...(answered && record.message ? { message: record.message } : {}),
    }
  })
}

async function registrationsOf(ctx: Ctx, publicId: string): Promise<NonNullable<Status['registrations']>> {
  const invoiceId = found(await invoiceRowId(ctx, publicId))
  const registrations: NonNullable<Status['registrations']> = []
  for (const record of await recordsOfInvoice(ctx, invoiceId)) {
    registrations.push({
      recordId: recordIdOf(record.sequence),
      kind: record.kind,
      sequence: record.sequence,
      status: record.status,
      ...(ctx.book.mode === 'test' ? { simulated: true as const } : {}),
      generatedAt: iso(record.generated_at),
      hash: hexOf(record.hash),
      ...(record.previous_hash ? { previousHash: hexOf(record.previous_hash) } : {}),
      ...(record.csv ? { csv: record.csv } : {}),
      ...(record.authority_code
        ? { authorityCode: record.authority_code, fix: meaningOf(record.authority_code).fix }
        : {}),
      ...(record.message ? { message: record.message } : {}),
      ...(isOpen(record.status) && record.next_attempt_at > 0
        ? { nextAttemptAt: iso(record.next_attempt_at) }
        : {}),
      attempts: await attemptsOf(ctx, record),
      xml: unpackXml(record.xml),
    })
  }
  return registrations
}

function troubled(ctx: Ctx) {
  return ctx.db
    .selectFrom('registry_submissions')
    .innerJoin('registry_records', 'registry_records.id', 'registry_submissions.record_id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'invoices.public_id',
      'invoices.number',
      'registry_submissions.authority_code',
      'registry_submissions.message',
    ])
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(inStatus('rejected'))
    .orderBy('registry_submissions.record_id', 'desc')
    .limit(MAX_ATTENTION)
    .execute()
}

async function attentionOf(ctx: Ctx, brokenAt: number | null): Promise<Status['attention']> {
  const attention: Status['attention'] = []
  if (brokenAt !== null)
    attention.push({
      code: 'chain_broken',
      message: `The chain does not verify at record ${brokenAt}.`,
      fix: 'Restore the last good copy; nothing can be issued until then.',
    })
  for (const row of await troubled(ctx)) {
    attention.push({
      code: 'registry_rejected',
      invoiceId: row.public_id,
      ...(row.number ? { number: row.number } : {}),
      message: `${row.number ?? row.public_id}: ${row.message ?? 'rejected'}`,
      fix: meaningOf(row.authority_code ?? '').fix,
    })
  }
  return attention
}

/** The authority's health as far as we have seen it: from our last exchange. */
async function serviceOf(ctx: Ctx): Promise<Status['service']> {
  const last = await ctx.db
    .selectFrom('registry_batches')
    .select(['finished_at', 'outcome'])
    .where('book_id', '=', ctx.book.id)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.finished_at) return { status: ctx.book.mode === 'test' ? 'up' : 'unknown', checkedAt: null }
  const status = last.outcome === 'answered' ? 'up' : last.outcome === 'not_delivered' ? 'down' : 'degraded'
  return { status, checkedAt: iso(last.finished_at) }
}

/** Status of the service, the chain and the queue; with `invoiceId` also that invoice's registrations. */
export const registryStatus: UseCase<ParsedInputOf<'registry.status'>, Status> = async (
  ctx,
  { invoiceId },
) => {
  const chain = await findChain(ctx)
  const queue = await queueFigures(ctx)
  const counts = await settledCounts(ctx)
  return {
    environment: environmentOf(ctx),
    simulated: ctx.book.mode === 'test',
    service: await serviceOf(ctx),
    chain: {
      records: chain.records,
      head: headOf(chain)?.hash ?? null,
      verifiedAt: chain.verified_at === null ? null : iso(chain.verified_at),
      ok: chain.broken_at === null,
    },
    queue: {
      pending: queue.pending,
      ...(queue.oldestAt === null ? {} : { oldestPendingAt: iso(queue.oldestAt) }),
      ...(queue.nextAttemptAt === null ? {} : { nextAttemptAt: iso(queue.nextAttemptAt) }),
    },
    counts: {
      accepted: counts.get('accepted') ?? 0,
      acceptedWithErrors: counts.get('accepted_with_errors') ?? 0,
      rejected: counts.get('rejected') ?? 0,
      unknown: await countUnknown(ctx),
    },
    certificate: { status: 'missing' },
    attention: await attentionOf(ctx, chain.broken_at),
    ...(invoiceId === undefined ? {} : { registrations: await registrationsOf(ctx, invoiceId) }),
  }
}

const DEFAULT_RECORDS = 50

/** Records of the chain, newest first. */
export const listRecords: UseCase<ParsedInputOf<'registry.records'>, OutputOf<'registry.records'>> = async (
  ctx,
  input,
) => {
  const limit = input.limit ?? DEFAULT_RECORDS
  let query = ctx.db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.hash',
      'registry_records.generated_at',
      'registry_submissions.status',
      'registry_submissions.answered_at',
      'registry_submissions.csv',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.next_attempt_at',
      'invoices.public_id',
      'invoices.number',
    ])
    .where('registry_records.book_id', '=', ctx.book.id)
  if (input.before !== undefined) query = query.where('registry_records.sequence', '<', input.before)
  if (input.status) query = query.where(inStatus(input.status))
  const rows = await query
    .orderBy('registry_records.sequence', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    items: shown.map((row) => ({
      recordId: recordIdOf(row.sequence),
      sequence: row.sequence,
      kind: row.kind,
      invoiceId: row.public_id,
      number: row.number ?? '',
      status: row.status,
      generatedAt: iso(row.generated_at),
      answeredAt: row.answered_at === null ? null : iso(row.answered_at),
      hash: hexOf(row.hash),
      csv: row.csv,
      authorityCode: row.authority_code,
      message: row.message,
      nextAttemptAt: isOpen(row.status) && row.next_attempt_at > 0 ? iso(row.next_attempt_at) : null,
    })),
    next: rows.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
  }
}

export interface RegistryFigures {
  accepted: number
  acceptedWithErrors: number
  rejected: number
  pending: number
  chainRecords: number
  lastAnswerAt: number | null
  rejectedInvoices: { invoiceId: string; number: string }[]
}

/** The registry's part of the front page. */
export async function registryFigures(ctx: Ctx): Promise<RegistryFigures> {
  const [counts, chain, queue, service, rejected] = [
    await settledCounts(ctx),
    await findChain(ctx),
    await queueFigures(ctx),
    await serviceOf(ctx),
    await troubled(ctx),
  ]
  return {
    accepted: counts.get('accepted') ?? 0,
    acceptedWithErrors: counts.get('accepted_with_errors') ?? 0,
    rejected: counts.get('rejected') ?? 0,
    pending: queue.pending,
    chainRecords: chain.records,
    lastAnswerAt: service.checkedAt === null ? null : Date.parse(service.checkedAt),
    rejectedInvoices: rejected.map((row) => ({ invoiceId: row.public_id, number: row.number ?? '' })),
  }
}

/** Whether something waits to be sent. */
export async function hasOpenRecords(ctx: Ctx): Promise<boolean> {
  return (await openRecords(ctx, 1)).length > 0
}
