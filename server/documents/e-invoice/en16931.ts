/**
 * Builds the invoice in the terms of EN 16931-1, from which CII and UBL are written. Business terms (BT) and rules
 * (BR) are named where they decide something.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import {
  NOTE_MESSAGES,
  replacedNote,
  surchargeReason,
  withholdingNote,
} from '../../domain/tax/en16931-notes.ts'
import { centsToText, microToText } from '../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import type { VatCategory } from './category.ts'
import { isoCountry, MEANS, unitOf } from './codes.ts'
import type { EGroup, EInvoice, ELine } from './invoice.ts'
import type { EParty } from './party.ts'
import { methodName, noteLanguage, percentText, eInvoiceMessages } from './messages.ts'

/**
 * Allowance or charge: BG-27, BG-28 of a line, BG-20, BG-21 of the document. The amount is never negative: a negative
 * allowance becomes a charge, and the reverse.
 */
export interface EnAllowance {
  isCharge: boolean
  amountCents: Cents
  reason: string
  /** UNTDID 5189; charges have a reason text only. */
  reasonCode: string | null
  /** Rate of the amount and its base: BT-94 and BT-93, BT-101 and BT-100. */
  share: { rateBp: BasisPoints; baseCents: Cents } | null
}

export interface EnCategory {
  category: VatCategory
  /** Null under O (BR-O-5). */
  rateBp: BasisPoints | null
}

export interface EnLine extends EnCategory {
  id: string
  name: string
  description: string | null
  /** BT-127. */
  note: string | null
  quantityMicro: Micro
  unitCode: string
  priceMicro: Micro
  allowances: EnAllowance[]
  netCents: Cents
}

export interface EnDocumentAllowance extends EnAllowance, EnCategory {}

/** BG-23. */
export interface EnTax extends EnCategory {
  baseCents: Cents
  taxCents: Cents
  reason: string | null
  reasonCode: string | null
}

export interface EnParty {
  name: string
  tradeName: string | null
  /** BT-46: for a buyer whose number is neither a VAT number nor one of a register. */
  id: string | null
  /** BT-30, BT-47. */
  legalId: string | null
  /** BT-31, BT-48. */
  vatNumber: string | null
  /** BT-33. */
  legalInfo: string | null
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
  country: string
  phone: string | null
  email: string | null
}

/** BG-16. */
export interface EnPayment {
  /** UNTDID 4461. */
  code: string
  text: string | null
  iban: string | null
  debit: { mandate: string; creditorId: string; payerIban: string | null } | null
}

/** Types of a document that the seller issues, and of one that the buyer issues in the seller's name. */
const TYPES = {
  invoice: ['380', '389'],
  creditNote: ['381', '261'],
  corrected: ['384', '471'],
} as const
type EnTypeCode = (typeof TYPES)[keyof typeof TYPES][number]

export interface EnInvoice {
  number: string
  issueDate: BusinessDate
  /** UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice; self-billed 389, 261 and 471. */
  typeCode: EnTypeCode
  isCreditNote: boolean
  currency: string
  /** VAT in euros when the document is in another currency: BT-6, with BT-111. */
  accounting: { currency: 'EUR'; taxCents: Cents } | null
  dueDate: BusinessDate | null
  terms: string | null
  buyerReference: string | null
  order: string | null
  contract: string | null
  tender: string | null
  notes: string[]
  preceding: { number: string; issueDate: BusinessDate }[]
  seller: EnParty
  buyer: EnParty
  delivery: { date: BusinessDate | null; country: string | null } | null
  /** VAT falls due on payment (BT-8). */
  isCashAccounting: boolean
  payment: EnPayment | null
  allowances: EnDocumentAllowance[]
  taxes: EnTax[]
  lines: EnLine[]
  /** BT-106 to BT-115. */
  linesCents: Cents
  allowancesCents: Cents
  chargesCents: Cents
  baseCents: Cents
  taxCents: Cents
  totalCents: Cents
  paidCents: Cents
  dueCents: Cents
}

/** UNTDID 5189. */
const DISCOUNT = '95'

/** Returns the allowance or charge for a difference: a positive amount reduces the total. */
function allowance(cents: Cents, reason: string, isDiscount: boolean): EnAllowance[] {
  if (cents === 0) return []
  const isCharge = cents < 0
  return [
    {
      isCharge,
      amountCents: Math.abs(cents),
      reason,
      reasonCode: isDiscount && !isCharge ? DISCOUNT : null,
      share: null,
    },
  ]
}

