/** Registry conditions that need a person's attention now, the most serious first; each with one next step. */
import { certificateState } from '../../company/certificates/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { registryStatusContract } from '../contract.ts'
import type { Ctx } from '../../context.ts'
import { recordIdOf } from '../chain/append.ts'
import { clockBehindMessages, clockFaults, secondsBehindRecord } from './clock.ts'
import { LAST_BACKOFF_MS } from '../queue/flow.ts'
import { needsAction } from '../queue/rows.ts'
import type { FlowRow } from '../queue/rows.ts'
import { actionFor, meaningFor } from './registrations.ts'
import type { ChainRow } from '../chain/rows.ts'
import { systemOf } from '../systems/index.ts'
import { english } from '../../domain/errors/messages/en.ts'

type Attention = ContractOutput<typeof registryStatusContract>['attention'][number]

const MAX_RECORDS = 20

/** Returns records that need attention, newest first. */
export function recordsNeedingAction(ctx: Ctx) {
  return ctx.db
    .selectFrom('registry_submissions')
    .innerJoin('registry_records', 'registry_records.id', 'registry_submissions.record_id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'invoices.public_id',
      'invoices.number',
      'registry_records.sequence',
      'registry_records.kind',
      'registry_submissions.status',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.conflict',
      'registry_submissions.closed',
    ])
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(needsAction())
    .orderBy('registry_submissions.record_id', 'desc')
    .limit(MAX_RECORDS)
    .execute()
}

async function ofRecords(ctx: Ctx): Promise<Attention[]> {
  return (await recordsNeedingAction(ctx)).map((row) => {
    const number = row.number ?? row.public_id
    const meaning = meaningFor(ctx, row)
    return {
      code: row.conflict === 1 ? 'registry_conflict' : `registry_${row.status}`,
      invoiceId: row.public_id,
      number,
      recordId: recordIdOf(row.sequence),
      message: `${number}: ${row.message ?? meaning?.fix ?? row.status}`,
      fix: meaning?.fix ?? systemOf(ctx.book).meaningOf('').fix,
      action: actionFor(ctx, row),
      params: {
        number,
        theme: meaning?.code ?? 'other',
        record: row.kind,
        ...(row.authority_code ? { authorityCode: row.authority_code } : {}),
        ...(row.message ? { said: row.message } : {}),
      },
      ...(row.message ? { untrusted: true as const } : {}),
    }
  })
}

function ofChain(chain: ChainRow): Attention[] {
  const found: Attention[] = []
  if (chain.held_for !== null)
    found.push({
      code: 'restored_copy',
      message:
        'These books are an older copy of themselves, or come from another computer; nothing can be issued until you decide.',
      fix: 'Begin a new installation: the authority is asked which numbers were given since.',
      action: 'installation',
    })
  if (chain.broken_at !== null)
    found.push({
      code: 'chain_broken',
      message: `The chain does not verify at record ${chain.broken_at}.`,
      fix: 'Restore the last good copy; nothing can be issued until then.',
      action: 'call',
      params: { sequence: chain.broken_at },
    })
  return found
}

function ofFlow(ctx: Ctx, flow: FlowRow): Attention[] {
  if (flow.fault_code === null) return []
  const meaning = systemOf(ctx.book).meaningOf(flow.fault_code)
  return [
    {
      code: flow.stopped === 1 ? 'sending_suspended' : 'message_refused',
      message: flow.fault_message ?? `The authority refuses every message (${flow.fault_code}).`,
      fix: meaning.fix,
      action: meaning.action,
      params: {
        theme: meaning.code,
        authorityCode: flow.fault_code,
        ...(flow.fault_message ? { said: flow.fault_message } : {}),
      },
    },
  ]
}

/**
 * Returns the item about unsent records: reported from the first failure on, with their number, while anything waits
 * (Orden HAC/1177/2024 art. 16.4).
 */
function ofQueue(ctx: Ctx, queue: { pending: number; oldestAt: number | null }, flow: FlowRow): Attention[] {
  if (queue.pending === 0 || queue.oldestAt === null) return []
  if (ctx.book.mode === 'live' && ctx.env.sandbox && !ctx.env.mockEndpoint)
    return [
      {
        code: 'no_stand_in',
        message: `${queue.pending} records wait: this sandbox has no stand-in for the authority.`,
        fix: 'Start Sello with SELLO_TEST_AUTHORITY_URL and SELLO_TEST_AUTHORITY_CA.',
        action: 'none',
        params: { records: queue.pending },
      },
    ]
  const ageMs = ctx.now().getTime() - queue.oldestAt
  if (flow.failures === 0 && flow.stopped === 0 && ageMs < LAST_BACKOFF_MS) return []
  return [
    {
      code: 'records_unsent',
      message: `${queue.pending} records have not reached the authority yet.`,
      fix: 'Nothing to do while there is no connection: Sello tries again at least every hour.',
      action: 'resend',
      params: { records: queue.pending, since: new Date(queue.oldestAt).toISOString() },
    },
  ]
}

function ofClock(ctx: Ctx, chain: ChainRow, flow: FlowRow): Attention[] {
  const behind = secondsBehindRecord(ctx, chain)
  if (behind > 0)
    return [
      {
        code: 'clock_was_ahead',
        ...clockBehindMessages(ctx, chain),
        action: 'installation',
        params: { seconds: -behind, madeAt: new Date(chain.head_generated_at ?? 0).toISOString() },
      },
    ]
  return clockFaults(ctx, flow).map(({ code, message, fix, params }) => ({
    code,
    message,
    fix: fix ?? '',
    action: 'clock' as const,
    ...(params ? { params } : {}),
  }))
}

async function ofCertificate(ctx: Ctx): Promise<Attention[]> {
  if (ctx.book.mode !== 'live') return []
  const { status, daysLeft, expiresOn } = await certificateState(ctx)
  if (status === 'ok') return []
  const said = {
    missing: 'The company has no certificate: records wait until one is imported.',
    expired: 'The certificate has expired: records wait until a new one is imported.',
    expiring: `The certificate expires in ${daysLeft ?? 0} days.`,
  }[status]
  return [
    {
      code: `certificate_${status}`,
      message: said,
      fix: status === 'missing' ? 'Import the certificate.' : english.certificate_expired.next,
      action: 'certificate',
      ...(daysLeft === undefined ? {} : { params: { daysLeft, ...(expiresOn ? { expiresOn } : {}) } }),
    },
  ]
}

/** Returns everything that needs a person, the most serious first. */
export async function attentionOf(
  ctx: Ctx,
  known: { chain: ChainRow; flow: FlowRow; queue: { pending: number; oldestAt: number | null } },
): Promise<Attention[]> {
  return [
    ...ofChain(known.chain),
    ...ofFlow(ctx, known.flow),
    ...ofQueue(ctx, known.queue, known.flow),
    ...(await ofCertificate(ctx)),
    ...ofClock(ctx, known.chain, known.flow),
    ...(await ofRecords(ctx)),
  ]
}
