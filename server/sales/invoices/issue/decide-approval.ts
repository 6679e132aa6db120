/**
 * The person's side of approvals: lists them, shows exactly what would be registered, and performs the step on
 * approval.
 */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../../domain/money.ts'
import { isNif } from '../../../domain/tax/nif.ts'
import { normalizeText } from '../../../domain/text.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { capsUsed } from '../../../platform/api-keys/index.ts'
import { prepare } from '../../../db/query.ts'
import { amendConfirmed } from '../correct/amend.ts'
import type { ApprovalSummary } from './approvals.ts'
import type {
  ApprovalCard,
  ApprovalItem,
  decideApprovalContract,
  getApprovalContract,
  listApprovalsContract,
} from './approvals-contract.ts'
import { cancelConfirmed } from '../correct/cancel.ts'
import { confirmationOf } from './confirmations.ts'
import { examineStep } from './examine-step.ts'
import type { Examined, StepRequest } from './examine-step.ts'
import { readInvoice } from '../read/get.ts'
import { findInvoice } from '../rows.ts'
import { issueConfirmed } from './issue.ts'

const DEFAULT_LIMIT = 50

function items(ctx: Ctx) {
  return ctx.db
    .selectFrom('approvals')
    .innerJoin('api_keys', 'api_keys.id', 'approvals.key_id')
    .selectAll('approvals')
    .select((eb) => [
      'api_keys.id as key_row_id',
      'api_keys.public_id as key_public_id',
      'api_keys.name as key_name',
      'api_keys.prefix as key_prefix',
      'api_keys.assistant as key_assistant',
      'api_keys.revoked_at as key_revoked_at',
      'api_keys.expires_at as key_expires_at',
      eb
        .exists(
          eb
            .selectFrom('approvals as earlier')
            .select('earlier.id')
            .whereRef('earlier.key_id', '=', 'approvals.key_id')
            .where('earlier.status', '=', 'approved'),
        )
        .$castTo<0 | 1>()
        .as('key_is_known'),
    ])
    .where('approvals.book_id', '=', ctx.book.id)
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof items>['execute']>>[number]

/** Returns the state of an approval; an expired one, or one of a revoked key, is not updated in the store. */
function statusOf(row: ItemRow, nowMs: number): ApprovalItem['status'] {
  if (row.status !== 'pending') return row.status
  if (row.expires_at <= nowMs) return 'expired'
  const isKeyGone =
    row.key_revoked_at !== null || (row.key_expires_at !== null && row.key_expires_at <= nowMs)
  return isKeyGone ? 'withdrawn' : 'pending'
}

function itemView(row: ItemRow, nowMs: number): ApprovalItem {
  const { invoiceId, ...invoice } = JSON.parse(row.summary) as ApprovalSummary
  return {
    approvalId: row.public_id,
    action: row.action,
    status: statusOf(row, nowMs),
    channel: row.channel,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    note: row.note,
    contentHash: Buffer.from(row.content_hash).toString('hex'),
    key: {
      id: row.key_public_id,
      name: row.key_name,
      prefix: row.key_prefix,
      assistant: row.key_assistant === 1,
      isNew: row.key_is_known === 0,
    },
    invoice: { id: invoiceId, ...invoice },
  }
}

/** Returns the pending approvals, oldest first, and the decided or expired ones, newest first. */
export const listApprovals: UseCase<typeof listApprovalsContract> = async (ctx, input) => {
  const now = ctx.now().getTime()
  const limit = input.limit ?? DEFAULT_LIMIT
  const open = await items(ctx)
    .where('approvals.status', '=', 'pending')
    .where('approvals.expires_at', '>', now)
    .orderBy('approvals.id')
    .limit(limit)
    .execute()
  const closed = await items(ctx)
    .where((where) =>
      where.or([where('approvals.status', '<>', 'pending'), where('approvals.expires_at', '<=', now)]),
    )
    .orderBy('approvals.id', 'desc')
    .limit(limit)
    .execute()
  const views = open.map((row) => itemView(row, now))
  return {
    waiting: views.filter(({ status }) => status === 'pending'),
    decided: [
      ...views.filter(({ status }) => status !== 'pending'),
      ...closed.map((row) => itemView(row, now)),
    ].slice(0, limit),
  }
}

async function rowOf(ctx: Ctx, publicId: string): Promise<ItemRow> {
  return orNotFound(await items(ctx).where('approvals.public_id', '=', publicId).executeTakeFirst())
}

/** Returns the row of an approval that can still be decided; throws `approval_closed`. */
async function openRow(ctx: Ctx, publicId: string): Promise<ItemRow> {
  const row = await rowOf(ctx, publicId)
  const status = statusOf(row, ctx.now().getTime())
  if (status !== 'pending') throw new AppError('approval_closed', { details: { status } })
  return row
}

async function requestOf(ctx: Ctx, row: ItemRow): Promise<StepRequest> {
  if (row.action !== 'amend') return { action: row.action }
  const { details } = await confirmationOf(ctx, row.token_hash)
  const { AmendChanges } = await import('../contract.ts')
  return { action: 'amend', changes: AmendChanges.parse(JSON.parse(details ?? '{}')) }
}

const issuedBefore = prepare((db, p: { partyId: number; nif: string | null; bookId: number; id: number }) =>
  db
    .selectFrom('parties')
    .innerJoin('invoices', 'invoices.party_id', 'parties.id')
    .select('invoices.id')
    .where('parties.book_id', '=', p.bookId)
    .where((where) => where.or([where('parties.id', '=', p.partyId), where('parties.nif', '=', p.nif)]))
    // Drafts have no number: with this condition SQLite uses the partial index of issued ones.
    .where('invoices.number', 'is not', null)
    .where('invoices.id', '<>', p.id)
    .limit(1),
)

async function capsOf(ctx: Ctx, row: ItemRow, examined: Examined): Promise<ApprovalCard['checks']['caps']> {
  if (row.action !== 'issue') return null
  const used = await capsUsed(ctx, { rowId: row.key_row_id })
  if (!used) return null
  const cents = (euros: number): number => centsFromEuros(euros) ?? Number.POSITIVE_INFINITY
  // A sum of euros as floats would have more decimals than euros have.
  const centsAfter = cents(used.issuedEurToday) + cents(Math.abs(examined.preview.total))
  const within =
    (used.perDay === null || used.issuedToday + 1 <= used.perDay) &&
    (used.eurPerDay === null || centsAfter <= cents(used.eurPerDay))
  return { within, ...used }
}

/** Returns exactly what would be registered now, with its checks. It also works while the store is read-only. */
export const getApproval: UseCase<typeof getApprovalContract> = async (ctx, { id }) => {
  const row = await openRow(ctx, id)
  const item = itemView(row, ctx.now().getTime())
  return readInvoice(ctx, item.invoice.id, async (invoice) => {
    const examined = await examineStep(ctx, item.invoice.id, await requestOf(ctx, row))
    const { hash, faults, preview, lines } = examined
    const before = await issuedBefore.first(ctx.db, {
      bookId: ctx.book.id,
      partyId: invoice.party_id,
      nif: invoice.client_nif,
      id: invoice.id,
    })
    return {
      ...item,
      preview,
      lines,
      issues: faults,
      changed: Buffer.compare(hash, row.content_hash) !== 0,
      checks: {
        knownClient: before !== undefined,
        // A foreign number has no Spanish control letter.
        validNif:
          invoice.client_nif === null || invoice.client_id_type !== null ? null : isNif(invoice.client_nif),
        caps: await capsOf(ctx, row, examined),
      },
    }
  })
}

const settle = prepare(
  (db, p: { id: number; status: 'approved' | 'denied'; at: number; note: string | null }) =>
    db
      .updateTable('approvals')
      .set({ status: p.status, decided_at: p.at, note: p.note })
      .where('id', '=', p.id)
      .where('status', '=', 'pending'),
)

/** Performs the approved step with its pending token; this spends the key's caps and the token. */
async function takeApproved(tx: Ctx, row: ItemRow, invoiceId: string): Promise<void> {
  const invoice = orNotFound(await findInvoice(tx, invoiceId))
  const confirmation = await confirmationOf(tx, row.token_hash)
  if (row.action === 'cancel') return void (await cancelConfirmed(tx, invoice, confirmation))
  if (row.action === 'amend') return void (await amendConfirmed(tx, invoice, confirmation))
  await issueConfirmed(tx, invoice, confirmation, { rowId: row.key_row_id })
}

/**
 * Decides an approval. An approval performs the step in the same transaction; if the step fails, nothing is decided
 * and the error states the cause. Throws `approval_closed` for one that is no longer pending and `confirmation_stale`
 * when another content was shown.
 */
export const decideApproval: UseCase<typeof decideApprovalContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const row = await openRow(tx, input.id)
    const item = itemView(row, now)
    if (input.contentHash !== item.contentHash) throw new AppError('confirmation_stale')
    const status = input.decision === 'approve' ? 'approved' : 'denied'
    const note = input.note ? normalizeText(input.note) : null
    const { changes } = await settle.run(tx.db, { id: row.id, status, at: now, note })
    if (changes !== 1) throw new AppError('approval_closed')
    await recordAudit(tx, {
      action: status === 'approved' ? 'approval.approved' : 'approval.denied',
      target: { type: 'invoice', id: item.invoice.id, label: item.key.name },
    })
    if (status === 'approved') await takeApproved(tx, row, item.invoice.id)
    await emitEvent(tx, 'approval.decided', {
      approvalId: item.approvalId,
      invoiceId: item.invoice.id,
      decision: status,
    })
    return itemView(await rowOf(tx, input.id), now)
  })
