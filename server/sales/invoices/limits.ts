/** Limits of an invoice, and the ledger accounts that its lines may name. Pure. */

/** Greatest number of lines of one invoice. */
export const MAX_LINES = 500

/** Ledger accounts that a line may name: those of income and expenses (PGC groups 6 and 7). */
export const LINE_ACCOUNT = /^[67]\d{2,11}$/

/** True for the number of a ledger account that a line may name. */
export function isSalesAccount(text: string): boolean {
  return LINE_ACCOUNT.test(text)
}
