/** Entry of an issued invoice: customer account, sales, VAT by rate, and withholding. */
import type { IssuedFacts } from '../../../domain/booking-facts.ts'
import { shareCents } from '../../../domain/tax/totals.ts'
import type { Cents } from '../../../domain/money.ts'
import { ACCOUNTS, ONE_STOP_SHOP_VAT, outputSurcharge, outputVat, PENDING_OUTPUT_VAT } from './accounts.ts'
import { entryOf, reversed } from './entry.ts'
import type { EntryLine } from './entry.ts'

const UNCOLLECTIBLE = ['R2', 'R3']

function keepsClaim(facts: Omit<IssuedFacts, 'date'>): boolean {
  return facts.kind !== undefined && UNCOLLECTIBLE.includes(facts.kind)
}

function revenueAccount(facts: Omit<IssuedFacts, 'date'>, account: string | null, cents: Cents): string {
  if (facts.advance) return ACCOUNTS.customerAdvances
  if (account !== null) return account
  if (facts.kind?.startsWith('R') && cents < 0) return ACCOUNTS.salesReturns
  return facts.defaultAccount ?? ACCOUNTS.services
}

function taxLines(facts: Omit<IssuedFacts, 'date'>): { lines: EntryLine[]; cents: Cents } {
  const lines: EntryLine[] = []
  let cents = 0
  const add = (account: string, amount: Cents) => {
    lines.push({ account, amountCents: -amount })
    cents += amount
  }
  for (const tax of facts.taxes) {
    add(facts.cashAccounting ? PENDING_OUTPUT_VAT : outputVat(tax.vatRateBp), tax.taxCents)
    add(facts.cashAccounting ? PENDING_OUTPUT_VAT : outputSurcharge(tax.surchargeRateBp), tax.surchargeCents)
    // Under a margin scheme the cost is part of the price and so of the sale; VAT of another state is not.
    if (tax.taxTreatment === 'N2') add(ONE_STOP_SHOP_VAT, tax.outsideCents)
  }
  return { lines, cents }
}

function ownLines(facts: Omit<IssuedFacts, 'date' | 'takesBack'>): EntryLine[] {
  const taxes = taxLines(facts)
  if (keepsClaim(facts))
    return [
      { account: ACCOUNTS.customers, amountCents: taxes.cents, contactId: facts.contactId },
      ...taxes.lines,
    ]
  const revenueCents = facts.totalCents - taxes.cents - facts.disbursementsCents
  const sales =
    facts.sales && facts.sales.length > 0 ? facts.sales : [{ account: null, netCents: revenueCents }]
  const shares = shareCents(
    revenueCents,
    sales.map(({ netCents }) => BigInt(netCents)),
  )
  return [
    {
      account: ACCOUNTS.customers,
      amountCents: facts.totalCents - facts.withholdingCents,
      contactId: facts.contactId,
    },
    { account: ACCOUNTS.withheldFromUs, amountCents: facts.withholdingCents },
    ...sales.map(({ account }, index) => {
      const cents = shares[index] ?? 0
      // An advance is owed to the customer until the final invoice deducts it.
      const contact = facts.advance ? { contactId: facts.contactId } : {}
      return { account: revenueAccount(facts, account, cents), amountCents: -cents, ...contact }
    }),
    ...taxes.lines,
    { account: ACCOUNTS.disbursements, amountCents: -facts.disbursementsCents },
  ]
}

/**
 * Returns the entry of an issued invoice; signed, so that a rectifying invoice reduces what it rectifies. Empty when
 * there is nothing to book.
 */
export function entryOfIssued(facts: IssuedFacts): EntryLine[] {
  return entryOf([
    ...ownLines(facts),
    ...(facts.takesBack ?? []).flatMap((before) => reversed(ownLines(before))),
  ])
}
