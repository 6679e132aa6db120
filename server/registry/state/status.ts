/**
 * Returns the status of the registry: the service, the chain, the queue and items that need attention; of one invoice
 * on request.
 */
import { certificateState } from '../../company/certificates/index.ts'
import { environmentOf } from '../../company/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { registryStatusContract } from '../contract.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { attentionOf, recordsNeedingAction } from './attention.ts'
import { secondsBehindRecord } from './clock.ts'
import { nextSendAt } from '../queue/flow.ts'
import { systemOf } from '../systems/index.ts'
import { countUnknown, findFlow, queueCounts, settledCounts } from '../queue/rows.ts'
import type { FlowRow } from '../queue/rows.ts'
import { registrationsOf } from './registrations.ts'
import { findChain, headOf } from '../chain/rows.ts'
import type { ChainRow } from '../chain/rows.ts'

type Status = ContractOutput<typeof registryStatusContract>

const iso = (at: number) => new Date(at).toISOString()

/** Returns the authority's health as seen in our last exchange. */
async function serviceOf(ctx: Ctx): Promise<Status['service']> {
  const last = await ctx.db
    .selectFrom('registry_batches')
    .select(['finished_at', 'outcome', 'detail'])
    .where('book_id', '=', ctx.book.id)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.finished_at) return { status: ctx.book.mode === 'test' ? 'up' : 'unknown', checkedAt: null }
  const down = last.outcome === 'not_sent' || last.outcome === 'no_answer'
  const status = last.outcome === 'answered' ? 'up' : down ? 'down' : 'degraded'
  return {
    status,
    checkedAt: iso(last.finished_at),
    ...(status !== 'up' && last.detail ? { detail: last.detail } : {}),
  }
}

/** Returns the number of records in a full message. */
const fullMessage = ({ book }: Ctx): number => systemOf(book).wire.maxRecords

function queueOf(
  ctx: Ctx,
  queue: { pending: number; oldestAt: number | null },
  flow: FlowRow,
): Status['queue'] {
  const nextAt =
    queue.pending === 0 ? null : nextSendAt(flow, queue.pending, ctx.now().getTime(), fullMessage(ctx))
  return {
    pending: queue.pending,
    ...(queue.oldestAt === null ? {} : { oldestPendingAt: iso(queue.oldestAt) }),
    ...(nextAt === null ? {} : { nextAttemptAt: iso(Math.max(nextAt, ctx.now().getTime())) }),
    stopped: flow.stopped === 1,
  }
}

/** Returns the clock as last measured; a clock behind our own last record needs no measurement. */
function clockOf(ctx: Ctx, chain: ChainRow, flow: FlowRow): Pick<Status, 'clock'> {
  const behind = secondsBehindRecord(ctx, chain)
  if (behind > 0) return { clock: { skewSeconds: -behind, checkedAt: iso(ctx.now().getTime()) } }
  if (flow.skew_ms === null || flow.skew_at === null) return {}
  return { clock: { skewSeconds: Math.round(flow.skew_ms / 1000), checkedAt: iso(flow.skew_at) } }
}

/** Returns the status of the service, the chain and the queue; with `invoiceId` also that invoice's registrations. */
export const registryStatus: UseCase<typeof registryStatusContract> = async (ctx, { invoiceId }) => {
  const chain = await findChain(ctx)
  const flow = await findFlow(ctx)
  const queue = await queueCounts(ctx)
  const counts = await settledCounts(ctx)
  return {
    environment: environmentOf(ctx),
    simulated: ctx.book.mode === 'test',
    service: await serviceOf(ctx),
    ...clockOf(ctx, chain, flow),
    installation: chain.installation,
    chain: {
      records: chain.records,
      head: headOf(chain)?.hash ?? null,
      verifiedAt: chain.verified_at === null ? null : iso(chain.verified_at),
      ok: chain.broken_at === null,
      ...(chain.held_for === null ? {} : { held: chain.held_for }),
    },
    queue: queueOf(ctx, queue, flow),
    counts: {
      accepted: counts.get('accepted') ?? 0,
      acceptedWithErrors: counts.get('accepted_with_errors') ?? 0,
      rejected: counts.get('rejected') ?? 0,
      unknown: await countUnknown(ctx),
    },
    certificate: await certificateState(ctx),
    attention: await attentionOf(ctx, { chain, flow, queue }),
    ...(invoiceId === undefined ? {} : { registrations: await registrationsOf(ctx, invoiceId) }),
  }
}

interface RegistryCounts {
  accepted: number
  acceptedWithErrors: number
  rejected: number
  pending: number
  chainRecords: number
  lastAnswerAt: number | null
  rejectedInvoices: { invoiceId: string; number: string }[]
}

/** Returns the registry's part of the dashboard. */
export async function registryCounts(ctx: Ctx): Promise<RegistryCounts> {
  const counts = await settledCounts(ctx)
  const chain = await findChain(ctx)
  const queue = await queueCounts(ctx)
  const service = await serviceOf(ctx)
  const troubled = await recordsNeedingAction(ctx)
  return {
    accepted: counts.get('accepted') ?? 0,
    acceptedWithErrors: counts.get('accepted_with_errors') ?? 0,
    rejected: counts.get('rejected') ?? 0,
    pending: queue.pending,
    chainRecords: chain.records,
    lastAnswerAt: service.checkedAt === null ? null : Date.parse(service.checkedAt),
    rejectedInvoices: troubled.map((row) => ({ invoiceId: row.public_id, number: row.number ?? '' })),
  }
}
