/**
 * Builds an issued invoice as data for the structured formats: all facts that Facturae, UBL and CII contain, fixed at
 * issue, with sums that add up in each of them. Signs are the invoice's own: refunds are negative. Writes no file.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { InstalmentAmount } from '../../domain/tax/instalments.ts'
import { divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { taxesMargin } from '../../domain/tax/totals.ts'
import type { TaxTotal, TaxTreatment, Totals } from '../../domain/tax/totals.ts'
import {
  documentTotals,
  isSimplified,
  mentionsOf,
  shownInstalments,
  thirdPartyOf,
} from '../../sales/invoices/index.ts'
import type { DraftContent, DraftLine, PartyFacts } from '../../sales/invoices/index.ts'
import { categoryOf } from './category.ts'
import type { VatCategory } from './category.ts'
import { partyOf, sellerOf } from './party.ts'
import type { EParty } from './party.ts'
import { eInvoiceMessages } from './messages.ts'

/** Facts fixed at issue, besides the content. */
export interface IssuedFacts {
  /** As printed. */
  number: string
  /** Code of the series: the part of the number before the last hyphen. */
  seriesCode: string
  issueDate: BusinessDate
  issuer: PartyFacts
  /** Mandate and creditor of a direct debit; null when unknown. */
  debit: { mandate: string; creditorId: string; payerIban: string | null } | null
  /** Address of the registry's QR code. */
  qrUrl?: string | null
  /** Day of the payment with which the whole invoice was paid, on or before its issue. */
  paidOn?: BusinessDate | null
}

export interface ELine {
  description: string
  /** Negative for refunds; the price then is not negative. */
  quantityMicro: Micro
  unit: string | null
  /** Without tax in both price modes; under a margin scheme the whole price. Never negative. */
  unitPriceMicro: Micro
  /** Quantity times price. */
  listedCents: Cents
  discountBp: BasisPoints
  /** The line has its own discount; otherwise the difference between `listedCents` and `netCents` is rounding. */
  isDiscounted: boolean
  /** As on the printed invoice. */
  netCents: Cents
  /** Position in `groups`. */
  group: number
}

/** Lines with the same taxation; suplidos form one group without tax. */
export interface EGroup {
  taxTreatment: TaxTreatment
  regimeKey: string
  vatRateBp: BasisPoints | null
  surchargeRateBp: BasisPoints | null
  isMargin: boolean
  isDisbursement: boolean
  /** Sum of its lines as shown. */
  linesCents: Cents
  /** Difference between the shown lines and the exact sum: each line is rounded, the base only once. */
  roundingCents: Cents
  /** The group's share of the document's discount. */
  discountCents: Cents
  /** lines + rounding - discount: the base; under a margin scheme the price, for suplidos the amount paid. */
  baseCents: Cents
  /** VAT shown on the invoice, also another state's under the one-stop shop; 0 under a margin scheme. */
  taxCents: Cents
  surchargeCents: Cents
  category: VatCategory
  /** Reason why no VAT is charged; null where some is, or may be. */
  reason: string | null
  /** Code of that reason in the VATEX list, where it has one. */
  reasonCode: string | null
  /** The same amounts in euros, when the document is in another currency. */
  inEuros: { baseCents: Cents; taxCents: Cents; surchargeCents: Cents } | null
}

interface EReference {
  number: string
  issueDate: BusinessDate
  role: 'rectifies' | 'substitutes'
}

