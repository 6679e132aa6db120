/** Preferences of this installation: one settings row, with defaults for values never set. */
import { loadBook } from '../../platform/books/index.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import type { UseCase } from '../../context.ts'
import type { Db } from '../../db/query.ts'
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

/** Returns the stored preferences with defaults filled in. */
export async function readPreferences(db: Db): Promise<Preferences> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  return { ...DEFAULTS, ...(row ? (JSON.parse(row.value) as Partial<Preferences>) : {}) }
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
    const preferences: Preferences = { ...(await readPreferences(tx.db)), ...given }
    const value = JSON.stringify(preferences)
    await tx.db
      .insertInto('settings')
      .values({ name: SETTING, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    return preferences
  })
