/** What the window needs of the companies at its start: the active one, and those that the person wants at hand. */
import type { Ctx } from '../../context.ts'
import { sampleCompany } from '../demo/start.ts'
import { readArrangement } from './personal.ts'
export { noteOpened } from './personal.ts'
import { listedCompanies, mayOpen } from './rows.ts'
import type { ListedCompany } from './rows.ts'

/** Companies in the answer at start, beside the active one. */
const AT_START = 20

/**
 * Returns the company of the active book, the favourites, those opened last, and the oldest ones as far as there is
 * room; and how many there are in all, the sample not counted.
 */
export async function companiesAtStart(
  ctx: Ctx,
  activeBook: string | null,
): Promise<{ companies: ListedCompany[]; companyCount: number }> {
  const { db } = ctx
  const may = await mayOpen(ctx)
  const sample = await sampleCompany(db)
  const arrangement = await readArrangement(ctx)
  const visible = db.selectFrom('companies').$if(may !== null, (query) => query.where('id', 'in', may ?? []))
  const { count } = await visible
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(sample !== null, (query) => query.where('public_id', '<>', sample?.company ?? ''))
    .executeTakeFirstOrThrow()
  const active =
    activeBook === null
      ? undefined
      : await db
          .selectFrom('books')
          .select('company_id as id')
          .where('public_id', '=', activeBook)
          // The company of another day may not be the person's any more.
          .$if(may !== null, (query) => query.where('company_id', 'in', may ?? []))
          .executeTakeFirst()
  const wanted = [...new Set([...arrangement.favourites, ...arrangement.recent])]
  const chosen =
    wanted.length === 0
      ? []
      : await visible.select(['id', 'public_id as publicId']).where('public_id', 'in', wanted).execute()
  const inOrder = chosen.toSorted((a, b) => wanted.indexOf(a.publicId) - wanted.indexOf(b.publicId))
  // Archived companies are left out afterwards, so that some more are read.
  const oldest = await visible
    .select('id')
    .orderBy('id')
    .limit(2 * AT_START)
    .execute()
  const ids = [...new Set([...inOrder, ...oldest].map(({ id }) => id))]
  const all = await listedCompanies(ctx, active ? [...new Set([active.id, ...ids])] : ids, arrangement)
  const rank = new Map(wanted.map((id, at) => [id, at]))
  const isActive = (company: ListedCompany): boolean => company.books.some(({ id }) => id === activeBook)
  const shown = new Set(
    all
      .filter((company) => !company.archived && !isActive(company))
      .toSorted((a, b) => (rank.get(a.id) ?? wanted.length) - (rank.get(b.id) ?? wanted.length))
      .slice(0, AT_START),
  )
  return {
    companies: all.filter((company) => isActive(company) || shown.has(company)),
    companyCount: Number(count),
  }
}
