/** Reads the books of the installation: a company in one mode each. */
import type { Selectable } from 'kysely'
import type { Book } from '../../context.ts'
import { prepareCached } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { BooksTable } from '../../db/schema.ts'

const BOOKS_IN_PAGE = 200

/** Columns that only an office has. */
interface MovedBook {
  /** 1: its company was moved elsewhere. */
  moved?: number
  event_base?: number
  entry_base?: number
}
/** Of the copy of another installation's books; null for all others. */
interface CopiedBook {
  entry_shift: number | null
}
type BookRow = Selectable<BooksTable> & MovedBook & CopiedBook

const booksIn = (db: Db) =>
  db
    .selectFrom('books')
    .leftJoin('advised_companies', 'advised_companies.company_id', 'books.company_id')
    .selectAll('books')
    .select('advised_companies.entry_shift')

function bookOf(row: BookRow): Book {
  const { event_base: events = 0, entry_base: base = 0, entry_shift: shift } = row
  const entries = shift ?? base
  return {
    ...(events === 0 && entries === 0 ? {} : { numbersFrom: { events, entries } }),
    id: row.id,
    publicId: row.public_id,
    companyId: row.company_id,
    ...(row.archived_at === null ? {} : { archived: true as const }),
    mode: row.mode,
    environment: row.environment,
    registry: row.registry_system,
  }
}

const bookByPublicId = prepareCached((db, p: { publicId: string }) =>
  booksIn(db).where('books.public_id', '=', p.publicId),
)

const allBooks = prepareCached((db, _p: Record<string, never>) => booksIn(db).orderBy('books.id'))

const booksAfterId = prepareCached((db, p: { after: number; limit: number }) =>
  booksIn(db).where('books.id', '>', p.after).orderBy('books.id').limit(p.limit),
)

const booksByCompany = prepareCached((db, p: { companyId: number }) =>
  booksIn(db).where('books.company_id', '=', p.companyId).orderBy('books.id'),
)

/** Returns a book by its public identifier, or null. */
export async function loadBook(db: Db, publicId: string): Promise<Book | null> {
  const row = await bookByPublicId.first(db, { publicId })
  return row ? bookOf(row) : null
}

/** Returns all books of the installation, oldest first; not those whose company was moved elsewhere. */
export async function listBooks(db: Db): Promise<Book[]> {
  const rows: readonly BookRow[] = await allBooks.all(db, {})
  return rows.filter(({ moved = 0 }) => moved === 0).map(bookOf)
}

/** Returns the books of the installation in pages, oldest first, for work over many companies. */
export async function* pagesOfBooks(db: Db): AsyncGenerator<Book[]> {
  for (let after = 0; ;) {
    const rows = await booksAfterId.all(db, { after, limit: BOOKS_IN_PAGE })
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(bookOf)
    after = last.id
  }
}

/** Returns the row ids of the companies that are copies of other installations' books. */
export async function advisedCompanies(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('advised_companies').select('company_id').execute()
  return new Set(rows.map(({ company_id: id }) => id))
}

/** Beginning of the settings of the installation that say what remains of each deleted company. */
export const ENDED = 'ended/'

/** Returns the public identifiers of the companies that were deleted. */
export async function endedIn(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('settings').select('name').where('name', 'like', `${ENDED}%`).execute()
  return new Set(rows.map(({ name }) => name.slice(ENDED.length)))
}

/** Returns the live and the test book of a company. */
export async function booksOfCompany(db: Db, companyId: number): Promise<Book[]> {
  return (await booksByCompany.all(db, { companyId })).map(bookOf)
}
