/**
 * Finds what else in the books may belong to an incoming document: an entry without a file, a movement of the bank, a
 * purchase in the accounting system.
 */
import { addDays, daysBetween } from '../../../domain/dates.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'
import type { Ctx, RelatedRecord } from '../../../context.ts'
import { entriesWithoutFile } from '../../invoices/index.ts'
import type { SimilarEntry } from '../../invoices/index.ts'
import { numberKey } from './compare.ts'
import type { IncomingMatch } from '../contract.ts'
import type { IncomingFacts } from '../facts.ts'

type Because = IncomingMatch['because'][number]

/** Days before and after its day of issue on which an entry of a document may be dated. */
const ENTRY_DAYS = 45
/** A cent of rounding. */
const SLACK_CENTS = 1
const MOST_MATCHES = 8

function reasonsOf(facts: IncomingFacts, entry: SimilarEntry): Because[] {
  const { issueDate, nif, supplierName, number } = facts
  const because: Because[] = ['amount']
  if (issueDate !== null && Math.abs(daysBetween(issueDate, entry.issueDate)) <= 3) because.push('date')
  if (numberKey(number) !== '' && numberKey(number) === numberKey(entry.supplierNumber))
    because.push('number')
  const isNamed = supplierName !== null && searchText(supplierName) === searchText(entry.supplierName)
  if ((nif !== null && nif === entry.supplierNif) || isNamed) because.push('name')
  return because
}

async function entriesFor(ctx: Ctx, facts: IncomingFacts): Promise<IncomingMatch[]> {
  const { totalCents, currency } = facts
  if (totalCents === null || currency !== 'EUR') return []
  const day = facts.issueDate ?? ctx.today()
  const entries = await entriesWithoutFile(ctx, {
    totalFrom: totalCents - SLACK_CENTS,
    totalTo: totalCents + SLACK_CENTS,
    from: addDays(day, -ENTRY_DAYS),
    to: addDays(day, ENTRY_DAYS),
  })
  return entries.flatMap((entry) => {
    const because = reasonsOf(facts, entry)
    // The same total of another supplier says nothing.
    if (!because.includes('name') && !because.includes('number')) return []
    return [
      {
        type: 'received' as const,
        id: entry.id,
        label: `${entry.receptionNumber} · ${entry.supplierName}`,
        date: entry.issueDate,
        amount: eurosFromCents(entry.totalCents),
        because,
      },
    ]
  })
}

const ofRelated = (
  type: 'bank' | 'erp',
  { id, label, date, amountCents, because }: RelatedRecord,
): IncomingMatch => ({
  type,
  id,
  label: label.slice(0, 200),
  date,
  amount: eurosFromCents(amountCents),
  because: [...because],
})

/** Returns what may belong to a document, the likeliest first. */
export async function matchesOf(ctx: Ctx, facts: IncomingFacts): Promise<IncomingMatch[]> {
  const { bank, erp } = ctx.env.related
  const isEuro = facts.currency === 'EUR'
  const found = [
    ...(await entriesFor(ctx, facts)),
    ...(isEuro ? (await bank(ctx, facts)).map((each) => ofRelated('bank', each)) : []),
    ...(await erp(ctx, facts)).map((each) => ofRelated('erp', each)),
  ]
  return found.toSorted((a, b) => b.because.length - a.because.length).slice(0, MOST_MATCHES)
}
