/** The self-check slice for the others. */
export type { Check } from './check.ts'
export { checkBook, checkBooks } from './check-books.ts'
export type { SelfCheck } from './check-books.ts'
export { getVerification, stopVerification, verifyBooks } from './run.ts'
