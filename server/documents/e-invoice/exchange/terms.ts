/**
 * Builds an invoice in the terms of EN 16931:2026 and of the exchange profile. Against the edition of 2017: signs are those of the
 * books, disbursements and withholding are collection lines (BG-34), each line names its regime, margins have their own category.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import { replacedNote } from '../../../domain/tax/en16931-notes.ts'
import { centsToText } from '../../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../../domain/money.ts'
import { provinceOf } from '../codes.ts'
import {
  documentAllowances,
  enLineOf,
  enPaymentOf,
  isBlank,
  isCashAccounted,
  taxesOf,
  termsOf,
} from '../en16931.ts'
import type { EnDocumentAllowance, EnLine, EnPayment, EnTax } from '../en16931.ts'
import type { EGroup, EInvoice } from '../invoice.ts'
import { eInvoiceMessages, noteLanguage } from '../messages.ts'
import type { EParty } from '../party.ts'
import { NATIONAL_TAXES, regimeOf, WITHHELD_MARK } from './codes.ts'
import type { INVOICE_TYPES, NationalTax } from './codes.ts'

type ExchangeType = (typeof INVOICE_TYPES)[number]

export interface ExchangeLine extends EnLine {
  /** BT-194, BT-195. */
  reason: string | null
  reasonCode: string | null
  /** BT-161 of the property REGI, with its national tax (BT-ES-24). */
  regime: { key: string; tax: NationalTax }
}

/** BG-34: what the seller collects for somebody else, or the customer withholds. */
interface CollectionLine {
  cents: Cents
  description: string
}

export interface ExchangeParty {
  name: string
  tradeName: string | null
  /** Without country prefix. */
  nif: string
  /** BT-31, with the prefix ES; null outside the territory of VAT, and of a buyer. */
  vatNumber: string | null
  legalInfo: string | null
  street: string
  postalCode: string
  city: string
  province: string
  country: string
  phone: string | null
  email: string | null
}

export interface ExchangeInvoice {
  number: string
  issueDate: BusinessDate
  dueDate: BusinessDate | null
  typeCode: ExchangeType
  currency: string
  /** BT-7, or BT-72 beside a code of the day of accrual (BT-8), since both exclude each other (BR-CO-3). */
  operation: { date: BusinessDate; isTaxPoint: boolean } | null
  isCashAccounting: boolean
  /** BT-6, BT-111, and BT-167: the invoice's currency for one euro. */
  accounting: { taxCents: Cents; rateMicro: Micro; rateDate: BusinessDate } | null
  order: string | null
  contract: string | null
  tender: string | null
  preceding: { number: string; issueDate: BusinessDate }[]
  rectification: { kind: string; method: 'S' | 'I' } | null
  qrUrl: string | null
  notes: string[]
  seller: ExchangeParty
  buyer: ExchangeParty
  payment: EnPayment | null
  terms: string[]
  /** BT-ES-2. */
  paidOn: BusinessDate | null
  allowances: EnDocumentAllowance[]
  taxes: EnTax[]
  /** BG-ES-4. */
  withholding: { key: string; rateBp: BasisPoints; baseCents: Cents; amountCents: Cents } | null
  collected: CollectionLine[]
  lines: ExchangeLine[]
  linesCents: Cents
  allowancesCents: Cents
  chargesCents: Cents
  baseCents: Cents
  taxCents: Cents
  totalCents: Cents
  paidCents: Cents
  dueCents: Cents
}

const sum = (values: readonly Cents[]): Cents => values.reduce((total, each) => total + each, 0)

/** Key of withholding that every invoice gets, until the words of the list are known (assumption `withholding`). */
const WITHHOLDING_KEY = '01'

/** Regime of travel agencies; the other margin scheme is that of used goods. */
const TRAVEL = '05'

function typeOf({ rectification, issuedBy }: EInvoice): ExchangeType {
  const isSelfBilled = issuedBy?.kind === 'recipient'
  if (rectification !== null) return isSelfBilled ? '471' : '384'
  return isSelfBilled ? '389' : '380'
}

/** Gives margin sales their own category: D for travel agencies, F for second-hand goods. */
function withMargins(group: EGroup): EGroup {
  return group.isMargin ? { ...group, category: group.regimeKey === TRAVEL ? 'D' : 'F' } : group
}

/** Returns the invoice without disbursements, which are collected, not sold. */
function soldOf(invoice: EInvoice): EInvoice {
  const own = invoice.lines.filter(({ group }) => invoice.groups[group]?.isDisbursement === false)
  // Disbursements are the last group, so that the positions of the others stay.
  const groups = invoice.groups.filter(({ isDisbursement }) => !isDisbursement).map(withMargins)
  return { ...invoice, lines: own, groups }
}

function collectedOf(invoice: EInvoice): CollectionLine[] {
  const group = invoice.groups.find(({ isDisbursement }) => isDisbursement)
  const lines = invoice.lines
    .filter(({ group: at }) => invoice.groups[at]?.isDisbursement)
    .map(({ netCents, description }) => ({ cents: netCents, description }))
  const [last] = lines.slice(-1)
  // Lines are rounded one by one, their sum once.
  if (last && group) last.cents += group.roundingCents
  return lines
}

