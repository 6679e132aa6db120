/**
 * Recognizes the write-ahead log of another copy of the books. SQLite would merge it into the file and mix the two
 * copies, because a log does not name the file that it belongs to.
 */
import { createKysely } from '../../db/embedded/dialect.ts'
import { sealerOf } from '../../db/seal.ts'
import { readWithoutLog, readWithoutWriting } from '../../db/embedded/open.ts'
import type { Db } from '../../db/query.ts'
import { eventHash, provenHead } from '../../platform/audit/index.ts'
import { advisedCompanies, endedIn, listBooks } from '../../platform/books/index.ts'
import type { Book } from '../../context.ts'
import { contradictsMark } from '../../registry/index.ts'
import type { ClosedBooks } from './before.ts'

/** The last event of a book's history. */
interface Head {
  book: Book
  /** Public identifier of its company. */
  company: string
  sequence: number
  hash: Uint8Array
}

async function headsIn(db: Db): Promise<Head[]> {
  const heads: Head[] = []
  const companies = await db.selectFrom('companies').select(['id', 'public_id']).execute()
  const companyOf = new Map(companies.map(({ id, public_id: publicId }) => [id, publicId]))
  // The next bundle replaces the books of a client's copy with their history, and they are removed when work ends.
  const advised = await advisedCompanies(db)
  for (const book of await listBooks(db)) {
    if (advised.has(book.companyId)) continue
    const head = await provenHead({ db, book })
    const company = companyOf.get(book.companyId) ?? ''
    if (head) heads.push({ book, company, sequence: head.sequence, hash: head.hash })
  }
  return heads
}

/**
 * Returns true if the log that lies beside the file is of another copy of the books: read with it, the books
 * contradict their mark, or lack an event of the history that the file alone has. A history only grows, so that the
 * own log never removes one, except with its company: of a deleted one a note remains. Changes no file of the books. Throws the database's errors when the books cannot be read
 * with the log.
 */
export async function isLogForeign({ folder, masterKey, storeId }: ClosedBooks): Promise<boolean> {
  // Without its log the file may be unreadable, which proves nothing.
  const heads = await readWithoutLog(folder, masterKey, (connection) =>
    headsIn(createKysely(connection)),
  ).catch((): Head[] => [])
  return readWithoutWriting(folder, masterKey, async (connection) => {
    const db = createKysely(connection)
    const ended = await endedIn(db)
    for (const { book, company, sequence, hash } of heads) {
      if (ended.has(company)) continue
      const event = await eventHash(db, book.id, sequence)
      if (!event || Buffer.compare(event, hash) !== 0) return true
    }
    return contradictsMark(db, { folder, storeId, sealer: sealerOf(masterKey) })
  })
}