export interface EInvoice {
  kind: DraftContent['kind']
  /** A simplified invoice, also one with its customer's data (RD 1619/2012 arts. 4 and 7). */
  isSimplified: boolean
  /** The customer is named and identified. */
  hasBuyer: boolean
  tax: DraftContent['tax']
  number: string
  seriesCode: string
  issueDate: BusinessDate
  operationDate: BusinessDate | null
  dueDate: BusinessDate | null
  /** Several due dates in the document's currency, the first of which is `dueDate`; empty for one. */
  instalments: InstalmentAmount[]
  language: DraftContent['language']
  /** ISO 4217: currency of every amount except `inEuros`. */
  currency: string
  exchange: { fxMicro: Micro; fxDate: BusinessDate } | null
  seller: EParty
  buyer: EParty
  /** References of the customer: order, contract, file of the tender. */
  customerReferences: DraftContent['customerReferences']
  lines: ELine[]
  groups: EGroup[]
  discountBp: BasisPoints
  withholding: { rateBp: BasisPoints; baseCents: Cents; amountCents: Cents } | null
  /** Already requested by the invoices that this one replaces. */
  replacedCents: Cents
  /** Bases, taxes and suplidos, before withholding. */
  totalCents: Cents
  amountDueCents: Cents
  references: EReference[]
  rectification: { method: 'S' | 'I'; cause: string | null; reason: string | null } | null
  payment: { method: string | null; iban: string | null; debit: IssuedFacts['debit'] }
  /** Address of the registry's QR code; null where the invoice has none. */
  qrUrl: string | null
  /** Day on which the whole invoice was paid, if it was when it was issued. */
  paidOn: BusinessDate | null
  /** Who issued it in the seller's name: a third party with its data, or the buyer. */
  issuedBy: { kind: 'third_party'; party: EParty } | { kind: 'recipient' } | null
  mentions: string[]
  notes: string | null
}

const MICRO = 1_000_000n
const WHOLE_BP = 10_000

