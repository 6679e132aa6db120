/** Ledger entry of an issued invoice, and its reversal by an annulment. */
import type { IssuedFacts } from '../../../domain/booking-facts.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { TaxTotal } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { accrualDateOf } from '../content.ts'
import { countedOf, replacesInvoices } from './counting.ts'
import type { CountedInvoice } from './counting.ts'
import { replacedBy, amountsOfOtherProgram } from '../references/replace.ts'

type Facts = Omit<IssuedFacts, 'date' | 'takesBack'>

/** A rent of business premises is no sale (PGC 752). */
const RENT_ACCOUNT = '752'

function factsOf({ content, totals }: CountedInvoice, contactId: number | null): Facts {
  const rents = content.property !== null || totals.taxes.some((tax) => tax.regimeKey === '11')
  return {
    contactId,
    taxes: totals.taxes,
    disbursementsCents: totals.disbursementsCents,
    totalCents: totals.totalCents,
    withholdingCents: totals.withholding?.amountCents ?? 0,
    sales: content.lines
      .map((line, index) => ({ line, netCents: totals.lineNetsCents[index] ?? 0 }))
      .filter(({ line }) => !line.isDisbursement)
      .map(({ line, netCents }) => ({ account: line.account ?? (rents ? RENT_ACCOUNT : null), netCents })),
    kind: content.kind,
    cashAccounting: totals.taxes.some((tax) => tax.regimeKey === '07'),
  }
}

/** Amount requested by an invoice of another program, of which only base and tax are known. */
function elsewhereFacts(tax: TaxTotal, contactId: number | null): Facts {
  return {
    contactId,
    taxes: [tax],
    disbursementsCents: 0,
    totalCents: tax.baseCents + tax.taxCents + tax.surchargeCents,
    withholdingCents: 0,
  }
}

/** Books an invoice with its issue, in the same transaction. `contactId`: row of the customer's contact. */
export async function bookEntry(ctx: Ctx, invoice: CountedInvoice, contactId: number | null): Promise<void> {
  const accrual = accrualDateOf({ ...invoice.content, issueDate: invoice.issueDate })
  const replaced =
    invoice.justIssued?.replaced ??
    (replacesInvoices(invoice.content) ? await replacedBy(ctx, invoice.rowId) : [])
  const takesBack = replaced.map((before) => factsOf(countedOf(before), before.row.contact_id))
  const elsewhere = amountsOfOtherProgram(invoice.content, invoice.totals, replaced)
  if (elsewhere) takesBack.push(elsewhereFacts(elsewhere, contactId))
  const facts = { ...factsOf(invoice, contactId), takesBack }
  await ctx.env.ledger.bookIssued(ctx, invoice.rowId, facts, { accrual, issue: invoice.issueDate })
}

/** Reverses the entry of an annulled invoice. */
export function unbookEntry(ctx: Ctx, rowId: number, today: BusinessDate): Promise<void> {
  return ctx.env.ledger.reverseEntry(ctx, { type: 'invoice', id: rowId }, today)
}

/** Restores the entry of an invoice that comes back into force. */
export function rebookEntry(ctx: Ctx, rowId: number, today: BusinessDate): Promise<void> {
  return ctx.env.ledger.restoreEntry(ctx, { type: 'invoice', id: rowId }, today)
}
