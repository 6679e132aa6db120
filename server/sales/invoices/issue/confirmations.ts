/**
 * Confirmation tokens: single use, ten minutes, bound to the caller, the action, the invoice, its version and the
 * content shown.
 */
import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/query.ts'
import { prepare } from '../../../db/query.ts'

export const CONFIRMATION_LIFE_MS = 10 * 60_000
/** Used tokens are stored so that a call repeated after a lost answer is recognized. */
const KEEP_MS = 7 * 24 * 3_600_000
const PREFIX = 'svct_'
const TOKEN_BYTES = 32

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Owner of a token: the key or the person that requested it. */
const holderOf = (ctx: Ctx): string => ctx.actor.id

/** Actions of a token. A token for one never works for another. */
export type ConfirmedAction = 'issue' | 'cancel' | 'amend'

interface NewConfirmation {
  action: ConfirmedAction
  invoiceId: number
  version: number
  /** Hash of everything that the step would make true. */
  contentHash: Uint8Array
  /** JSON of the data that the step needs besides the invoice; null for none. */
  details: string | null
}

const supersede = prepare((db, p: { invoiceId: number; actor: string }) =>
  db
    .updateTable('confirmations')
    .set({ superseded: 1 })
    .where('invoice_id', '=', p.invoiceId)
    .where('actor', '=', p.actor)
    .where('used_at', 'is', null),
)

const insert = prepare(
  (
    db,
    p: {
      tokenHash: Uint8Array
      bookId: number
      actor: string
      action: ConfirmedAction
      invoiceId: number
      version: number
      contentHash: Uint8Array
      details: string | null
      createdAt: number
      expiresAt: number
    },
  ) =>
    db.insertInto('confirmations').values({
      token_hash: p.tokenHash,
      book_id: p.bookId,
      actor: p.actor,
      action: p.action,
      invoice_id: p.invoiceId,
      draft_version: p.version,
      content_hash: p.contentHash,
      details: p.details,
      created_at: p.createdAt,
      expires_at: p.expiresAt,
    }),
)

/** Mints a token and stores only its hash. An earlier unused one of the same owner and invoice stops working. */
export async function mintConfirmation(
  ctx: Ctx,
  confirmation: NewConfirmation,
): Promise<{ token: string; tokenHash: Buffer; expiresAt: number }> {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = ctx.now().getTime()
  const expiresAt = createdAt + CONFIRMATION_LIFE_MS
  const actor = holderOf(ctx)
  const tokenHash = hashOf(token)
  await supersede.run(ctx.db, { invoiceId: confirmation.invoiceId, actor })
  await insert.run(ctx.db, {
    ...confirmation,
    tokenHash,
    bookId: ctx.book.id,
    actor,
    createdAt,
    expiresAt,
  })
  return { token, tokenHash, expiresAt }
}

const byHash = prepare((db, p: { tokenHash: Uint8Array }) =>
  db
    .selectFrom('confirmations')
    .selectAll()
    // Most invoices have none, and closing them costs a statement.
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('approvals')
            .select('approvals.id')
            .whereRef('approvals.invoice_id', '=', 'confirmations.invoice_id')
            .where('approvals.status', '=', 'pending'),
        )
        .$castTo<0 | 1>()
        .as('has_approvals'),
    )
    .where('token_hash', '=', p.tokenHash),
)

export type Confirmation = NonNullable<Awaited<ReturnType<typeof byHash.first>>>

/**
 * Returns the confirmation of a token, for this owner, invoice and action. Unknown and foreign tokens, and those of
 * another invoice or action, get the same answer, so that nobody learns which tokens exist. A used one is returned
 * too: the caller decides whether it is a repetition.
 */
export async function findConfirmation(
  ctx: Ctx,
  token: string,
  of: { invoiceId: number; action: ConfirmedAction },
): Promise<Confirmation> {
  return confirmationFor(ctx, await readConfirmation(ctx, token), of)
}

/** Reads the confirmation of a token, for `confirmationFor`. */
export function readConfirmation(ctx: Ctx, token: string): Promise<Confirmation | undefined> {
  return byHash.first(ctx.db, { tokenHash: hashOf(token) })
}

/** Returns a confirmation that was read like `findConfirmation`. */
export function confirmationFor(
  ctx: Ctx,
  confirmation: Confirmation | undefined,
  of: { invoiceId: number; action: ConfirmedAction },
): Confirmation {
  if (
    !confirmation ||
    confirmation.book_id !== ctx.book.id ||
    confirmation.actor !== holderOf(ctx) ||
    confirmation.invoice_id !== of.invoiceId ||
    confirmation.action !== of.action
  )
    throw new AppError('confirmation_invalid')
  return confirmation
}

/** Returns the confirmation whose token an approval spends. */
export async function confirmationOf(ctx: Ctx, tokenHash: Uint8Array): Promise<Confirmation> {
  const confirmation = await byHash.first(ctx.db, { tokenHash })
  if (!confirmation) throw new AppError('confirmation_expired')
  return confirmation
}

const markUsed = prepare((db, p: { tokenHash: Uint8Array; usedAt: number }) =>
  db
    .updateTable('confirmations')
    .set({ used_at: p.usedAt })
    .where('token_hash', '=', p.tokenHash)
    .where('used_at', 'is', null),
)

/**
 * Spends an unused confirmation for an invoice as it is now, or throws the reason why not. Runs in the step's
 * transaction.
 */
export async function spendConfirmation(
  ctx: Ctx,
  confirmation: Confirmation,
  invoice: { version: number; contentHash: Uint8Array },
): Promise<void> {
  const now = ctx.now().getTime()
  if (confirmation.superseded === 1)
    throw new AppError('confirmation_invalid', { details: { why: 'superseded' } })
  if (now >= confirmation.expires_at || now < confirmation.created_at - 60_000)
    throw new AppError('confirmation_expired')
  if (
    invoice.version !== confirmation.draft_version ||
    Buffer.compare(invoice.contentHash, confirmation.content_hash) !== 0
  )
    throw new AppError('confirmation_stale')
  await markUsed.changeOne(
    ctx.db,
    { tokenHash: confirmation.token_hash, usedAt: now },
    () => new AppError('confirmation_used'),
  )
}

/** Deletes tokens that no repetition can need any more. */
export async function pruneConfirmations(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('confirmations')
    .where('created_at', '<', now.getTime() - KEEP_MS)
    .execute()
}
