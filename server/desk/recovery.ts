/**
 * The recovery code: shown once, kept only after the person proves to have it. Until then it lives in memory alone, and
 * the code before it stays valid.
 */
import { recordAudit } from '../audit/index.ts'
import { listBooks } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { AppError, validationFailed } from '../core/errors.ts'
import { inBook } from '../ctx.ts'
import type { UseCase } from '../ctx.ts'
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
