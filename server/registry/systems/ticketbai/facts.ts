/**
 * From the facts of an issued invoice, as every registry receives them, to the content of TicketBAI's files. What the
 * common facts lack and these files need (lines, time, supply, address) is declared here.
 */
import { divideRounded, percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type { LineSupply } from '../../../domain/tax/line-supply.ts'
import { isOneStopShop } from '../../../domain/tax/totals.ts'
import type { InvoiceDetail, RowSupplies } from '../../invoice-detail.ts'
import { isSpanishParty } from '../../facts.ts'
import type { BreakdownLine, Recipient, RegistryInvoice } from '../../facts.ts'
import { printedNumber, splitNumber } from './content.ts'
import type {
  CancellationContent,
  ContentBreakdown,
  ContentKey,
  ContentLine,
  ContentRecipient,
  Footprint,
  Identity,
  InvoiceContent,
  TicketBaiContent,
  VatDetail,
} from './content.ts'
import { detailLines } from './lines.ts'
import { LONGEST, RETAIL_KEYS } from './lists.ts'
import type { Amendment, Exemption, IdType, NotSubjectCause, RectificationCode, TaxedType } from './lists.ts'

// The only file here that knows where the common facts are declared.
export { isSpanishParty }
export type { BreakdownLine, Recipient }

/** The facts that all registries receive, without a record's own reference. */
type RegistryFacts = Omit<RegistryInvoice, 'recordId' | 'turn'>

/** What these files need beyond the common facts. */
interface TicketBaiDetail {
  /** Local time of Spain when the invoice is issued, hh:mm:ss. */
  issueTime: string
  /** From `detailLines`. */
  lines: ContentLine[]
  /** Tax that the customer withholds; null when there is none. */
  withholdingCents: Cents | null
  /**
   * Of each line of the breakdown, in its order; null where nobody has said it. Written only when a customer has no Spanish
   * tax number.
   */
  supplies: (LineSupply | null)[]
  /** Position of the invoice's line that does not say it, for each null of `supplies`. */
  unsaidLines: (number | null)[]
  /** Of each customer, in their order; null where it is not known. */
  addresses: ({ postcode: string; address: string } | null)[]
}

export interface TicketBaiInvoice extends RegistryFacts {
  detail: TicketBaiDetail
}

interface SuppliedRow {
  row: BreakdownLine
  supply: LineSupply | null
  unsaidLine: number | null
}

const NOTHING_SAID: RowSupplies = { goodsCents: null, servicesCents: null, unsaidLine: null }

/**
 * Returns a row of tax as one of goods and one of services, in proportion to their lines: together they are the row, to the
 * cent.
 */
function apart(row: BreakdownLine, { goodsCents, servicesCents, unsaidLine }: RowSupplies): SuppliedRow[] {
  if (unsaidLine !== null || (goodsCents === null && servicesCents === null))
    return [{ row, supply: null, unsaidLine }]
  if (goodsCents === null) return [{ row, supply: 'services', unsaidLine: null }]
  if (servicesCents === null) return [{ row, supply: 'goods', unsaidLine: null }]
  const whole = goodsCents + servicesCents
  // Lines that cancel each other out have no proportion.
  const share = (cents: Cents): Cents =>
    whole === 0 ? 0 : Number(divideRounded(BigInt(cents) * BigInt(goodsCents), BigInt(whole)))
  const baseCents = whole === 0 ? goodsCents : share(row.baseCents)
  const taxOf = (rateBp: BasisPoints | null, cents: Cents): Cents =>
    rateBp === null || row.taxTreatment !== 'S1' || cents === 0 ? share(cents) : percentOf(baseCents, rateBp)
  const goods = {
    ...row,
    baseCents,
    taxCents: taxOf(row.vatRateBp, row.taxCents),
    surchargeCents: taxOf(row.surchargeRateBp, row.surchargeCents),
    costBaseCents: row.costBaseCents === null ? null : share(row.costBaseCents),
  }
  const services = {
    ...row,
    baseCents: row.baseCents - goods.baseCents,
    taxCents: row.taxCents - goods.taxCents,
    surchargeCents: row.surchargeCents - goods.surchargeCents,
    costBaseCents: row.costBaseCents === null ? null : row.costBaseCents - (goods.costBaseCents ?? 0),
  }
  return [
    { row: services, supply: 'services', unsaidLine: null },
    { row: goods, supply: 'goods', unsaidLine: null },
  ]
}

/** Returns the facts of an invoice that is issued at `issueTime`, local time of Spain, hh:mm:ss. */
export function ticketBaiInvoice(
  registration: RegistryFacts,
  detail: InvoiceDetail,
  issueTime: string,
): TicketBaiInvoice {
  const { lines, fxMicro, withholdingCents, supplies, addresses, ...prices } = detail
  const rows = isBySupply(registration.recipients)
    ? registration.breakdown.flatMap((row, index) => apart(row, supplies[index] ?? NOTHING_SAID))
    : registration.breakdown.map((row): SuppliedRow => ({ row, supply: null, unsaidLine: null }))
  return {
    ...registration,
    breakdown: rows.map(({ row }) => row),
    detail: {
      issueTime,
      lines: detailLines(lines, { ...prices, ...(fxMicro !== null && { fxMicro }) }),
      withholdingCents,
      supplies: rows.map(({ supply }) => supply),
      unsaidLines: rows.map(({ unsaidLine }) => unsaidLine),
      addresses: [...addresses],
    },
  }
}

/**
 * Keys of the common list that have another number here: the equivalence surcharge (18) and the simplified regime (20).
 * All others are the same in both lists.
 */
const KEYS_HERE: Readonly<Record<string, string>> = { '18': '51', '20': '52' }

/** Returns the key of TicketBAI's list for one of the common list. */
export function regimeKeyHere(regimeKey: string): string {
  return KEYS_HERE[regimeKey] ?? regimeKey
}

/** The one-stop shop charges the tax of the customer's country. */
function causeOf(line: BreakdownLine): NotSubjectCause {
  if (line.taxTreatment === 'N1') return 'OT'
  return isOneStopShop(line) ? 'IE' : 'RL'
}

/** Shortens a text to the schema's length; the paper shows all of it. A cut leaves no half of a character. */
function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= longest) return line
  return `${line
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

function identityOf(party: Recipient): Identity {
  if (isSpanishParty(party)) return { nif: party.nif }
  const { country, idType, id } = party
  // The rules refuse what this list lacks: a Spanish number outside the census (07).
  return { country: idType === '02' ? null : country, idType: idType as IdType, id }
}

function keyOf(number: string, issueDate: string): ContentKey {
  return { ...splitNumber(number), issueDate }
}

const isTaxed = (treatment: string): treatment is TaxedType => treatment === 'S1' || treatment === 'S2'

/** Returns the breakdown with what the schema lists once added up: causes, and rates of the same kind. */
function breakdownOf(lines: readonly BreakdownLine[]): ContentBreakdown {
  const result: ContentBreakdown = { exempt: [], taxed: [], notSubject: [] }
  for (const line of lines) {
    if (isTaxed(line.taxTreatment)) addTaxed(result, line.taxTreatment, line)
    else if (line.taxTreatment.startsWith('N')) {
      const cause = causeOf(line)
      const known = result.notSubject.find((one) => one.cause === cause)
      if (known) known.amountCents += line.baseCents
      else result.notSubject.push({ cause, amountCents: line.baseCents })
    } else {
      const cause = line.taxTreatment as Exemption
      const known = result.exempt.find((one) => one.cause === cause)
      if (known) known.baseCents += line.baseCents
      else result.exempt.push({ cause, baseCents: line.baseCents })
    }
  }
  return result
}

function addTaxed({ taxed }: ContentBreakdown, type: TaxedType, line: BreakdownLine): void {
  let group = taxed.find((one) => one.type === type)
  if (!group) {
    group = { type, details: [] }
    taxed.push(group)
  }
  const isRetail = RETAIL_KEYS.includes(regimeKeyHere(line.regimeKey ?? ''))
  const same = group.details.find(
    (one) =>
      one.rateBp === line.vatRateBp &&
      one.surchargeRateBp === line.surchargeRateBp &&
      one.isRetail === isRetail,
  )
  if (!same) group.details.push(vatDetail(line, isRetail))
  else {
    same.baseCents += line.baseCents
    same.taxCents = (same.taxCents ?? 0) + line.taxCents
    if (same.surchargeCents !== null) same.surchargeCents += line.surchargeCents
  }
}

function vatDetail(line: BreakdownLine, isRetail: boolean): VatDetail {
  return {
    baseCents: line.baseCents,
    rateBp: line.vatRateBp,
    taxCents: line.taxCents,
    surchargeRateBp: line.surchargeRateBp,
    surchargeCents: line.surchargeRateBp === null ? null : line.surchargeCents,
    isRetail,
  }
}

/** Returns whether goods and services are written apart: a customer has no Spanish tax number. */
export function isBySupply(recipients: readonly Recipient[]): boolean {
  return recipients.some((one) => !isSpanishParty(one))
}

function wholeBreakdown(invoice: TicketBaiInvoice): InvoiceContent['breakdown'] {
  const { breakdown, recipients, detail } = invoice
  if (!isBySupply(recipients)) return { by: 'invoice', whole: breakdownOf(breakdown) }
  const part = (supply: LineSupply): ContentBreakdown | null => {
    const lines = breakdown.filter((_, index) => detail.supplies[index] === supply)
    return lines.length === 0 ? null : breakdownOf(lines)
  }
  return { by: 'supply', services: part('services'), goods: part('goods') }
}

function recipientsOf({ recipients, detail }: TicketBaiInvoice): ContentRecipient[] {
  return recipients.map((party, index) => {
    const place = detail.addresses[index] ?? null
    return {
      identity: identityOf(party),
      name: party.name.trim(),
      postcode: place === null ? null : place.postcode.trim() || null,
      address: place === null ? null : shortened(place.address, LONGEST.address) || null,
    }
  })
}

function rectificationOf({ kind, rectification }: TicketBaiInvoice): InvoiceContent['rectification'] {
  if (rectification === null) return null
  const code = kind as RectificationCode
  if (rectification.method === 'I') return { code, method: 'I', replaced: null }
  const { baseCents, taxCents, surchargeCents } = rectification
  return { code, method: 'S', replaced: { baseCents, taxCents, surchargeCents } }
}

const MAKERS = { recipient: 'D', third_party: 'T' } as const

/** Returns the sum of the bases at cost; null when no line has one. */
function costBaseOf(lines: readonly BreakdownLine[]): Cents | null {
  const known = lines.flatMap(({ costBaseCents }) => costBaseCents ?? [])
  return known.length === 0 ? null : known.reduce((sum, cents) => sum + cents, 0)
}

/** Returns the content of an invoice's file. Checks no rules: rules/ does that before. */
export function invoiceContent(invoice: TicketBaiInvoice, footprint: Footprint): InvoiceContent {
  const { detail, kind } = invoice
  return {
    issuer: { nif: invoice.issuer.nif, name: invoice.issuer.name.trim() },
    recipients: recipientsOf(invoice),
    hasSeveralRecipients: invoice.recipients.length > 1,
    maker: invoice.madeBy === null ? 'N' : MAKERS[invoice.madeBy.by],
    key: keyOf(invoice.number, invoice.issueDate),
    issueTime: detail.issueTime,
    isSimplified: kind === 'F2' || kind === 'R5',
    replacesSimplified: kind === 'F3',
    rectification: rectificationOf(invoice),
    originals: [...invoice.rectified, ...invoice.substituted].map(({ number, issueDate }) =>
      keyOf(number, issueDate),
    ),
    operationDate: invoice.operationDate,
    description: shortened(invoice.description, LONGEST.description),
    lines: detail.lines.map((line) => ({
      ...line,
      description: shortened(line.description, LONGEST.description),
    })),
    totalCents: invoice.totalCents,
    withholdingCents: detail.withholdingCents,
    costBaseCents: costBaseOf(invoice.breakdown),
    regimeKeys: [...new Set(invoice.breakdown.map(({ regimeKey }) => regimeKeyHere(regimeKey ?? '01')))],
    breakdown: wholeBreakdown(invoice),
    footprint: { ...footprint, device: deviceOf(footprint.device) },
  }
}

/** The last characters of a serial number tell devices apart. */
const deviceOf = (device: string | null): string | null =>
  device === null ? null : device.slice(-LONGEST.device) || null

/** Returns the content of a file that cancels an issued invoice: it should not have existed. */
export function cancellationContent(
  invoice: Pick<InvoiceContent, 'issuer' | 'key'>,
  { software, device }: Omit<Footprint, 'previous'>,
): CancellationContent {
  return {
    issuer: invoice.issuer,
    key: invoice.key,
    footprint: { previous: null, software, device: deviceOf(device) },
  }
}

/**
 * Returns the correction of an invoice's file. It keeps the footprint of the original, its time, and the beginning of its
 * signature. Throws a RangeError when issuer, number or date are not those of the original: these cannot be corrected.
 */
export function amendedIssue(
  action: Amendment,
  corrected: TicketBaiInvoice,
  original: { invoice: InvoiceContent; signatureValue: string },
): TicketBaiContent {
  const { footprint, key, issuer, issueTime } = original.invoice
  const invoice = invoiceContent(corrected, footprint)
  if (
    invoice.issuer.nif !== issuer.nif ||
    printedNumber(invoice.key) !== printedNumber(key) ||
    invoice.key.issueDate !== key.issueDate
  )
    throw new RangeError('A correction has the issuer, the number and the date of the original.')
  return {
    kind: 'amended_issue',
    action,
    invoice: { ...invoice, key, issueTime, footprint },
    signature: original.signatureValue.slice(0, LONGEST.signaturePart),
  }
}

/** Returns the correction of a refused cancellation. */
export function amendedCancellation(
  corrected: CancellationContent,
  original: { cancellation: CancellationContent; signatureValue: string },
): TicketBaiContent {
  return {
    kind: 'amended_cancellation',
    cancellation: { ...corrected, footprint: original.cancellation.footprint },
    signature: original.signatureValue.slice(0, LONGEST.signaturePart),
  }
}
