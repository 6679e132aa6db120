/** SQL of companies and books. */
import type { Selectable } from 'kysely'
import { orNotFound } from '../context.ts'
import type { Book, Ctx } from '../context.ts'
import { prepareCached } from '../db/query.ts'
import type { Db } from '../db/query.ts'
import type { CompaniesTable } from '../db/schema.ts'
import { listBooks } from '../platform/books/index.ts'

export type CompanyRow = Selectable<CompaniesTable>

const companyById = prepareCached((db, p: { id: number }) =>
  db.selectFrom('companies').selectAll().where('id', '=', p.id),
)

/** Returns the company of the current book. Throws `not_found` when there is none. */
export async function findCompany(ctx: Ctx): Promise<CompanyRow> {
  return orNotFound(await companyById.first(ctx.db, { id: ctx.book.companyId }))
}

interface CompanyWithBooks {
  id: string
  legalName: string
  tradeName?: string
  nif: string
  books: { id: string; mode: Book['mode'] }[]
}

/** Returns companies with their books, oldest first. */
export async function listCompanies(db: Db): Promise<CompanyWithBooks[]> {
  const companies = await db
    .selectFrom('companies')
    .select(['id', 'public_id', 'legal_name', 'trade_name', 'nif'])
    .orderBy('id')
    .execute()
  const books = await listBooks(db)
  return companies.map((company) => ({
    id: company.public_id,
    legalName: company.legal_name,
    ...(company.trade_name === null ? {} : { tradeName: company.trade_name }),
    nif: company.nif,
    books: books
      .filter((book) => book.companyId === company.id)
      .map((book) => ({ id: book.publicId, mode: book.mode })),
  }))
}
