/** Finds the movements that may pay a supplier's document (see `RelatedRecords` of context.ts). Imports no schema: it is loaded at start. */
import { addDays, daysBetween } from '../../domain/dates.ts'
import { prepare } from '../../db/query.ts'
import type { Ctx, DocumentFacts, RelatedRecord } from '../../context.ts'
import { nameWords, namesNumber, namesParty, readText } from './match/text.ts'

const pendingOfAmount = prepare((db, p: { bookId: number; amountCents: number; from: string; to: string }) =>
  db
    .selectFrom('bank_transactions')
    .select(['public_id', 'date', 'amount_cents', 'text', 'counterparty', 'counterparty_iban', 'reference'])
    .where('book_id', '=', p.bookId)
    .where('status', '=', 'pending')
    .where('amount_cents', '=', p.amountCents)
    .where('date', '>=', p.from)
    .where('date', '<=', p.to)
    .orderBy('date')
    .orderBy('id')
    .limit(20),
)

/** Days before and after the day of issue on which a document is paid. */
const PAID_BEFORE = 15
const PAID_AFTER = 100
const SAME_DAYS = 5

/** Returns the movements without a match that may pay a document, by amount first. */
export async function bankMovementsFor(ctx: Ctx, facts: DocumentFacts): Promise<RelatedRecord[]> {
  const { issueDate, payableCents } = facts
  if (payableCents === null || payableCents === 0) return []
  const day = issueDate ?? ctx.today()
  const rows = await pendingOfAmount.all(ctx.db, {
    bookId: ctx.book.id,
    amountCents: -payableCents,
    from: addDays(day, -PAID_BEFORE),
    to: addDays(day, PAID_AFTER),
  })
  return rows.map((row) => {
    const text = readText(row.text, row.counterparty, row.reference)
    const because: RelatedRecord['because'][number][] = ['amount']
    if (Math.abs(daysBetween(day, row.date)) <= SAME_DAYS) because.push('date')
    if (facts.number !== null && namesNumber(text, facts.number) !== null) because.push('number')
    if (facts.supplierName !== null && namesParty(text, nameWords(facts.supplierName)) !== null)
      because.push('name')
    if (facts.iban !== null && facts.iban === row.counterparty_iban) because.push('iban')
    return { id: row.public_id, label: row.text, date: row.date, amountCents: row.amount_cents, because }
  })
}