function linesOf(sold: EInvoice): ExchangeLine[] {
  const tax = NATIONAL_TAXES[sold.tax]
  return sold.lines.map((line, index) => {
    const group = sold.groups[line.group]
    if (!group) throw new Error('A line of an electronic invoice is in no group.')
    return {
      ...enLineOf(line, index, sold, 1),
      note: null,
      reason: group.reason,
      reasonCode: group.reasonCode,
      regime: { key: regimeOf(tax, group.regimeKey), tax },
    }
  })
}

function partyOf(party: EParty, vatNumber: string | null): ExchangeParty {
  const { name, tradeName, nif, registryInscription, street, postalCode, city, province, phone, email } =
    party
  if (nif === null) throw new Error('A party of an invoice for the exchange has no number.')
  return {
    name,
    tradeName,
    nif,
    vatNumber,
    legalInfo: registryInscription,
    street: street ?? '',
    postalCode: postalCode ?? '',
    city: city ?? '',
    province: province ?? provinceOf(postalCode ?? '') ?? '',
    country: party.country,
    phone,
    email,
  }
}

function notesOf(invoice: EInvoice): string[] {
  const { mentions, notes, rectification, replacedCents, language, currency } = invoice
  return [
    ...mentions,
    notes,
    rectification?.reason ?? null,
    replacedCents === 0 ? null : replacedNote(noteLanguage(language), replacedCents, currency),
  ].filter((note) => !isBlank(note)) as string[]
}

/** Returns the payment terms (BG-33): one for each instalment. */
function paymentTerms(invoice: EInvoice, dueCents: Cents): string[] {
  const { instalments, language, currency } = invoice
  if (instalments.length === 0) {
    const terms = termsOf(invoice, dueCents)
    return terms === null ? [] : [terms]
  }
  const { instalments: word } = eInvoiceMessages(language)
  return instalments.map(
    ({ dueDate, cents }, index) =>
      `${word} ${index + 1}/${instalments.length}: ${dueDate} ${centsToText(cents)} ${currency}`,
  )
}

function operationOf({ operationDate, issueDate }: EInvoice, isCashAccounting: boolean) {
  if (operationDate === null || operationDate === issueDate) return null
  return { date: operationDate, isTaxPoint: !isCashAccounting }
}

/** Returns the invoice in the terms of the profile. Check `exchangeFault` first. Throws if the sums do not agree. */
export function exchangeInvoiceOf(invoice: EInvoice): ExchangeInvoice {
  const sold = soldOf(invoice)
  const lines = linesOf(sold)
  const allowances = documentAllowances(sold, 1)
  const taxes = taxesOf(sold, 1)
  const of = (isCharge: boolean) =>
    sum(allowances.filter((each) => each.isCharge === isCharge).map(({ amountCents }) => amountCents))
  const linesCents = sum(lines.map(({ netCents }) => netCents))
  const [allowancesCents, chargesCents] = [of(false), of(true)]
  const baseCents = linesCents - allowancesCents + chargesCents
  const taxCents = sum(taxes.map((tax) => tax.taxCents))
  const totalCents = baseCents + taxCents
  const { withholding, rectification } = invoice
  const collected = collectedOf(invoice)
  if (withholding) collected.push({ cents: -withholding.amountCents, description: WITHHELD_MARK })
  const openCents = totalCents - invoice.replacedCents + sum(collected.map(({ cents }) => cents))
  if (openCents !== invoice.amountDueCents)
    throw new Error(`The exchange profile gives ${openCents} cents, the invoice ${invoice.amountDueCents}.`)
  const paidNowCents = invoice.paidOn === null ? 0 : openCents
  const isCashAccounting = sold.groups.some(isCashAccounted)
  const isOutside = sold.groups.every(({ category }) => category === 'O')
  // The number for VAT exists in its territory only, and where everything is outside it none is stated (BR-O-2).
  const sellerVat = invoice.tax === '01' && !isOutside ? invoice.seller.vatNumber : null
  return {
    number: invoice.number,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    typeCode: typeOf(invoice),
    currency: invoice.currency,
    operation: operationOf(invoice, isCashAccounting),
    isCashAccounting,
    accounting: invoice.exchange && {
      taxCents: sum(sold.groups.map(({ inEuros }) => inEuros?.taxCents ?? 0)),
      rateMicro: invoice.exchange.fxMicro,
      rateDate: invoice.exchange.fxDate,
    },
    order: invoice.customerReferences?.order ?? null,
    contract: invoice.customerReferences?.contract ?? null,
    tender: invoice.customerReferences?.file ?? null,
    preceding: invoice.references.map(({ number, issueDate }) => ({ number, issueDate })),
    rectification: rectification && { kind: invoice.kind, method: rectification.method },
    qrUrl: invoice.qrUrl,
    notes: notesOf(invoice),
    seller: partyOf(invoice.seller, sellerVat),
    buyer: partyOf(invoice.buyer, null),
    payment: enPaymentOf(invoice),
    terms: paymentTerms(invoice, openCents - paidNowCents),
    paidOn: invoice.paidOn,
    allowances,
    taxes,
    withholding: withholding && { key: WITHHOLDING_KEY, ...withholding },
    collected,
    lines,
    linesCents,
    allowancesCents,
    chargesCents,
    baseCents,
    taxCents,
    totalCents,
    paidCents: invoice.replacedCents + paidNowCents,
    dueCents: openCents - paidNowCents,
  }
}
