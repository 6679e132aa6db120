/** Public interface of the self-check slice. */
import type { Check } from './check.ts'
import type { ClosedBooks } from './before.ts'

export type { ClosedBooks } from './before.ts'
export type { Check } from './check.ts'
export { checkBook, checkBooks, checksInTurn } from './check-books.ts'
export type { SelfCheck } from './check-books.ts'
export { abortVerification, stopVerification } from './run.ts'
export { UNSEEN } from './invariants.ts'

/** Runs `before.ts`, loaded with the first use. */
export const inspectBeforeOpening = async (books: ClosedBooks): Promise<Check | null> =>
  (await import('./before.ts')).inspectBeforeOpening(books)

/** Runs `foreign-log.ts`, loaded only for books with a log. */
export const isLogForeign = async (books: ClosedBooks): Promise<boolean> =>
  (await import('./foreign-log.ts')).isLogForeign(books)
