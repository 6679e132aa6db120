/**
 * The recovery code: shown once, kept only after the person proves to have it. Until then it lives in memory alone, and
 * the code before it stays valid.
 */
import { recordAudit } from '../audit/index.ts'
import { listBooks } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { AppError, validationFailed } from '../core/errors.ts'
import { createCtx, inBook, NO_BOOK } from '../ctx.ts'
import type { AppEnvironment, UseCase } from '../ctx.ts'
import { dropRecoveryNote, readKeyring } from '../store/keyring.ts'
import { recoveryGroups } from '../store/recovery.ts'
import type { Store } from '../store/store.ts'

const pending = new WeakMap<Store, ReturnType<Store['newRecoveryCode']>>()
const MIN_GROUPS = 2

/** A group as typed: separators dropped, the letters nobody can tell from digits read as those digits. */
function typedGroup(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** A new code, to be written down. The earlier one holds until this one is confirmed. */
export const revealRecovery: UseCase<ParsedInputOf<'recovery.reveal'>, OutputOf<'recovery.reveal'>> = async (
  ctx,
) => {
  const fresh = ctx.env.store.newRecoveryCode()
  pending.set(ctx.env.store, fresh)
  const groups = recoveryGroups(fresh.code)
  return { code: groups.join('-'), groups }
}

/** Keeps the code shown last, once two different groups of it were typed right. */
export const confirmRecovery: UseCase<
  ParsedInputOf<'recovery.confirm'>,
  OutputOf<'recovery.confirm'>
> = async (ctx, input) => {
  const { store } = ctx.env
  if (new Set(input.groups.map((group) => group.index)).size < MIN_GROUPS)
    throw validationFailed([
      {
        code: 'groups_repeated',
        field: 'groups',
        severity: 'error',
        message: 'Two different groups are asked.',
      },
    ])
  const shown = pending.get(store)
  if (!shown) throw new AppError('recovery_code_wrong', { details: { why: 'none_shown' } })
  const groups = recoveryGroups(shown.code)
  const wrong = input.groups
    .filter((group) => typedGroup(group.text) !== groups[group.index])
    .map((group) => group.index)
  if (wrong.length > 0) throw new AppError('recovery_code_wrong', { details: { groups: wrong } })
  shown.confirm()
  pending.delete(store)
  await ctx.transaction(async (tx) => {
    // The code opens every book, so every book's history tells of it.
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'recovery.confirmed' })
  })
  return { confirmed: true }
}

/**
 * Every book's history tells that the recovery code opened it, whoever used it while the books were shut. The note of it
 * goes only after the commit: told twice is better than not at all.
 */
export async function tellOfRecovery(env: AppEnvironment): Promise<void> {
  const { store } = env
  const recoveredAt = readKeyring(store.folder)?.recoveredAt
  if (recoveredAt === undefined) return
  const ctx = createCtx({
    env,
    book: NO_BOOK,
    actor: { kind: 'system', id: 'system', name: 'Sello' },
    channel: 'system',
    requestId: env.newId('req'),
  })
  try {
    await ctx.transaction(async (tx) => {
      for (const book of await listBooks(tx.db))
        await recordAudit(inBook(tx, book), {
          action: 'recovery.used',
          target: { type: 'store', id: store.storeId, label: recoveredAt },
        })
    })
    dropRecoveryNote(store.folder)
  } catch (error) {
    // Books that cannot be written open all the same; the note waits for the next start.
    if (!(error instanceof AppError)) throw error
  }
}
