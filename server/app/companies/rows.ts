/** SQL of the companies of an installation, as lists and the start of the window need them. */
import type { Ctx } from '../../context.ts'
import { orNotFound } from '../../context.ts'
import { companyColour, companyMark } from '../../domain/company-mark.ts'
import type { Db } from '../../db/query.ts'
import { sampleCompany } from '../demo/start.ts'
import type { Book } from '../../context.ts'
import type { Arrangement } from './personal.ts'

/**
 * Returns the row ids of the companies that the caller may open; null: all of them. The only place that decides it.
 */
export async function mayOpen({ env, actor }: Ctx): Promise<readonly number[] | null> {
  if (!env.people || actor.kind !== 'user' || !actor.rights) return null
  const ids = [...(await env.people.companiesOf(actor.id))]
  // Of no company: an empty list is no condition in SQL.
  return ids.length === 0 ? [-1] : ids
}

interface FoundCompany {
  id: number
  publicId: string
  legalName: string
  tradeName: string | null
  nif: string
  colour: number | null
  mark: string | null
}

/** A company with its books, as a list shows it. */
export interface ListedCompany {
  id: string
  legalName: string
  tradeName?: string
  nif: string
  colour: number
  mark: string
  favourite: boolean
  archived: boolean
  sample: boolean
  advised?: true
  books: { id: string; mode: Book['mode'] }[]
}

interface Wanted {
  /** Row ids; null: all. */
  ids: readonly number[] | null
}

async function companiesWith(db: Db, { ids }: Wanted): Promise<FoundCompany[]> {
  return db
    .selectFrom('companies')
    .select([
      'id',
      'public_id as publicId',
      'legal_name as legalName',
      'trade_name as tradeName',
      'nif',
      'colour',
      'mark',
    ])
    .$if(ids !== null, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
}

/** Returns the companies with these row ids (null: all) that have books here, oldest first. */
export async function listedCompanies(
  ctx: Ctx,
  ids: readonly number[] | null,
  { favourites }: Arrangement,
): Promise<ListedCompany[]> {
  if (ids?.length === 0) return []
  const companies = await companiesWith(ctx.db, { ids })
  const rows: readonly {
    moved?: number
    company_id: number
    public_id: string
    mode: Book['mode']
    archived_at: number | null
  }[] = await ctx.db
    .selectFrom('books')
    .selectAll()
    .$if(ids !== null, (query) => query.where('company_id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
  const byCompany = Map.groupBy(
    // The books of a company that was moved elsewhere are not here.
    rows.filter(({ moved = 0 }) => moved === 0),
    (row) => row.company_id,
  )
  const sample = await sampleCompany(ctx.db)
  const isFavourite = new Set(favourites)
  return companies.flatMap((company) => {
    const books = byCompany.get(company.id)
    const isSample = company.publicId === sample?.company
    if (!books || (isSample && !sample.shown)) return []
    const { publicId, legalName, tradeName, nif } = company
    return [
      {
        id: publicId,
        legalName,
        ...(tradeName === null ? {} : { tradeName }),
        nif,
        colour: companyColour(publicId, company.colour),
        mark: companyMark(tradeName ?? legalName, company.mark),
        favourite: isFavourite.has(publicId),
        archived: books.every((book) => book.archived_at !== null),
        sample: isSample,
        ...(ctx.env.advised?.has(company.id) ? { advised: true as const } : {}),
        // The sample has no real data, so only its test book is listed.
        books: books
          .filter(({ mode }) => !isSample || mode === 'test')
          .map((book) => ({ id: book.public_id, mode: book.mode })),
      },
    ]
  })
}

/** Returns the row id of a company that the caller may open, with its names. Throws `not_found`. */
export async function companyToOpen(
  ctx: Ctx,
  publicId: string,
): Promise<{ id: number; publicId: string; legalName: string; nif: string }> {
  const row = orNotFound(
    await ctx.db
      .selectFrom('companies')
      .select(['id', 'public_id as publicId', 'legal_name as legalName', 'nif'])
      .where('public_id', '=', publicId)
      .executeTakeFirst(),
  )
  const ids = await mayOpen(ctx)
  return orNotFound(ids === null || ids.includes(row.id) ? row : null)
}
