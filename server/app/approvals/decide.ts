/** Decides proposals: each is assessed again when shown and when accepted, and decided once. */
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { decideInboxContract, InboxItem, listInboxContract, openInboxContract } from './contract.ts'
import type { Assessment, ProposalChecks } from './ports.ts'
import { bodyOf, countWaiting, proposals, waiting } from './rows.ts'
import type { Body, ProposalRow } from './rows.ts'
import { itemView, assessmentHash } from './view.ts'

const DEFAULT_LIMIT = 50

/** Lists pending proposals, oldest first, and decided or expired ones, newest first. */
export const listInbox: UseCase<typeof listInboxContract> = async (ctx, input) => {
  const now = ctx.now().getTime()
  const limit = input.limit ?? DEFAULT_LIMIT
  const open = await waiting(ctx).orderBy('proposals.id').limit(limit).execute()
  const decided = await proposals(ctx)
    .where((where) =>
      where.or([where('proposals.status', '<>', 'pending_user'), where('proposals.expires_at', '<=', now)]),
    )
    .orderBy('proposals.id', 'desc')
    .limit(limit)
    .execute()
  return {
    waiting: open.map((row) => itemView(row, now)),
    decided: decided.map((row) => itemView(row, now)),
    count: await countWaiting(ctx),
  }
}

const rowOf = async (ctx: Ctx, id: string): Promise<ProposalRow> =>
  orNotFound(await proposals(ctx).where('proposals.public_id', '=', id).executeTakeFirst())

/** Assesses a proposal now. A missing target is reported like any other blocker. */
async function assessNow({ assess }: ProposalChecks, ctx: Ctx, row: ProposalRow): Promise<Assessment> {
  const { then } = bodyOf(row)
  try {
    return await assess(ctx, then.asked)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message } = error.toBody()
    return {
      ...then,
      effects: [],
      changes: [],
      alternatives: [],
      blockers: [{ code: 'target_gone', message }],
    }
  }
}

type Settled = 'accepted' | 'rejected' | 'not_applicable'
const DEEDS: Record<Settled, string> = {
  accepted: 'proposal.accepted',
  rejected: 'proposal.rejected',
  not_applicable: 'proposal.closed',
}

async function settle(
  tx: Ctx,
  row: ProposalRow,
  status: Settled,
  { note, ...more }: Omit<Body, 'then'> & { note?: string },
): Promise<InboxItem> {
  await tx.db
    .updateTable('proposals')
    .set({
      status,
      decided_at: tx.now().getTime(),
      decision_note: note ? normalizeText(note) : null,
      body: JSON.stringify({ then: bodyOf(row).then, ...more } satisfies Body),
    })
    .where('id', '=', row.id)
    .execute()
  await recordAudit(tx, {
    action: DEEDS[status],
    target: { type: 'proposal', id: row.public_id, label: row.action },
  })
  await emitEvent(tx, 'proposal.decided', { proposalId: row.public_id })
  return itemView(await rowOf(tx, row.public_id), tx.now().getTime())
}

const isOpen = (ctx: Ctx, row: ProposalRow) =>
  row.status === 'pending_user' && row.expires_at > ctx.now().getTime()

/** Returns one proposal with its current assessment; one that can no longer be done is closed with the reason. */
export function openInbox(feasibility: ProposalChecks): UseCase<typeof openInboxContract> {
  return async (ctx, { id }) => {
    const now = ctx.now().getTime()
    const row = await rowOf(ctx, id)
    if (!isOpen(ctx, row)) return itemView(row, now)
    const seen = await assessNow(feasibility, ctx, row)
    if (seen.blockers.length === 0) return itemView(row, now, seen)
    // Assessed again inside the transaction, without concurrent writers, before it is closed.
    return ctx.transaction(async (tx) => {
      const current = await rowOf(tx, id)
      if (!isOpen(tx, current)) return itemView(current, now)
      const last = await assessNow(feasibility, tx, current)
      if (last.blockers.length === 0) return itemView(current, now, last)
      return settle(tx, current, 'not_applicable', { last })
    })
  }
}

/**
 * Records a person's decision. Repeating it returns the first result and does nothing twice; the opposite decision,
 * or one on an expired or changed proposal, is rejected.
 */
export function decideInbox(feasibility: ProposalChecks): UseCase<typeof decideInboxContract> {
  return (ctx, { id, decision, note, seen }) =>
    ctx.transaction(async (tx) => {
      const row = await rowOf(tx, id)
      const status = decision === 'accept' ? 'accepted' : 'rejected'
      if (row.status === status) return itemView(row, tx.now().getTime())
      if (row.status !== 'pending_user')
        throw new AppError('proposal_decided', { details: { id, status: row.status } })
      if (!isOpen(tx, row)) throw new AppError('proposal_expired', { details: { id } })
      const told = note ? { note } : {}
      if (decision === 'reject') return settle(tx, row, status, told)
      const last = await assessNow(feasibility, tx, row)
      if (last.blockers.length > 0) return settle(tx, row, 'not_applicable', { last })
      if (seen !== undefined && seen !== assessmentHash(last))
        throw new AppError('proposal_changed', { details: { id } })
      return settle(tx, row, status, { ...told, last, outcome: await feasibility.accept(tx, last) })
    })
}

/** Returns the number of pending proposals, for the badge. */
export const waitingProposals = (ctx: Ctx): Promise<number> => countWaiting(ctx)
