/** Reads the books of the installation: a company in one mode each. */
import type { Selectable } from 'kysely'
import type { Book } from '../../context.ts'
import { prepareCached } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { BooksTable } from '../../db/schema.ts'

function bookOf(row: Selectable<BooksTable>): Book {
  return {
    id: row.id,
    publicId: row.public_id,
    companyId: row.company_id,
    mode: row.mode,
    environment: row.environment,
  }
}

const bookByPublicId = prepareCached((db, p: { publicId: string }) =>
  db.selectFrom('books').selectAll().where('public_id', '=', p.publicId),
)

const allBooks = prepareCached((db, _p: Record<string, never>) =>
  db.selectFrom('books').selectAll().orderBy('id'),
)

const booksByCompany = prepareCached((db, p: { companyId: number }) =>
  db.selectFrom('books').selectAll().where('company_id', '=', p.companyId).orderBy('id'),
)

/** Returns a book by its public identifier, or null. */
export async function loadBook(db: Db, publicId: string): Promise<Book | null> {
  const row = await bookByPublicId.first(db, { publicId })
  return row ? bookOf(row) : null
}

/** Returns all books of the installation, oldest first. */
export async function listBooks(db: Db): Promise<Book[]> {
  return (await allBooks.all(db, {})).map(bookOf)
}

/** Returns the live and the test book of a company. */
export async function booksOfCompany(db: Db, companyId: number): Promise<Book[]> {
  return (await booksByCompany.all(db, { companyId })).map(bookOf)
}