/**
 * Returns the type of the document. A credit note states the refund in positive figures; the rectifying invoice of
 * Spanish law states it in negative ones.
 */
function typeOf({ rectification, totalCents, issuedBy }: EInvoice): {
  typeCode: EnTypeCode
  isCreditNote: boolean
  sign: 1 | -1
} {
  const isCreditNote = rectification?.method === 'I' && totalCents <= 0
  const type = rectification === null ? 'invoice' : isCreditNote ? 'creditNote' : 'corrected'
  // A third party has no type of its own: the mention among the notes names it (BG-11 is a tax representative).
  const typeCode = TYPES[type][issuedBy?.kind === 'recipient' ? 1 : 0]
  return { typeCode, isCreditNote, sign: isCreditNote ? -1 : 1 }
}

/** Returns the rate of a category: O has none, exempt and untaxed ones have 0 (BR-E-5 and similar rules). */
function categoryRate({ category, vatRateBp }: EGroup): EnCategory {
  const isTaxed = category === 'S' || category === 'L' || category === 'M'
  return { category, rateBp: category === 'O' ? null : isTaxed ? (vatRateBp ?? 0) : 0 }
}

export function enLineOf(line: ELine, index: number, invoice: EInvoice, sign: 1 | -1): EnLine {
  const words = eInvoiceMessages(invoice.language)
  const group = invoice.groups[line.group]
  if (!group) throw new Error('A line of an electronic invoice is in no group.')
  const [name = '', ...more] = line.description.split('\n')
  const { discountBp, isDiscounted } = line
  const reason = isDiscounted
    ? `${words.discount}${discountBp === 0 ? '' : ` ${percentText(invoice.language, discountBp)}`}`
    : words.rounding
  return {
    id: String(index + 1),
    name,
    description: more.length === 0 ? null : more.join('\n').trim() || null,
    // Among other lines without VAT, nothing else would identify a payment made in the customer's name.
    note: group.isDisbursement ? words.disbursement : null,
    quantityMicro: sign * line.quantityMicro,
    unitCode: unitOf(line.unit).rec20,
    priceMicro: line.unitPriceMicro,
    allowances: allowance(sign * (line.listedCents - line.netCents), reason, isDiscounted),
    netCents: sign * line.netCents,
    ...categoryRate(group),
  }
}

/**
 * Returns the differences between lines and bases, by group, so that each base equals its lines less its allowances
 * (BR-S-8 and similar rules): the document's discount, the rounding of single lines, and the equivalence surcharge.
 * EN 16931 has no second tax on the same base, and a rate of 26.2 % does not exist, so the surcharge's amount becomes
 * a charge without VAT. Bases and VAT amounts stay those of Spanish law, and the total includes everything.
 */
export function documentAllowances(invoice: EInvoice, sign: 1 | -1): EnDocumentAllowance[] {
  const words = eInvoiceMessages(invoice.language)
  const { language, discountBp } = invoice
  const percent = discountBp === 0 ? '' : ` ${percentText(language, discountBp)}`
  const own = noteLanguage(language)
  return invoice.groups.flatMap((group) => {
    const where = categoryRate(group)
    const { vatRateBp, surchargeRateBp, taxCents, baseCents } = group
    const rounding = group.isDisbursement ? NOTE_MESSAGES[own].disbursementRounding : words.rounding
    const surcharge = surchargeReason(
      own,
      { rateBp: surchargeRateBp ?? 0, vatRateBp: vatRateBp ?? 0, taxCents: sign * taxCents },
      invoice.currency,
    )
    return [
      ...allowance(sign * group.discountCents, `${words.discount}${percent}`, true).map((each) => ({
        ...each,
        ...where,
      })),
      ...allowance(-sign * group.roundingCents, rounding, false).map((each) => ({ ...each, ...where })),
      ...allowance(-sign * group.surchargeCents, surcharge, false).map((each) => ({
        ...each,
        category: 'E' as const,
        rateBp: 0,
        share: { rateBp: surchargeRateBp ?? 0, baseCents: Math.abs(baseCents) },
      })),
    ]
  })
}

const sum = (values: readonly Cents[]): Cents => values.reduce((total, each) => total + each, 0)

/**
 * Returns one breakdown for each category and rate (BR-S-1, BR-E-1…): our groups distinguish regimes and causes, the
 * standard does not.
 */
