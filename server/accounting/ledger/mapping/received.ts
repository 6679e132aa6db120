/** Entry of a received invoice: expense or asset, deductible VAT, withholding, and the amount payable. */
import type { ReceivedFacts } from '../../../domain/booking-facts.ts'
import { ACCOUNTS, inputVat, outputVat, PENDING_INPUT_VAT } from './accounts.ts'
import { entryOf } from './entry.ts'
import type { EntryLine } from './entry.ts'

/** Returns the entry of a received invoice. Throws when the supplier's total is not the sum of its parts. */
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
