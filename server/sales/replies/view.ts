/** Answers in the shape of the contract, and which of them is the last word. Pure. */
import type { Reply } from './contract.ts'
import type { ShownAnswer } from './rows.ts'

/** What an answer is about: the last one on each subject counts. */
const SUBJECTS = {
  received: 'receipt',
  accepted: 'decision',
  rejected: 'decision',
  will_pay: 'payment',
} as const

/** Returns the answers of some invoices by their rows. `rows` has all answers of each of these invoices. */
export function replyViews(rows: readonly ShownAnswer[]): Map<number, Reply> {
  const last = new Map<string, ShownAnswer>()
  const subjectOf = (row: ShownAnswer): string => `${row.invoice_id} ${SUBJECTS[row.kind]}`
  for (const row of rows) {
    if (row.superseded_at !== null) continue
    const before = last.get(subjectOf(row))
    const isLater =
      before === undefined ||
      row.said_at > before.said_at ||
      (row.said_at === before.said_at && row.id > before.id)
    if (isLater) last.set(subjectOf(row), row)
  }
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.public_id,
        invoiceId: row.invoice,
        invoiceNumber: row.number ?? '',
        kind: row.kind,
        reason: row.reason,
        payOn: row.pay_on,
        words: row.words,
        saidBy: row.said_by,
        saidAt: new Date(row.said_at).toISOString(),
        takenAt: new Date(row.taken_at).toISOString(),
        takenBy: row.taken_by,
        channel: row.channel,
        sender: row.sender,
        standing:
          row.superseded_at !== null
            ? 'earlier_page'
            : last.get(subjectOf(row))?.id === row.id
              ? 'current'
              : 'superseded',
      },
    ]),
  )
}
