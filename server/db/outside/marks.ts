/** Where the progress of books is marked outside the database, so that an older database is recognized. */

/** A mark of a book. Marks are never changed: a new one is put beside the others, which are then removed. */
interface StoredMark {
  name: string
  /** Null if it was changed or belongs to other books. */
  text: string | null
}

/** `book` is the public identifier of one. */
export interface MarkStorage {
  list(companyId: number, book: string): Promise<StoredMark[]>
  put(companyId: number, book: string, name: string, text: string): Promise<void>
  remove(companyId: number, book: string, names: readonly string[]): Promise<void>
}
