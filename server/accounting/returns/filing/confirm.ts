/** The yes of a person: a token of single use for ten minutes, bound to the person and to the file that was shown. */
import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import type { Declaration } from '../declaration/declaration.ts'
import { findFilingConfirmation, insertConfirmation, useConfirmation } from './rows.ts'
import type { ConfirmationRow, Place } from './rows.ts'

const LIFE_MS = 10 * 60_000
const PREFIX = 'svcf_'
const TOKEN_BYTES = 32
/** A clock that was set back by more than this makes a token invalid. */
const CLOCK_BACK_MS = 60_000

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const holderOf = (ctx: Ctx): string => (ctx.actor.kind === 'key' ? ctx.actor.id : ctx.actor.kind)

/** Mints a token for a declaration and stores its hash. */
export async function mintFilingToken(
  ctx: Ctx,
  { model, period, choices, contentHash }: Declaration,
): Promise<{ token: string; expiresAt: number }> {
  if (contentHash === null) throw new Error('Only a file can be confirmed.')
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = ctx.now().getTime()
  const expiresAt = createdAt + LIFE_MS
  await insertConfirmation(ctx, {
    token_hash: hashOf(token),
    book_id: ctx.book.id,
    actor: holderOf(ctx),
    model,
    year: period.year,
    period: period.code,
    content_hash: contentHash,
    choices: JSON.stringify(choices),
    created_at: createdAt,
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/** Returns what a token confirms. Throws `confirmation_invalid` for an unknown one and for one of another period or owner. */
export async function confirmationOf(ctx: Ctx, token: string, place: Place): Promise<ConfirmationRow> {
  const row = await findFilingConfirmation(ctx, hashOf(token))
  if (
    !row ||
    row.book_id !== ctx.book.id ||
    row.actor !== holderOf(ctx) ||
    row.model !== place.model ||
    row.year !== place.year ||
    row.period !== place.period
  )
    throw new AppError('confirmation_invalid')
  return row
}

/** Spends an unused token for a declaration as it is now, or throws why not. Runs in the transaction that writes the sending. */
export async function spendFilingToken(ctx: Ctx, row: ConfirmationRow, declared: Declaration): Promise<void> {
  const now = ctx.now().getTime()
  if (row.superseded === 1) throw new AppError('confirmation_invalid', { details: { why: 'superseded' } })
  if (now >= row.expires_at || now < row.created_at - CLOCK_BACK_MS)
    throw new AppError('confirmation_expired')
  if (declared.contentHash === null || Buffer.compare(declared.contentHash, row.content_hash) !== 0)
    throw new AppError('confirmation_stale')
  if (!(await useConfirmation(ctx, row.token_hash))) throw new AppError('confirmation_used')
}
