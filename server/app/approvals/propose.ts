/** Creates proposals: an assistant's suggestion is assessed and stored for a person. Nothing is executed here. */
import { recordAudit } from '../../platform/audit/index.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import type { proposeActionContract } from './contract.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { keyFamily } from '../../platform/api-keys/index.ts'
import type { ActionRequest, Assessment, ProposalChecks } from './ports.ts'
import { requestOf } from './params.ts'
import { bodyOf, countWaiting, proposals, waiting } from './rows.ts'
import type { Body, ProposalRow } from './rows.ts'
import { proposalView } from './view.ts'

const LIFE_MS = 7 * 24 * 3_600_000
const MAX_WAITING = 20

/** Returns a pending proposal with the same request, by any caller. */
async function sameWaiting(ctx: Ctx, asked: ActionRequest): Promise<ProposalRow | undefined> {
  const rows = await waiting(ctx)
    .where('proposals.action', '=', asked.action)
    .where('proposals.target_id', asked.targetId === null ? 'is' : '=', asked.targetId)
    .execute()
  const question = canonicalJson(asked)
  return rows.find((row) => canonicalJson(bodyOf(row).then.asked) === question)
}

async function keep(
  tx: Ctx,
  assessment: Assessment,
  { keyRowId, reason }: { keyRowId: number | null; reason: string },
): Promise<string> {
  const id = tx.newId('prop')
  const now = tx.now().getTime()
  const { asked, blockers } = assessment
  const body: Body = { then: assessment }
  await tx.db
    .insertInto('proposals')
    .values({
      book_id: tx.book.id,
      public_id: id,
      key_id: keyRowId,
      status: blockers.length > 0 ? 'not_applicable' : 'pending_user',
      action: asked.action,
      target_id: asked.targetId,
      reason: normalizeText(reason),
      body: JSON.stringify(body),
      created_at: now,
      expires_at: now + LIFE_MS,
      decided_at: null,
      decision_note: null,
    })
    .execute()
  await recordAudit(tx, {
    action: 'proposal.created',
    target: { type: 'proposal', id, label: asked.action },
  })
  await emitEvent(tx, 'proposal.created', { proposalId: id })
  return id
}

/** Stores a proposal for a person to decide; returns the existing one when it is pending already. */
export function proposeAction({ assess }: ProposalChecks): UseCase<typeof proposeActionContract> {
  return (ctx, input) =>
    ctx.transaction(async (tx) => {
      const assessment = await assess(tx, await requestOf(input))
      const now = tx.now().getTime()
      const same = await sameWaiting(tx, assessment.asked)
      if (same) return proposalView(same, now)
      const keyRowId = tx.actor.kind === 'key' ? tx.actor.rowId : null
      // Counted over all keys of the same family, so that more keys do not raise the limit.
      const family = tx.actor.kind === 'key' ? await keyFamily(tx.db, tx.actor.rootId) : null
      if (family !== null && (await countWaiting(tx, family)) >= MAX_WAITING)
        throw new AppError('proposals_full', { retryAfterSeconds: 3600 })
      const id = await keep(tx, assessment, { keyRowId, reason: input.reason })
      return proposalView(
        orNotFound(await proposals(tx).where('proposals.public_id', '=', id).executeTakeFirst()),
        now,
      )
    })
}