/** Converts a price with tax to one without; the sixth decimal is rounded. */
function netPrice(line: DraftLine, isGross: boolean): Micro {
  const price = Math.abs(line.unitPriceMicro)
  if (!isGross || line.isDisbursement || taxesMargin(line)) return price
  const divisor = BigInt(WHOLE_BP + (line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
  return Number(divideRounded(BigInt(price) * BigInt(WHOLE_BP), divisor))
}

function lineOf(line: DraftLine, netCents: Cents, group: number, isGross: boolean): ELine {
  const unitPriceMicro = netPrice(line, isGross)
  // A price cannot be negative (BR-27): the quantity carries the sign.
  const quantityMicro = line.unitPriceMicro < 0 ? -line.quantityMicro : line.quantityMicro
  const listed = BigInt(quantityMicro) * BigInt(unitPriceMicro) * 100n
  return {
    description: line.description,
    quantityMicro,
    unit: line.unit,
    unitPriceMicro,
    listedCents: Number(divideRounded(listed, MICRO * MICRO)),
    discountBp: line.discountBp,
    isDiscounted: line.discountBp !== 0 || line.discountCents !== 0,
    netCents,
    group,
  }
}

type Keyed = Pick<TaxTotal, 'taxTreatment' | 'regimeKey' | 'vatRateBp' | 'surchargeRateBp'>
const keyOf = (one: Keyed): string =>
  `${one.taxTreatment} ${one.regimeKey} ${one.vatRateBp} ${one.surchargeRateBp}`

/**
 * Returns each line's group among the totals' taxes, -1 for suplidos. Margin sales and other sales with the same key
 * form two groups, which the totals keep in the order of their first lines.
 */
function groupIndexes(lines: readonly DraftLine[], taxes: readonly TaxTotal[]): number[] {
  const kinds = new Map<string, boolean[]>()
  for (const line of lines) {
    if (line.isDisbursement) continue
    const seen = kinds.get(keyOf(line)) ?? []
    if (!seen.includes(taxesMargin(line))) seen.push(taxesMargin(line))
    kinds.set(keyOf(line), seen)
  }
  return lines.map((line) => {
    if (line.isDisbursement) return -1
    const nth = kinds.get(keyOf(line))?.indexOf(taxesMargin(line)) ?? 0
    const alike = taxes.flatMap((tax, index) => (keyOf(tax) === keyOf(line) ? [index] : []))
    const index = alike[nth]
    if (index === undefined) throw new Error('A line is in no tax group of its invoice.')
    return index
  })
}

/** Returns the amount charged for the group: under a margin scheme the price, of which no tax is shown. */
function chargedOf(
  tax: TaxTotal,
  isMargin: boolean,
): Pick<EGroup, 'baseCents' | 'taxCents' | 'surchargeCents'> {
  if (isMargin)
    return {
      baseCents: tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents,
      taxCents: 0,
      surchargeCents: 0,
    }
  const { baseCents, taxCents, outsideCents, surchargeCents } = tax
  return { baseCents, taxCents: taxCents + outsideCents, surchargeCents }
}

interface Whole {
  content: DraftContent
  /** Totals in the document's currency, with its discount and without. */
  shown: Totals
  listed: Totals
  euros: Totals
  indexes: number[]
  seller: EParty
  buyer: EParty
}

function sumOfLines({ shown, indexes }: Whole, index: number): Cents {
  return indexes.reduce(
    (sum, each, line) => (each === index ? sum + (shown.lineNetsCents[line] ?? 0) : sum),
    0,
  )
}

function groupsOf(whole: Whole): EGroup[] {
  const { content, shown, listed, euros, indexes } = whole
  const groups = shown.taxes.map((tax, index): EGroup => {
    const first = content.lines.find((_, line) => indexes[line] === index)
    if (!first) throw new Error('A tax group of an invoice has no line.')
    const isMargin = taxesMargin(first)
    const charged = chargedOf(tax, isMargin)
    const before = chargedOf(listed.taxes[index] ?? tax, isMargin).baseCents
    const inEuros = euros.taxes[index]
    const linesCents = sumOfLines(whole, index)
    const causes = content.lines.filter((_, line) => indexes[line] === index)
    return {
      taxTreatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      vatRateBp: tax.vatRateBp,
      surchargeRateBp: tax.surchargeRateBp,
      isMargin,
      isDisbursement: false,
      linesCents,
      roundingCents: before - linesCents,
      discountCents: before - charged.baseCents,
      ...charged,
      ...categoryOf({ content, tax, isMargin, lines: causes, buyer: whole.buyer }),
      inEuros: content.currency && inEuros ? chargedOf(inEuros, isMargin) : null,
    }
  })
  if (!indexes.includes(-1)) return groups
  const linesCents = sumOfLines(whole, -1)
  return [
    ...groups,
    {
      taxTreatment: 'N1',
      regimeKey: '01',
      vatRateBp: null,
      surchargeRateBp: null,
      isMargin: false,
      isDisbursement: true,
      linesCents,
      roundingCents: shown.disbursementsCents - linesCents,
      discountCents: 0,
      baseCents: shown.disbursementsCents,
      taxCents: 0,
      surchargeCents: 0,
      category: 'O',
      reason: eInvoiceMessages(content.language).disbursement,
      reasonCode: null,
      inEuros: content.currency && {
        baseCents: euros.disbursementsCents,
        taxCents: 0,
        surchargeCents: 0,
      },
    },
  ]
}

/**
 * Enforces that operations not subject to VAT have category O only when the invoice has no other category (BR-O-11 to
 * BR-O-14 of EN 16931): beside other categories they become E, with a reason that states that they are not subject.
 */
function withOneCategoryOfNone(groups: EGroup[]): EGroup[] {
  if (groups.every(({ category, surchargeCents }) => category === 'O' && surchargeCents === 0))
    return groups.map((group) => ({ ...group, reasonCode: 'VATEX-EU-O' }))
  return groups.map((group) => (group.category === 'O' ? { ...group, category: 'E' } : group))
}

/** Converts euros to the currency of the document. */
function inCurrency({ currency }: DraftContent, cents: Cents): Cents {
  if (currency === null) return cents
  return Number(divideRounded(BigInt(cents) * BigInt(currency.fxMicro), MICRO))
}

/** Methods by which money reaches the company's account, so that the account is stated. */
const TO_ACCOUNT: readonly (string | null)[] = [null, 'transfer']

function paymentOf(
  { kind, paymentMethod }: DraftContent,
  { issuer, debit }: IssuedFacts,
  dueCents: Cents,
): EInvoice['payment'] {
  // As on the printed invoice: a ticket is paid immediately unless it states otherwise.
  const byTransfer = isSimplified(kind) ? paymentMethod === 'transfer' : TO_ACCOUNT.includes(paymentMethod)
  return {
    method: paymentMethod,
    // The recipient of a refund must not see an account to pay into.
    iban: byTransfer && dueCents > 0 ? issuer.iban : null,
    debit: paymentMethod === 'direct_debit' ? debit : null,
  }
}

function issuedByOf(content: DraftContent): EInvoice['issuedBy'] {
  if (content.issuedBy?.kind === 'recipient') return { kind: 'recipient' }
  const third = thirdPartyOf(content)
  return third && { kind: 'third_party', party: partyOf(third) }
}

/** Throws when the parts do not add up to the invoice's own total: a bug, and no file may be made of it. */
function assertSums({ groups, lines, totalCents }: EInvoice): void {
  const parts = groups.reduce((sum, each) => sum + each.baseCents + each.taxCents + each.surchargeCents, 0)
  const listed = groups.reduce(
    (sum, each) => sum + each.linesCents + each.roundingCents - each.discountCents - each.baseCents,
    lines.reduce((sum, each) => sum + each.netCents, 0) -
      groups.reduce((sum, each) => sum + each.linesCents, 0),
  )
  if (parts !== totalCents || listed !== 0)
    throw new Error(`The groups of the invoice add up to ${parts} cents, its total is ${totalCents}.`)
}

/** Returns the data of the structured formats. `totals` are in euros, as returned by `totalsOf` of the invoices slice. */
export function eInvoiceOf(content: DraftContent, totals: Totals, issued: IssuedFacts): EInvoice {
  const shown = content.currency ? documentTotals(content) : totals
  const listed = documentTotals({ ...content, discountBp: 0, discountCents: 0 })
  const indexes = groupIndexes(content.lines, shown.taxes)
  const seller = sellerOf(issued.issuer)
  const buyer = partyOf(content.client)
  const whole: Whole = { content, shown, listed, euros: totals, indexes, seller, buyer }
  const groups = withOneCategoryOfNone(groupsOf(whole))
  const isGross = content.priceMode === 'gross'
  const replacedCents = inCurrency(content, content.replacedCents)
  const amountDueCents = shown.amountDueCents - replacedCents
  const { customerReferences } = content
  const invoice: EInvoice = {
    kind: content.kind,
    isSimplified: isSimplified(content.kind) || content.simplifiedArt7273,
    hasBuyer: content.client.nif !== null || !isSimplified(content.kind),
    tax: content.tax,
    number: issued.number,
    seriesCode: issued.seriesCode,
    issueDate: issued.issueDate,
    operationDate: content.operationDate,
    dueDate: content.dueDate,
    instalments: shownInstalments(content, totals),
    language: content.language,
    currency: content.currency?.code ?? 'EUR',
    exchange: content.currency && {
      fxMicro: content.currency.fxMicro,
      fxDate: content.currency.fxDate ?? content.operationDate ?? issued.issueDate,
    },
    seller,
    buyer,
    customerReferences,
    lines: content.lines.map((line, index) =>
      lineOf(
        line,
        shown.lineNetsCents[index] ?? 0,
        indexes[index] === -1 ? groups.length - 1 : (indexes[index] ?? 0),
        isGross,
      ),
    ),
    groups,
    discountBp: content.discountBp,
    withholding: shown.withholding,
    replacedCents,
    totalCents: shown.totalCents,
    amountDueCents,
    references: content.references.map(({ number, issueDate, role }) => ({ number, issueDate, role })),
    rectification: content.rectification && {
      method: content.rectification.method,
      cause: content.rectification.cause,
      reason: content.rectification.reason,
    },
    payment: paymentOf(content, issued, amountDueCents),
    qrUrl: issued.qrUrl ?? null,
    paidOn: issued.paidOn ?? null,
    issuedBy: issuedByOf(content),
    mentions: mentionsOf(content, totals),
    notes: content.notes,
  }
  assertSums(invoice)
  return invoice
}
