/**
 * Work on books, apart from what starts it: on a desk a loop over all books of the file, in an office whoever holds
 * the lease of one company.
 */
import type { AppEnvironment, Book } from '../../context.ts'
import { listBooks } from '../books/index.ts'
import type { DueTime } from './due-time.ts'
import type { Pass, WorkerOptions } from './worker.ts'

/** One kind of work in the background. */
export interface BookWork {
  /**
   * Settles or gives back what another process had claimed. `all`: that process has ended; otherwise only what has
   * expired.
   */
  reclaim?: (books: readonly Book[], all: boolean) => Promise<void>
  /** Works through what is due in these books; returns when more is due. */
  work: (books: readonly Book[], pass: Pass) => Promise<DueTime>
}

/** Returns the part of a worker's options that does this work in all books of the store. */
export function inAllBooks(
  env: AppEnvironment,
  { reclaim, work }: BookWork,
): Pick<WorkerOptions, 'reclaim' | 'work'> {
  return {
    ...(reclaim ? { reclaim: async (all) => reclaim(await listBooks(env.store.reader), all) } : {}),
    work: async (pass) => work(await listBooks(env.store.reader), pass),
  }
}

/** Returns the row identifiers of books, for a condition on `book_id`. */
export function idsOf(books: readonly Book[]): number[] {
  return books.map(({ id }) => id)
}
