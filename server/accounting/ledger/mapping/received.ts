/** What a received invoice books: the expense or asset, the VAT that may be deducted, what is kept back and what is owed. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { ACCOUNTS, inputVat, outputVat, PENDING_INPUT_VAT } from './accounts.ts'
import { entryOf } from './entry.ts'
import type { EntryLine } from './entry.ts'

/**
 * To whom the VAT of a line is owed: to the supplier, as part of the invoice; by ourselves (reverse charge, purchases from
 * other member states), as output and input VAT at once; or to customs, with the return (deferred VAT on imports).
 */
export type VatOwedTo = 'supplier' | 'self' | 'customs'

export interface ReceivedTax {
  /** Account of the expense (6xx) or of the asset (2xx). */
  account: string
  vatRateBp: BasisPoints | null
  baseCents: Cents
  taxCents: Cents
  /** Surcharge charged by the supplier; never deductible. */
  surchargeCents: Cents
  /** The part of `taxCents` that may be deducted; the rest is cost. */
  deductibleCents: Cents
  vatOwedTo?: VatOwedTo
}

/** What the books need to know of a received invoice. */
export interface ReceivedFacts {
  date: BusinessDate
  contactId: number | null
  taxes: readonly ReceivedTax[]
  withholdingCents: Cents
  /** 400 for suppliers of goods, 410 for services, 523 for assets; 410 when not said. */
  payableAccount?: string
  /** The supplier's total before withholding. */
  totalCents: Cents
  /** Of the supplier or our own: VAT is deductible when paid. */
  cashAccounting?: boolean
}

/** The entry of a received invoice. Throws when the supplier's total is not the sum of its parts. */
export function entryOfReceived(facts: ReceivedFacts): EntryLine[] {
  const lines: EntryLine[] = []
  let chargedCents = 0
  for (const tax of facts.taxes) {
    const costOfTax = tax.taxCents - tax.deductibleCents
    lines.push({ account: tax.account, amountCents: tax.baseCents + costOfTax + tax.surchargeCents })
    const owedTo = tax.vatOwedTo ?? 'supplier'
    const waits = facts.cashAccounting === true && owedTo === 'supplier'
    lines.push({
      account: waits ? PENDING_INPUT_VAT : inputVat(tax.vatRateBp),
      amountCents: tax.deductibleCents,
    })
    chargedCents += tax.baseCents + tax.surchargeCents
    if (owedTo === 'supplier') chargedCents += tax.taxCents
    else if (owedTo === 'self') lines.push({ account: outputVat(tax.vatRateBp), amountCents: -tax.taxCents })
    else lines.push({ account: ACCOUNTS.vatPayable, amountCents: -tax.taxCents })
  }
  if (chargedCents !== facts.totalCents)
    throw new Error(`The invoice says ${facts.totalCents} cents, its parts ${chargedCents}.`)
  return entryOf([
    ...lines,
    { account: ACCOUNTS.withheldByUs, amountCents: -facts.withholdingCents },
    {
      account: facts.payableAccount ?? ACCOUNTS.creditors,
      amountCents: facts.withholdingCents - facts.totalCents,
      contactId: facts.contactId,
    },
  ])
}
