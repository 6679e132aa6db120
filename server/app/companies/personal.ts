/** How one person orders the companies: favourites, groups, and those opened last. */
import type { Ctx } from '../../context.ts'
import { readPersonal, savePersonal } from '../preferences/index.ts'

const SETTING = 'companies'
/** As many as a person recognizes without reading names. */
const MOST_RECENT = 6

export interface Arrangement {
  /** Public identifiers of companies, in the order in which they were added. */
  favourites: readonly string[]
  /** Name of the group by company. */
  groups: Readonly<Record<string, string>>
  /** The one opened last is the first. */
  recent: readonly string[]
}

const NONE: Arrangement = { favourites: [], groups: {}, recent: [] }

export async function readArrangement(ctx: Ctx): Promise<Arrangement> {
  return { ...NONE, ...((await readPersonal(ctx, SETTING)) as Partial<Arrangement> | null) }
}

/** Changes the caller's order within a transaction. */
export async function arrange(
  tx: Ctx,
  change: (before: Arrangement) => Partial<Arrangement>,
): Promise<Arrangement> {
  const before = await readArrangement(tx)
  const after = { ...before, ...change(before) }
  await savePersonal(tx, SETTING, after)
  return after
}

/** Notes that the caller has opened a book: its company is the one opened last. */
export async function noteOpened(tx: Ctx, bookId: string): Promise<void> {
  const company = await tx.db
    .selectFrom('books')
    .innerJoin('companies', 'companies.id', 'books.company_id')
    .select('companies.public_id as id')
    .where('books.public_id', '=', bookId)
    .executeTakeFirst()
  if (!company) return
  const before = await readArrangement(tx)
  if (before.recent[0] === company.id) return
  await arrange(tx, ({ recent }) => ({
    recent: [company.id, ...recent.filter((each) => each !== company.id)].slice(0, MOST_RECENT),
  }))
}

/** Returns the names of the groups, in the order of the Spanish alphabet. */
export function groupsOf({ groups }: Arrangement): string[] {
  return [...new Set(Object.values(groups))].toSorted((a, b) => a.localeCompare(b, 'es'))
}
