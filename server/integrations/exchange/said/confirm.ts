/** The yes of somebody: a token of single use for ten minutes, bound to its owner and to what was shown. */
import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { prepare } from '../../../db/query.ts'
import type { Db } from '../../../db/query.ts'
import type { Ctx } from '../../../context.ts'
import { reportsOf } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import type { StatusKind } from '../types.ts'

const LIFE_MS = 10 * 60_000
const PREFIX = 'svce_'
const TOKEN_BYTES = 32
/** A clock that was set back by more than this makes a token invalid. */
const CLOCK_BACK_MS = 60_000
/** Used tokens are stored so that a call repeated after a lost answer is recognized. */
const STORED_MS = 7 * 24 * 3_600_000

/** What somebody says yes to. */
export interface Choices {
  kind: StatusKind
  day: string
  dueDate: string | null
  reason: string | null
  note: string | null
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Returns the hash of all that a yes covers: what is said, and what stands of the invoice now. */
async function coveredHash(ctx: Ctx, row: DocumentRow, choices: Choices): Promise<Buffer> {
  const reports = (await reportsOf(ctx, row.id)).map(({ id, state }) => ({ id, state }))
  const shown = { ...choices, document: row.public_id, state: row.state, partner: row.partner_said, reports }
  return createHash('sha256').update(canonicalJson(shown)).digest()
}

/** Mints a token, and stores its hash. */
export async function mintToken(
  tx: Ctx,
  row: DocumentRow,
  choices: Choices,
): Promise<{ token: string; expiresAt: number }> {
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = tx.now().getTime()
  const expiresAt = createdAt + LIFE_MS
  await tx.db
    .insertInto('exchange_confirmations')
    .values({
      token_hash: hashOf(token),
      book_id: tx.book.id,
      actor: tx.actor.id,
      document_id: row.id,
      content_hash: await coveredHash(tx, row, choices),
      choices: JSON.stringify(choices),
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute()
  return { token, expiresAt }
}

const byHash = prepare((db, p: { hash: Uint8Array }) =>
  db.selectFrom('exchange_confirmations').selectAll().where('token_hash', '=', p.hash),
)

/**
 * Spends a token for an invoice, in the transaction of what it allows. Returns what it says; `replayed` if the same yes was
 * spent before. Throws why it cannot be spent.
 */
export async function spendToken(
  tx: Ctx,
  row: DocumentRow,
  token: string | undefined,
  isFor: (kind: StatusKind) => boolean,
): Promise<{ choices: Choices; replayed: boolean; hash: Uint8Array }> {
  if (!token) throw new AppError('confirmation_required', { field: 'confirmationToken' })
  const found = await byHash.first(tx.db, { hash: hashOf(token) })
  if (!found || found.book_id !== tx.book.id || found.actor !== tx.actor.id || found.document_id !== row.id)
    throw new AppError('confirmation_invalid')
  const choices = JSON.parse(found.choices) as Choices
  if (!isFor(choices.kind)) throw new AppError('confirmation_invalid', { details: { why: 'other_step' } })
  if (found.used_at !== null) {
    if (found.report_id !== null) return { choices, replayed: true, hash: found.token_hash }
    throw new AppError('confirmation_used')
  }
  const now = tx.now().getTime()
  if (now >= found.expires_at || now < found.created_at - CLOCK_BACK_MS)
    throw new AppError('confirmation_expired')
  if (Buffer.compare(await coveredHash(tx, row, choices), found.content_hash) !== 0)
    throw new AppError('confirmation_stale')
  return { choices, replayed: false, hash: found.token_hash }
}

/** Marks a token as used for a report. */
export async function markSpent(tx: Ctx, hash: Uint8Array, reportId: number): Promise<void> {
  await tx.db
    .updateTable('exchange_confirmations')
    .set({ used_at: tx.now().getTime(), report_id: reportId })
    .where('token_hash', '=', hash)
    .execute()
}

/** Deletes tokens that no repetition can need any more. */
export async function pruneExchangeConfirmations(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('exchange_confirmations')
    .where('created_at', '<', now.getTime() - STORED_MS)
    .execute()
}
