/** Limits of an invoice, and the ledger accounts that its lines may name. Pure. */

/** Greatest number of lines of one invoice. */
export const MAX_LINES = 500

/** Ledger accounts that a line may name: those of income and expenses (PGC groups 6 and 7). */
export const LINE_ACCOUNT = /^[67]\d{2,11}$/

/** True for the number of a ledger account that a line may name. */
export function isSalesAccount(text: string): boolean {
  return LINE_ACCOUNT.test(text)
}

/** Who issues an invoice in the company's name: a third party, or the customer (RD 1619/2012 art. 5). */
export const ISSUED_BY = ['third_party', 'recipient'] as const
