/** Preferences of a person: one setting, with defaults for values that were never set or that this version does not know. */
import { loadBook } from '../../platform/books/index.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { HIDEABLE_PLACES, PREFERENCE_CHOICES } from '../../domain/preference-choices.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { changePersonal, readPersonal, savePersonal } from './personal.ts'
import type { Preferences, savePreferencesContract } from '../session/contract.ts'

export { changePersonal, readPersonal, savePersonal } from './personal.ts'

const SETTING = 'preferences'

const DEFAULTS: Preferences = {
  language: 'es',
  theme: 'system',
  density: 'normal',
  textSize: 'normal',
  menu: null,
  startPage: 'home',
  motion: 'system',
  singleKeyShortcuts: true,
  hiddenPlaces: [],
  activeBook: null,
  checklistDismissed: false,
  tour: 'new',
  notices: { approvals: true, registry: true, recurring: true, mail: true, private: true },
  updates: 'off',
}

type Saved = Readonly<Record<string, unknown>>
const asRecord = (value: unknown): Saved =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Saved) : {}

/** Returns whether this version knows a saved value. Its schema is not loaded for that: a start reads preferences, too. */
function isKnown(name: string, value: unknown, usual: unknown): boolean {
  const choices: Readonly<Record<string, readonly unknown[]>> = PREFERENCE_CHOICES
  if (value === null) return NULLABLE.has(name)
  return choices[name]?.includes(value) ?? typeof value === (usual === null ? 'string' : typeof usual)
}
const NULLABLE: ReadonlySet<string> = new Set(['activeBook', 'menu'])

/** Returns each known saved value, and the default where it is unknown. */
function known<Values extends object>(saved: Saved, defaults: Values): Values {
  const entries = Object.entries(defaults).map(([name, usual]: [string, unknown]): [string, unknown] => [
    name,
    isKnown(name, saved[name], usual) ? saved[name] : usual,
  ])
  return Object.fromEntries(entries) as Values
}

/**
 * Returns the preferences in a saved setting. Another version of Sello may have saved values that this one does not
 * know: one unknown value falls back alone, and the others stay.
 */
function parsePreferences(setting: unknown): Preferences {
  const saved = asRecord(setting)
  const places: readonly unknown[] = Array.isArray(saved.hiddenPlaces) ? saved.hiddenPlaces : []
  return {
    ...known(saved, DEFAULTS),
    hiddenPlaces: HIDEABLE_PLACES.filter((place) => places.includes(place)),
    notices: known(asRecord(saved.notices), DEFAULTS.notices),
  }
}

/** Returns the caller's preferences with defaults filled in. */
export async function readPreferences(ctx: Ctx): Promise<Preferences> {
  return parsePreferences(await readPersonal(ctx, SETTING))
}

/** True if there is such a book, and the caller may open it. */
async function mayOpenBook({ db, env, actor }: Ctx, publicId: string): Promise<boolean> {
  const book = await loadBook(db, publicId)
  if (!book) return false
  if (!env.people || actor.kind !== 'user' || !actor.rights) return true
  return (await env.people.companiesOf(actor.id)).has(book.companyId)
}

/** Stores the given preferences and keeps the others. */
export const savePreferences: UseCase<typeof savePreferencesContract> = (ctx, input) =>
  changePersonal(ctx, async (tx) => {
    if (input.activeBook && !(await mayOpenBook(tx, input.activeBook)))
      throw validationFailed([
        {
          code: 'not_found',
          field: 'activeBook',
          severity: 'error',
          message: 'No book has that identifier.',
        },
      ])
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    // Values of a newer version stay in the setting, so that it finds them again.
    const saved = { ...asRecord(await readPersonal(tx, SETTING)), ...given }
    await savePersonal(tx, SETTING, saved)
    return parsePreferences(saved)
  })
