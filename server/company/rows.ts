/** The companies' and books' own rows. */
import type { Selectable } from 'kysely'
import { found } from '../context.ts'
import type { Book, Ctx } from '../context.ts'
import { prepareKept } from '../db/query.ts'
import type { Db } from '../db/query.ts'
import type { BooksTable, CompaniesTable } from '../db/schema.ts'

export type CompanyRow = Selectable<CompaniesTable>

function bookOf(row: Selectable<BooksTable>): Book {
  return {
    id: row.id,
    publicId: row.public_id,
    companyId: row.company_id,
    mode: row.mode,
    environment: row.environment,
  }
}

const bookByPublicId = prepareKept((db, p: { publicId: string }) =>
  db.selectFrom('books').selectAll().where('public_id', '=', p.publicId),
)

const allBooks = prepareKept((db, _p: Record<string, never>) =>
  db.selectFrom('books').selectAll().orderBy('id'),
)

const booksByCompany = prepareKept((db, p: { companyId: number }) =>
  db.selectFrom('books').selectAll().where('company_id', '=', p.companyId).orderBy('id'),
)

const companyById = prepareKept((db, p: { id: number }) =>
  db.selectFrom('companies').selectAll().where('id', '=', p.id),
)

/** A book by its public identifier, or null. */
export async function loadBook(db: Db, publicId: string): Promise<Book | null> {
  const row = await bookByPublicId.first(db, { publicId })
  return row ? bookOf(row) : null
}

/** Every book of the installation, oldest first. */
export async function listBooks(db: Db): Promise<Book[]> {
  return (await allBooks.all(db, {})).map(bookOf)
}

/** The live and the test book of a company. */
export async function booksOfCompany(db: Db, companyId: number): Promise<Book[]> {
  return (await booksByCompany.all(db, { companyId })).map(bookOf)
}

/** The company whose book is at work. Throws `not_found` when no book is. */
export async function findCompany(ctx: Ctx): Promise<CompanyRow> {
  return found(await companyById.first(ctx.db, { id: ctx.book.companyId }))
}

export interface CompanyWithBooks {
  id: string
  legalName: string
  tradeName?: string
  nif: string
  books: { id: string; mode: Book['mode'] }[]
}

/** Companies with their books, oldest first. */
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
