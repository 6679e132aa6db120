/** Preferences of a person: one setting, with defaults for values never set. */
import { loadBook } from '../../platform/books/index.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { readPersonal, savePersonal } from './personal.ts'
import type { Preferences, savePreferencesContract } from '../session/contract.ts'

const SETTING = 'preferences'

const DEFAULTS: Preferences = {
  language: 'es',
  theme: 'system',
  density: 'normal',
  motion: 'system',
  singleKeyShortcuts: true,
  hiddenPlaces: [],
  activeBook: null,
  checklistDismissed: false,
  tour: 'new',
  notices: { approvals: true, registry: true, recurring: true, mail: true, private: true },
  updates: 'off',
}

/** Returns the caller's preferences with defaults filled in. */
export async function readPreferences(ctx: Ctx): Promise<Preferences> {
  const saved = await readPersonal(ctx, SETTING)
  return { ...DEFAULTS, ...(saved as Partial<Preferences> | null) }
}

/** Stores the given preferences and keeps the others. */
export const savePreferences: UseCase<typeof savePreferencesContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    if (input.activeBook && !(await loadBook(tx.db, input.activeBook)))
      throw validationFailed([
        {
          code: 'not_found',
          field: 'activeBook',
          severity: 'error',
          message: 'No book has that identifier.',
        },
      ])
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const preferences: Preferences = { ...(await readPreferences(tx)), ...given }
    await savePersonal(tx, SETTING, preferences)
    return preferences
  })
