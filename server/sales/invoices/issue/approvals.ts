/**
 * Approvals: a person's consent to an irreversible step that a key requests in a live book. It is requested with the
 * validation that gives the token, bound to the same content, and given in the window only; the approval performs the
 * step at once, and the key finds it done when it repeats its request.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx, KeyActor } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { keyFamily } from '../../../platform/api-keys/index.ts'
import { prepare } from '../../../db/query.ts'
import type { Confirmation, ConfirmedAction } from './confirmations.ts'
import type { ValidationResult } from '../contract.ts'
import type { Examined } from './examine-step.ts'

type Approval = NonNullable<ValidationResult['confirmation']>['approval']

/** Limit of pending approvals of one key: nobody would read more. */
const MAX_WAITING = 20
/** Time for which a denial holds for the same content: repeated requests must not win by a mistaken click. */
const REFUSAL_STANDS_MS = 3_600_000
const RETRY_SECONDS = 3

/**
 * True when a person must approve this key's step: always in live books, unless the key has `approval: never` and
 * calls over REST; a person at the window needs no approval.
 */
export function approvalRequired(ctx: Ctx): boolean {
  if (ctx.book.mode === 'test' || ctx.actor.kind !== 'key') return false
  return ctx.actor.approval === 'always' || ctx.channel === 'mcp'
}

/** Data for lists, which stay when the invoice is deleted or changed. */
export interface ApprovalSummary {
  invoiceId: string
  number: string
  clientName: string
  clientNif: string | null
  total: number
}

interface ApprovalRequest {
  keyId: number
  invoiceId: number
  action: ConfirmedAction
}

const lastOf = prepare((db, p: ApprovalRequest) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('invoice_id', '=', p.invoiceId)
    .where('key_id', '=', p.keyId)
    .where('action', '=', p.action)
    .orderBy('id', 'desc')
    .limit(1),
)

const refresh = prepare((db, p: { id: number; tokenHash: Uint8Array; expiresAt: number; summary: string }) =>
  db
    .updateTable('approvals')
    .set({ token_hash: p.tokenHash, expires_at: p.expiresAt, summary: p.summary })
    .where('id', '=', p.id),
)

const withdraw = prepare((db, p: { keyId: number; invoiceId: number; at: number }) =>
  db
    .updateTable('approvals')
    .set({ status: 'withdrawn', decided_at: p.at })
    .where('invoice_id', '=', p.invoiceId)
    .where('key_id', '=', p.keyId)
    .where('status', '=', 'pending'),
)

const close = prepare((db, p: { invoiceId: number; at: number }) =>
  db
    .updateTable('approvals')
    .set({ status: 'withdrawn', decided_at: p.at })
    .where('invoice_id', '=', p.invoiceId)
    .where('status', '=', 'pending'),
)

/** Withdraws the other approvals of an invoice, because it has changed. Runs in the transaction of the step. */
export async function closeApprovals(tx: Ctx, invoiceId: number): Promise<void> {
  await close.run(tx.db, { invoiceId, at: tx.now().getTime() })
}

const waitingOfInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('approvals')
    .select('public_id')
    .where('invoice_id', '=', p.invoiceId)
    .where('status', '=', 'pending'),
)

/**
 * Withdraws the pending approvals of a draft that was changed or deleted: their content no longer exists. The window
 * is notified, and the token of the key becomes stale. Runs in the transaction of the change.
 */
export async function withdrawApprovals(tx: Ctx, invoice: { id: number; public_id: string }): Promise<void> {
  const waiting = await waitingOfInvoice.all(tx.db, { invoiceId: invoice.id })
  if (waiting.length === 0) return
  await closeApprovals(tx, invoice.id)
  for (const { public_id: approvalId } of waiting) {
    await recordAudit(tx, {
      action: 'approval.withdrawn',
      target: { type: 'invoice', id: invoice.public_id },
    })
    await emitEvent(tx, 'approval.decided', {
      approvalId,
      invoiceId: invoice.public_id,
      decision: 'withdrawn',
    })
  }
}

