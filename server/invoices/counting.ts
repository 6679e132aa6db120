/** What an invoice adds to the figures of its period when it comes into force, and takes back when it is annulled. */
import { accrualDateOf } from './accrual.ts'
import type { BusinessDate } from '../core/dates.ts'
import type { Cents } from '../core/money.ts'
import { MARGIN_REGIMES, ONE_STOP_SHOP } from '../core/totals.ts'
import type { TaxTotal, Totals } from '../core/totals.ts'
import type { Ctx } from '../ctx.ts'
import { countOperation } from '../figures/index.ts'
import type { Operation } from '../figures/index.ts'
import { isRectifying, isSimplified, keepsClaim } from './content.ts'
import type { DraftContent } from './content.ts'
import type { InvoiceKind } from './contract.ts'
import { replacedBy, takenFromElsewhere } from './references-replace.ts'
import type { Replaced } from './references-replace.ts'

const TAX_FAMILY = { '01': 'vat', '02': 'ipsi', '03': 'igic' } as const

/** Treatments that only goods have; the rest counts as services, which matters where the customer is in the EU. */
const GOODS: readonly string[] = ['E2', 'E5']

/** Sales of the one-stop shop are goods, unless they are booked as services. */
function natureOf(content: DraftContent, tax: TaxTotal): 'goods' | 'services' {
  if (GOODS.includes(tax.taxTreatment)) return 'goods'
  if (tax.regimeKey !== ONE_STOP_SHOP) return 'services'
  const lines = content.lines.filter((line) => line.regimeKey === ONE_STOP_SHOP)
  return lines.every((line) => line.account?.startsWith('705')) ? 'services' : 'goods'
}

/**
 * Income of income tax. Under a margin scheme it is the whole price without its VAT: the cost is an expense of its own. What
 * is recovered of an insolvent or uncollectible claim is VAT, not income (LIVA art. 80.Tres and Cuatro).
 */
function incomeOf(kind: InvoiceKind, tax: TaxTotal): Cents {
  if (keepsClaim(kind)) return 0
  return tax.baseCents + (MARGIN_REGIMES.includes(tax.regimeKey) ? tax.outsideCents : 0)
}

/** The facts of an issued invoice that its figures come from. */
export interface CountedInvoice {
  rowId: number
  content: DraftContent
  totals: Totals
  issueDate: BusinessDate
}

/** An invoice as the figures know it. Disbursements are no operation of the issuer's. */
export function operationOf({ rowId, content, totals, issueDate }: CountedInvoice): Operation {
  const { client } = content
  const { withholding } = totals
  const rents = content.property !== null || totals.taxes.some((tax) => tax.regimeKey === '11')
  return {
    source: { type: 'invoice', id: rowId },
    side: 'issued',
    date: accrualDateOf({ ...content, issueDate }),
    rectifying: isRectifying(content.kind),
    cash: totals.taxes.some((tax) => tax.regimeKey === '07'),
    taxes: totals.taxes.map((tax) => ({
      tax: TAX_FAMILY[content.tax],
      taxTreatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      vatRateBp: tax.vatRateBp,
      surchargeRateBp: tax.surchargeRateBp,
      baseCents: tax.baseCents,
      taxCents: tax.taxCents,
      surchargeCents: tax.surchargeCents,
      incomeCents: incomeOf(content.kind, tax),
      nature: natureOf(content, tax),
    })),
    party: {
      nif: client.nif,
      name: client.name,
      country: client.country,
      postalCode: client.postalCode,
      idType: client.idType,
    },
    totalCents: totals.totalCents - totals.disbursementsCents,
    withholding: withholding && { ...withholding, reason: rents ? 'rent' : 'professional' },
    missingNif: !isSimplified(content.kind) && client.nif === null,
  }
}

/**
 * Counts an invoice: in with its issue or its coming back (1), out with its annulment (-1). One that stands for others (an
 * F3 for tickets, a rectification by substitution for its original) takes their place: what they count is taken back on
 * its own day, so that no sale counts twice. The VAT books do the same with two entries (RIVA art. 70; their unified
 * layout's rule for rectifications by substitution).
 */
export async function countInvoice(ctx: Ctx, invoice: CountedInvoice, times: 1 | -1): Promise<void> {
  const operation = operationOf(invoice)
  await countOperation(ctx, operation, times)
  if (!takesPlaces(invoice.content)) return
  const replaced = await replacedBy(ctx, invoice.rowId)
  for (const [index, before] of replaced.entries())
    await countOperation(ctx, takenBack(operationOf(countedOf(before)), operation, index + 1), times)
  const elsewhere = takenFromElsewhere(invoice.content, invoice.totals, replaced)
  if (elsewhere) await countOperation(ctx, fromElsewhere(operation, elsewhere, replaced.length + 1), times)
}

/** An F3 or a rectification by substitution: only these stand in the place of others. */
export function takesPlaces(content: Pick<DraftContent, 'kind' | 'rectification'>): boolean {
  return content.kind === 'F3' || content.rectification?.method === 'S'
}

/** An invoice that another took the place of, as the figures know it. */
export function countedOf({ row, content, totals }: Replaced): CountedInvoice {
  return { rowId: row.id, content, totals, issueDate: row.issue_date ?? row.list_date }
}

/** What stands in other books, taken back as a part of the invoice that takes its place. */
function fromElsewhere(by: Operation, tax: TaxTotal, part: number): Operation {
  const { baseCents, taxCents, surchargeCents } = tax
  const like = by.taxes.find(
    (one) => one.taxTreatment === tax.taxTreatment && one.vatRateBp === tax.vatRateBp,
  )
  return {
    ...by,
    source: { ...by.source, part },
    taxes: like
      ? [{ ...like, baseCents: -baseCents, taxCents: -taxCents, surchargeCents: -surchargeCents }]
      : [],
    totalCents: -(baseCents + taxCents + surchargeCents),
    withholding: null,
    missingNif: false,
  }
}

/** An operation with its signs turned, as a part of the invoice that stands in its place. */
function takenBack(before: Operation, by: Operation, part: number): Operation {
  const { withholding } = before
  return {
    ...before,
    source: { ...by.source, part },
    date: by.date,
    rectifying: by.rectifying,
    taxes: before.taxes.map((tax) => ({
      ...tax,
      baseCents: -tax.baseCents,
      taxCents: -tax.taxCents,
      surchargeCents: -tax.surchargeCents,
    })),
    totalCents: -before.totalCents,
    withholding: withholding && {
      ...withholding,
      baseCents: -withholding.baseCents,
      amountCents: -withholding.amountCents,
    },
    missingNif: false,
  }
}