export function taxesOf(invoice: EInvoice, sign: 1 | -1): EnTax[] {
  const parts = invoice.groups.flatMap((group): EnTax[] => {
    const { reason, reasonCode } = group
    const own = {
      ...categoryRate(group),
      baseCents: sign * group.baseCents,
      taxCents: sign * group.taxCents,
      reason,
      reasonCode,
    }
    if (group.surchargeCents === 0) return [own]
    const surcharge = {
      category: 'E' as const,
      rateBp: 0,
      baseCents: sign * group.surchargeCents,
      taxCents: 0,
      reason: eInvoiceMessages(invoice.language).surchargeReason,
      reasonCode: null,
    }
    return [own, surcharge]
  })
  const merged = new Map<string, EnTax[]>()
  for (const part of parts) {
    const key = `${part.category} ${part.rateBp}`
    merged.set(key, [...(merged.get(key) ?? []), part])
  }
  return Array.from(merged.values(), (alike) => {
    const [first] = alike as [EnTax]
    const reasons = [...new Set(alike.flatMap(({ reason }) => reason?.split('; ') ?? []))]
    return {
      ...first,
      baseCents: sum(alike.map(({ baseCents }) => baseCents)),
      taxCents: sum(alike.map(({ taxCents }) => taxCents)),
      reason: reasons.length === 0 ? null : reasons.join('; '),
      // One code cannot represent several reasons.
      reasonCode: alike.every(({ reasonCode }) => reasonCode === first.reasonCode) ? first.reasonCode : null,
    }
  })
}

/**
 * Returns the seller or the buyer. Where everything is outside VAT no VAT number is allowed (BR-O-2): the NIF then
 * becomes the legal registration identifier, without which a seller would not be identified (BR-CO-26).
 */
function partyOf(party: EParty, isOutside: boolean, isSeller: boolean): EnParty {
  const { nif, vatNumber } = party
  const isVat = vatNumber !== null && !isOutside
  // A foreign official document has a register's number; a passport or a residence certificate does not.
  const isLegal = !isVat && (vatNumber !== null || party.idType === '04' || party.idType === '02' || isSeller)
  return {
    name: party.name,
    tradeName: party.tradeName,
    id: isVat || isLegal ? null : nif,
    legalId: isLegal ? nif : null,
    vatNumber: isVat ? vatNumber : null,
    legalInfo: party.registryInscription,
    street: party.street,
    postalCode: party.postalCode,
    city: party.city,
    province: party.province,
    country: isoCountry(party.country),
    phone: party.phone,
    email: party.email,
  }
}

export function enPaymentOf({ payment, currency, language }: EInvoice): EnPayment | null {
  const { method, iban, debit } = payment
  if (method === null && iban === null) return null
  const text = method === null ? null : methodName(language, method)
  if (method === null || method === 'transfer') {
    // 58 is a SEPA transfer, 30 any transfer; both require the account (BR-61), and nobody can transfer money to an
    // account that is not named.
    if (iban === null) return null
    return { code: currency === 'EUR' ? '58' : MEANS.transfer!.untdid, text, iban, debit: null }
  }
  return { code: MEANS[method]?.untdid ?? 'ZZZ', text, iban: null, debit }
}

/** A UBL credit note states its due date among the means of payment, even without any: code 1 means not defined. */
const NO_MEANS: EnPayment = { code: '1', text: null, iban: null, debit: null }

export const isBlank = (text: string | null): text is null => text === null || text.trim() === ''

function notesOf(invoice: EInvoice, sign: 1 | -1): string[] {
  const words = eInvoiceMessages(invoice.language)
  const { currency, withholding, replacedCents, rectification, exchange, mentions, buyer } = invoice
  const language = noteLanguage(invoice.language)
  const notes = [...mentions]
  if (!isBlank(invoice.notes)) notes.push(invoice.notes)
  if (!isBlank(rectification?.reason ?? null)) notes.push(rectification?.reason ?? '')
  if (withholding) {
    const { rateBp, baseCents, amountCents } = withholding
    const shown = { rateBp, baseCents: sign * baseCents, amountCents: sign * amountCents }
    notes.push(withholdingNote(language, shown, currency))
  }
  if (replacedCents !== 0) notes.push(replacedNote(language, sign * replacedCents, currency))
  if (exchange)
    notes.push(
      `${words.rate}: ${microToText(exchange.fxMicro)} ${currency} ${words.perEuro} (${exchange.fxDate})`,
    )
  if (buyer.dir3) {
    const { accountingOffice, managingBody, processingUnit } = buyer.dir3
    notes.push(`${words.dir3}: ${accountingOffice}, ${managingBody}, ${processingUnit}`)
  }
  return notes
}

