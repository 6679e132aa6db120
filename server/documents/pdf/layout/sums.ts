/** Sums of a document in every format: taxes per rate, their totals, withholding, and the amount due. */
import { date, exchangeRate, money, rate } from '../number-format.ts'
import { taxName, vatOfGroup } from '../labels/index.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper } from '../paper.ts'

export type SumLine =
  /** A group of the breakdown, or (strong) the sum of all groups. */
  | { kind: 'tax'; label: string; base: string; amount: string; strong: boolean }
  | { kind: 'amount'; label: string; amount: string; strong: boolean; field?: string }
  | { kind: 'rule' }
  /** The main figure of the document. */
  | { kind: 'box'; label: string; amount: string }

type TaxLine = Extract<SumLine, { kind: 'tax' }>

function taxLines(paper: InvoicePaper, labels: Labels): TaxLine[] {
  const { language, currency } = paper
  const lines: TaxLine[] = []
  let baseCents = 0
  let vatCents = 0
  for (const tax of paper.taxes) {
    // Under a margin scheme the tax is inside the price and is not shown.
    const priceCents = tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents
    const base = money(tax.isMargin ? priceCents : tax.baseCents, language, currency)
    const abroadCents = tax.taxTreatment === 'N2' ? tax.outsideCents : 0
    const bearsVat = (tax.taxTreatment === 'S1' && !tax.isMargin) || abroadCents !== 0
    lines.push({
      kind: 'tax',
      label: vatOfGroup(tax, paper),
      base,
      amount: bearsVat ? money(tax.taxCents + abroadCents, language, currency) : '—',
      strong: false,
    })
    baseCents += tax.isMargin ? priceCents : tax.baseCents
    vatCents += tax.isMargin ? 0 : tax.taxCents + tax.surchargeCents + abroadCents
    if (tax.surchargeRateBp !== null && tax.surchargeRateBp !== 0) {
      lines.push({
        kind: 'tax',
        label: `${labels.surcharge} ${rate(tax.surchargeRateBp, language)}`,
        base,
        amount: money(tax.surchargeCents, language, currency),
        strong: false,
      })
    }
  }
  if (lines.length > 1)
    lines.push({
      kind: 'tax',
      label: labels.sum,
      base: money(baseCents, language, currency),
      amount: money(vatCents, language, currency),
      strong: true,
    })
  return lines
}

/** Returns tax and total in euros of a document in another currency. */
function euroLines(paper: InvoicePaper, labels: Labels): SumLine[] {
  const { inEuros, currency, language } = paper
  if (inEuros === null) return []
  const day = inEuros.fxDate === null ? '' : date(inEuros.fxDate, language)
  const plain = (label: string, amount: string): SumLine => ({
    kind: 'amount',
    label,
    amount,
    strong: false,
  })
  return [
    plain(labels.inEuros(exchangeRate(inEuros.fxMicro, language), currency, day), ''),
    plain(labels.taxInEuros(taxName(paper)), money(inEuros.taxCents, language)),
    plain(labels.totalInEuros, money(inEuros.totalCents, language)),
  ]
}

/**
 * Returns subtotal, discount and base: the discount is the difference of the other two, and the base is that of the
 * breakdown.
 */
function discountLines(paper: InvoicePaper, labels: Labels): SumLine[] {
  const { language, currency, documentDiscountCents, documentDiscount, baseCents } = paper
  if (documentDiscountCents === 0) return []
  const { rateBp, cents } = documentDiscount
  // An amount by itself is the line's own figure; beside a rate it has to be stated.
  const stated =
    rateBp === 0
      ? ''
      : ` ${[rate(rateBp, language), ...(cents === 0 ? [] : [money(cents, language, currency)])].join(' + ')}`
  const line = (label: string, amountCents: number, field?: string): SumLine => ({
    kind: 'amount',
    label,
    amount: money(amountCents, language, currency),
    strong: false,
    ...(field ? { field } : {}),
  })
  const discount = line(`${labels.documentDiscount}${stated}`, -documentDiscountCents, 'discount')
  // Under a margin scheme the prices are shown, not the bases.
  if (paper.taxes.some(({ isMargin }) => isMargin)) return [discount]
  return [
    line(labels.subtotal, baseCents + documentDiscountCents),
    discount,
    line(labels.baseAfterDiscount, baseCents),
  ]
}

/** Returns the sums from the breakdown down to the box. */
export function sumLines(paper: InvoicePaper, labels: Labels): SumLine[] {
  const { language, currency, withholding, disbursementsCents, replacedCents } = paper
  const totalLabel = paper.document === 'invoice' ? labels.total : labels.totalOffered
  const lines: SumLine[] = []
  lines.push(...discountLines(paper, labels))
  for (const tax of taxLines(paper, labels)) lines.push(...(tax.strong ? [RULE] : []), tax)
  // A refund is shown as one: nobody pays a negative sum.
  const givesBack = paper.document === 'invoice' && paper.amountDueCents < 0
  if (withholding === null && disbursementsCents === 0 && replacedCents === 0 && !givesBack) {
    const total = money(paper.totalCents, language, currency)
    return [...lines, ...euroLines(paper, labels), { kind: 'box', label: totalLabel, amount: total }]
  }
  // The registry and the QR hold the supply and its tax; money advanced for the client is added on top.
  const invoiced = money(paper.totalCents - disbursementsCents, language, currency)
  lines.push(RULE, { kind: 'amount', label: totalLabel, amount: invoiced, strong: true })
  const add = (label: string, cents: number, field?: string): void => {
    const amount = money(cents, language, currency)
    lines.push({ kind: 'amount', label, amount, strong: false, ...(field ? { field } : {}) })
  }
  if (disbursementsCents !== 0) add(labels.disbursements, disbursementsCents)
  if (withholding !== null) {
    const base = money(withholding.baseCents, language, currency)
    add(labels.withholding(rate(withholding.rateBp, language), base), -withholding.amountCents, 'withholding')
  }
  const keepsClaim = paper.kind === 'R2' || paper.kind === 'R3'
  if (replacedCents !== 0) add(keepsClaim ? labels.stillOwed : labels.alreadyInvoiced, -replacedCents)
  lines.push(...euroLines(paper, labels))
  const negative = keepsClaim ? labels.amountOffDebt : labels.amountToReturn
  lines.push({
    kind: 'box',
    label: givesBack ? negative : labels.amountDue,
    amount: money(givesBack ? -paper.amountDueCents : paper.amountDueCents, language, currency),
  })
  return lines
}

const RULE: SumLine = { kind: 'rule' }