/** Counts the pending approvals of a key and of all keys of the same origin: more keys give no higher limit. */
async function waitingOf(tx: Ctx, actor: KeyActor, now: number): Promise<number> {
  const keyIds = await keyFamily(tx.db, actor.rootId)
  const { count } = await tx.db
    .selectFrom('approvals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('key_id', 'in', keyIds)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

function summaryOf({ row, preview }: Examined): string {
  const summary: ApprovalSummary = {
    invoiceId: row.public_id,
    number: row.number ?? preview.number,
    clientName: row.client_name,
    clientNif: row.client_nif,
    total: preview.total,
  }
  return JSON.stringify(summary)
}

/**
 * Requests an approval, in the transaction that mints the token. Each content has one request: a further token
 * replaces the earlier one in it, and a denial holds for an hour. Throws `approvals_full`.
 */
export async function requestApproval(
  tx: Ctx,
  examined: Examined,
  { action, tokenHash, expiresAt }: { action: ConfirmedAction; tokenHash: Uint8Array; expiresAt: number },
): Promise<Approval> {
  const { actor } = tx
  if (actor.kind !== 'key') throw new Error('Only keys ask for approval.')
  const { row, hash } = examined
  const now = tx.now().getTime()
  const asked: ApprovalRequest = { keyId: actor.rowId, invoiceId: row.id, action }
  const last = await lastOf.first(tx.db, asked)
  const isSame = last !== undefined && Buffer.compare(last.content_hash, hash) === 0
  if (isSame && last.status === 'denied' && (last.decided_at ?? 0) > now - REFUSAL_STANDS_MS)
    return { required: true, status: 'denied', approvalId: last.public_id }
  const summary = summaryOf(examined)
  if (isSame && last.status === 'pending' && last.expires_at > now) {
    await refresh.run(tx.db, { id: last.id, tokenHash, expiresAt, summary })
    return { required: true, status: 'pending', approvalId: last.public_id }
  }
  await withdraw.run(tx.db, { keyId: actor.rowId, invoiceId: row.id, at: now })
  if ((await waitingOf(tx, actor, now)) >= MAX_WAITING)
    throw new AppError('approvals_full', { retryAfterSeconds: 60 })
  const id = tx.newId('apr')
  await tx.db
    .insertInto('approvals')
    .values({
      book_id: tx.book.id,
      public_id: id,
      key_id: actor.rowId,
      channel: tx.channel === 'mcp' ? 'mcp' : 'rest',
      action,
      invoice_id: row.id,
      content_hash: hash,
      token_hash: tokenHash,
      summary,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  await recordAudit(tx, { action: 'approval.asked', target: { type: 'invoice', id: row.public_id } })
  await emitEvent(tx, 'approval.requested', { approvalId: id, invoiceId: row.public_id, step: action })
  return { required: true, status: 'pending', approvalId: id }
}

const byToken = prepare((db, p: { tokenHash: Uint8Array }) =>
  db.selectFrom('approvals').selectAll().where('token_hash', '=', p.tokenHash).orderBy('id', 'desc').limit(1),
)

/**
 * Rejects an unspent token that needs an approval: an approval spends the token itself, so an unspent one has none.
 * Throws `approval_pending` while a person can answer, `approval_unavailable` while no page is open,
 * `approval_denied`, `confirmation_expired`, `confirmation_stale` if the invoice differs from what was shown, or
 * `confirmation_invalid` if no approval was requested. `current` is the invoice as it is now.
 */
export async function refuseUnapproved(
  tx: Ctx,
  confirmation: Confirmation,
  current: () => Promise<{ version: number; hash: Uint8Array }>,
): Promise<void> {
  if (!approvalRequired(tx)) return
  if (tx.now().getTime() >= confirmation.expires_at) throw new AppError('confirmation_expired')
  const approval =
    confirmation.superseded === 1
      ? undefined
      : await byToken.first(tx.db, { tokenHash: confirmation.token_hash })
  if (!approval || approval.status === 'withdrawn') {
    if (await standingRefusal(tx, confirmation)) throw new AppError('approval_denied')
    throw new AppError(approval ? 'confirmation_stale' : 'confirmation_invalid')
  }
  if (approval.status === 'denied') throw new AppError('approval_denied')
  // Nobody can approve a deleted invoice: waiting would never end.
  const { version, hash } = await current()
  if (version !== confirmation.draft_version || Buffer.compare(hash, confirmation.content_hash) !== 0)
    throw new AppError('confirmation_stale')
  const details = { approvalId: approval.public_id }
  if (tx.env.window.pages === 0)
    throw new AppError('approval_unavailable', { details, retryAfterSeconds: 30 })
  throw new AppError('approval_pending', { details, retryAfterSeconds: RETRY_SECONDS })
}

/** True when the content of the token was denied before. */
async function standingRefusal(tx: Ctx, confirmation: Confirmation): Promise<boolean> {
  if (tx.actor.kind !== 'key') return false
  const { invoice_id: invoiceId, action, content_hash: hash } = confirmation
  const last = await lastOf.first(tx.db, { keyId: tx.actor.rowId, invoiceId, action })
  return last?.status === 'denied' && Buffer.compare(last.content_hash, hash) === 0
}

/** Counts the pending approvals, for the badge. */
export async function waitingApprovals(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('approvals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('book_id', '=', ctx.book.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', ctx.now().getTime())
    .executeTakeFirstOrThrow()
  return count
}
