/** What an issued invoice books: the customer's account, the sales, the VAT by rate and what was kept back. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { shareCents } from '../../../domain/tax/totals.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { ACCOUNTS, ONE_STOP_SHOP_VAT, outputSurcharge, outputVat, PENDING_OUTPUT_VAT } from './accounts.ts'
import { entryOf, reversed } from './entry.ts'
import type { EntryLine } from './entry.ts'

export interface IssuedTax {
  taxTreatment: string
  regimeKey: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  surchargeRateBp: BasisPoints | null
  surchargeCents: Cents
  /** Charged beside base and tax: the cost under a margin scheme, another country's VAT under the one-stop shop. */
  outsideCents: Cents
}

/** What the books need to know of an issued invoice. */
export interface IssuedFacts {
  /** The day it is booked on: see `ledgerDate`. */
  date: BusinessDate
  /** Row of the contact, when the customer is one. */
  contactId: number | null
  taxes: readonly IssuedTax[]
  disbursementsCents: Cents
  /** Before withholding. */
  totalCents: Cents
  withholdingCents: Cents
  /**
   * How the revenue spreads over accounts, as weights (the nets of the lines will do): the revenue itself is what the
   * invoice's taxes say, shared to the cent. Lines without an account carry null.
   */
  sales?: readonly { account: string | null; netCents: Cents }[]
  /** Account of sales that name none; 705 (services) when not said. */
  defaultAccount?: string
  /**
   * R1 to R5. What lowers a sale goes to 708. R2 and R3 (art. 80.3 and 80.4 LIVA) take back the VAT alone: the claim for the
   * price stays, and is a loss only once it is given up.
   */
  kind?: string
  /** Under cash accounting the VAT waits for the payment. */
  cashAccounting?: boolean
  /** Paid before the goods or services: a debt to the customer, no sale yet. */
  advance?: boolean
  /**
   * What this invoice takes the place of, already booked: the tickets of an F3, the original of a rectification by
   * substitution. Booked back in the same entry.
   */
  takesBack?: readonly Omit<IssuedFacts, 'date' | 'takesBack'>[]
}

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
    // The cost under a margin scheme is part of the price and so of the sale; another state's VAT is not.
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
      // An advance is owed to the customer until the final invoice takes it back.
      const contact = facts.advance ? { contactId: facts.contactId } : {}
      return { account: revenueAccount(facts, account, cents), amountCents: -cents, ...contact }
    }),
    ...taxes.lines,
    { account: ACCOUNTS.disbursements, amountCents: -facts.disbursementsCents },
  ]
}

/** The entry of an issued invoice; signed, so that a rectifying one takes off what it lowers. No lines: nothing to book. */
export function entryOfIssued(facts: IssuedFacts): EntryLine[] {
  return entryOf([
    ...ownLines(facts),
    ...(facts.takesBack ?? []).flatMap((before) => reversed(ownLines(before))),
  ])
}
