/** The yes of a person: a token of single use for ten minutes, bound to the person and to the file that was shown. */
import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import type { Declaration } from '../declaration/declaration.ts'
import { findFilingConfirmation, insertConfirmation, useConfirmation } from './rows.ts'
import type { ConfirmationRow, Place } from './rows.ts'
import type { Signer } from './service.ts'

const LIFE_MS = 10 * 60_000
const PREFIX = 'svcf_'
const TOKEN_BYTES = 32
/** A clock that was set back by more than this makes a token invalid. */
const CLOCK_BACK_MS = 60_000

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const holderOf = (ctx: Ctx): string => ctx.actor.id

/** Returns the hash of all that a yes covers: the declaration, and who signs it in which capacity; null without a file. */
function confirmedHash({ contentHash }: Declaration, { nif, name, representation }: Signer): Buffer | null {
  if (contentHash === null) return null
  return createHash('sha256')
    .update(contentHash)
    .update(canonicalJson({ nif, name, representation }))
    .digest()
}

/** Mints a token for a declaration and its signer, and stores its hash. */
export async function mintFilingToken(
  ctx: Ctx,
  declared: Declaration,
  signer: Signer,
): Promise<{ token: string; expiresAt: number }> {
  const { model, period, choices } = declared
  const contentHash = confirmedHash(declared, signer)
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

/**
 * Spends an unused token for a declaration and its signer as they are now, or throws why not. Runs in the transaction that
 * writes the sending.
 */
export async function spendFilingToken(
  ctx: Ctx,
  row: ConfirmationRow,
  { declared, signer }: { declared: Declaration; signer: Signer },
): Promise<void> {
  const now = ctx.now().getTime()
  if (row.superseded === 1) throw new AppError('confirmation_invalid', { details: { why: 'superseded' } })
  if (now >= row.expires_at || now < row.created_at - CLOCK_BACK_MS)
    throw new AppError('confirmation_expired')
  const contentHash = confirmedHash(declared, signer)
  if (contentHash === null || Buffer.compare(contentHash, row.content_hash) !== 0)
    throw new AppError('confirmation_stale')
  if (!(await useConfirmation(ctx, row.token_hash))) throw new AppError('confirmation_used')
}
