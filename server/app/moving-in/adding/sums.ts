/** Sums of what was read, by side and month. */
import type { HistoryDocument } from '../../../domain/history.ts'
import type { StoredSum } from '../stored.ts'

/** Adds documents to the sums of their months, in place. */
export function addToSums(sums: Map<string, StoredSum>, documents: readonly HistoryDocument[]): void {
  for (const document of documents) {
    const day = document.side === 'issued' ? document.issueDate : document.receptionDate
    const month = day.slice(0, 7)
    const key = `${document.side} ${month}`
    const sum = sums.get(key) ?? {
      side: document.side,
      month,
      documents: 0,
      baseCents: 0,
      taxCents: 0,
      withheldCents: 0,
      totalCents: 0,
    }
    sums.set(key, sum)
    sum.documents += 1
    sum.totalCents += document.totalCents
    sum.withheldCents += document.withholding?.amountCents ?? 0
    for (const tax of document.taxes) {
      sum.baseCents += tax.baseCents
      sum.taxCents += tax.taxCents + tax.surchargeCents
    }
  }
}

/** Returns the sums in the order of their months. */
export const sumsInOrder = (sums: ReadonlyMap<string, StoredSum>): StoredSum[] =>
  [...sums.values()].sort((a, b) => (a.month + a.side < b.month + b.side ? -1 : 1))