/**
 * Returns the payment terms (BT-20). The standard has one due date (BT-9), which for partial payments is the first; the terms
 * say the others. Source: usage note of BT-9 in EN 16931-1. An amount to pay requires its due date or its terms (BR-CO-25).
 */
export function termsOf(
  { instalments, currency, dueDate, language }: EInvoice,
  dueCents: Cents,
): string | null {
  const words = eInvoiceMessages(language)
  if (instalments.length > 0)
    return `${words.instalments}: ${instalments
      .map((each) => `${each.dueDate} ${centsToText(each.cents)} ${currency}`)
      .join('; ')}`
  return dueDate === null && dueCents > 0 ? words.terms : null
}

/** Returns true if the tax of a group falls due on payment. */
export const isCashAccounted = ({ regimeKey, taxTreatment }: EGroup): boolean =>
  regimeKey === CASH_ACCOUNTING && taxTreatment === 'S1'
const CASH_ACCOUNTING = '07'

/** Invoices in the standard's terms: several formats of the same one are written together. */
const known = new WeakMap<EInvoice, EnInvoice>()

/** Returns the invoice in the standard's terms, made once for each object: an invoice is never changed. */
export function enInvoiceOf(invoice: EInvoice): EnInvoice {
  let made = known.get(invoice)
  if (!made) known.set(invoice, (made = inStandardTerms(invoice)))
  return made
}

function inStandardTerms(invoice: EInvoice): EnInvoice {
  const { typeCode, isCreditNote, sign } = typeOf(invoice)
  const { groups, buyer, customerReferences } = invoice
  const isOutside = groups.every(({ category }) => category === 'O')
  const isIntraUnion = groups.some(({ category }) => category === 'K')
  const lines = invoice.lines.map((line, index) => enLineOf(line, index, invoice, sign))
  const allowances = documentAllowances(invoice, sign)
  const taxes = taxesOf(invoice, sign)
  const of = (isCharge: boolean) =>
    sum(allowances.filter((each) => each.isCharge === isCharge).map(({ amountCents }) => amountCents))
  const linesCents = sum(lines.map(({ netCents }) => netCents))
  const [allowancesCents, chargesCents] = [of(false), of(true)]
  const baseCents = linesCents - allowancesCents + chargesCents
  const taxCents = sum(taxes.map((tax) => tax.taxCents))
  const totalCents = baseCents + taxCents
  const paidCents = sign * (invoice.totalCents - invoice.amountDueCents)
  const dueCents = totalCents - paidCents
  if (totalCents !== sign * invoice.totalCents)
    throw new Error(`EN 16931 gives ${totalCents} cents, the invoice ${invoice.totalCents}.`)
  // Intra-Community supplies state when and to which country the goods went (BR-IC-11, BR-IC-12).
  const date = invoice.operationDate ?? (isIntraUnion ? invoice.issueDate : null)
  const country = isIntraUnion ? isoCountry(buyer.country) : null
  return {
    number: invoice.number,
    issueDate: invoice.issueDate,
    typeCode,
    isCreditNote,
    currency: invoice.currency,
    accounting:
      invoice.exchange === null
        ? null
        : {
            currency: 'EUR',
            taxCents: sign * sum(groups.map(({ inEuros }) => inEuros?.taxCents ?? 0)),
          },
    dueDate: invoice.dueDate,
    terms: termsOf(invoice, dueCents),
    // Public bodies route invoices by their offices, and BT-10 is meant for routing; the standard has no field of its
    // own for offices.
    buyerReference: buyer.dir3
      ? `${buyer.dir3.accountingOffice}/${buyer.dir3.managingBody}/${buyer.dir3.processingUnit}`
      : null,
    order: customerReferences?.order ?? null,
    contract: customerReferences?.contract ?? null,
    tender: customerReferences?.file ?? null,
    notes: notesOf(invoice, sign),
    preceding: invoice.references.map(({ number, issueDate }) => ({ number, issueDate })),
    seller: partyOf(invoice.seller, isOutside, true),
    buyer: partyOf(buyer, isOutside, false),
    delivery: date === null && country === null ? null : { date, country },
    isCashAccounting: groups.some(isCashAccounted),
    payment: enPaymentOf(invoice) ?? (isCreditNote && invoice.dueDate !== null ? NO_MEANS : null),
    allowances,
    taxes,
    lines,
    linesCents,
    allowancesCents,
    chargesCents,
    baseCents,
    taxCents,
    totalCents,
    paidCents,
    dueCents,
  }
}
