/**
 * Converts Holded's documents to neutral records. The header decides where it adds up, and lines are checked against
 * it; withholding and surcharge are separated from VAT, because Holded keeps them in one sum.
 */
import { percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { centsOf, eurosAt, idOf, lineOf, RowFault, scaled } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { NeutralDocument, NeutralLine } from '../port.ts'
import { dayOf } from './days.ts'
import { decimalOf, plainDecimalOf } from './decimals.ts'
import type { DecimalSign } from './decimals.ts'
import { readLines, TOLERANCE_CENTS } from './lines.ts'
import type { Flavour } from './notes.ts'
import { numberOf, paymentStateOf, stateOf } from './states.ts'
import type { TaxBook } from './taxes.ts'
import { lineIn, paragraphIn } from './bounded-strings.ts'
import type { Warnings } from './bounded-strings.ts'

/** Version of the record shape below; raise it to read unchanged rows again. */
const RAW_VERSION = 1

/** Kind of a document, by its list; the row itself does not contain it. Names are those of the older API. */
export type DocumentKind =
  | 'invoice'
  | 'salesreceipt'
  | 'creditnote'
  | 'receiptnote'
  | 'purchase'
  | 'purchaserefund'

const MEANINGS: Readonly<
  Record<DocumentKind, Pick<NeutralDocument, 'side' | 'docKind'> & { takesBack: boolean }>
> = {
  invoice: { side: 'issued', docKind: 'invoice', takesBack: false },
  salesreceipt: { side: 'issued', docKind: 'simplified', takesBack: false },
  creditnote: { side: 'issued', docKind: 'rectifying', takesBack: true },
  receiptnote: { side: 'issued', docKind: 'rectifying', takesBack: true },
  purchase: { side: 'received', docKind: 'invoice', takesBack: false },
  purchaserefund: { side: 'received', docKind: 'refund', takesBack: true },
}

interface DocumentCtx {
  kind: DocumentKind
  flavour: Flavour
  sign: DecimalSign
  book: TaxBook
}

export function readDocument(row: Json, ctx: DocumentCtx): NeutralDocument {
  const warnings: Warnings = new Set()
  const { side, docKind, takesBack } = MEANINGS[ctx.kind]
  const externalId = idOf(row.id)
  const header = headerOf(row, ctx.sign)
  const { currency, fxRate } = currencyOf(row, warnings)
  const lines = readLines(
    row.lines,
    {
      sign: header.sign,
      book: ctx.book,
      sums: [header.subtotal, header.net],
      fxRate,
      isForeign: currency !== 'EUR',
      taxIsRate: ctx.flavour === 'v1',
    },
    warnings,
  )
  const taxes = split(header, lines)
  if (header.check === 'failed') warnings.add('totals_unreconciled')
  if (header.check === 'skipped') warnings.add('amounts_incomplete')

  // Refunds are positive in the answer, and negative here; one that is already negative stays so.
  const factor = takesBack && (header.total || header.net) > 0 ? -1 : 1
  const signed = (cents: Cents): Cents => (cents === 0 ? 0 : cents * factor)
  const totalCents = signed(header.total)
  const ofTotal = (cents: Cents | null): Cents | null =>
    cents === null ? null : totalCents < 0 && cents !== 0 ? -Math.abs(cents) : signed(cents)

  const number = numberOf(row)
  const state = stateOf(row, { flavour: ctx.flavour, side, number, totalCents })
  const issueDate = dayOf(row.date, 'date')
  if (issueDate === null && state !== 'draft') throw new RowFault('missing_date', 'date')
  const amounts = {
    netCents: signed(header.net),
    taxCents: signed(taxes.vat),
    surchargeCents: signed(taxes.surcharge),
    withholdingCents: signed(taxes.withholding),
    totalCents,
    paidCents: ofTotal(header.paid),
    pendingCents: ofTotal(header.pending),
  }
  const eur = eurosOf(amounts, currency, fxRate)
  if (eur === null) warnings.add('rate_missing')
  const party = {
    externalId: lineOf(row.contact_id, 120),
    name: lineIn(row.contact_name, 200, warnings) ?? '',
    taxId: null,
  }
  if (party.externalId === null && party.name === '') warnings.add('party_missing')
  return {
    record: 'document',
    externalId,
    externalKind: ctx.kind,
    rawVersion: RAW_VERSION,
    side,
    docKind: ctx.kind === 'purchase' && totalCents < 0 ? 'refund' : docKind,
    number: state === 'draft' ? null : number,
    supplierNumber: side === 'received' ? number : null,
    issueDate,
    dueDate: dayOf(row.due_date, 'due_date'),
    party,
    description: paragraphIn(row.description, 2000, warnings),
    currency,
    fxRate,
    ...amounts,
    eur,
    state,
    paymentState: paymentStateOf(row, totalCents, amounts.paidCents, amounts.pendingCents),
    lines: lines.map((line) => signedLine(line, factor)),
    amountCheck: header.check,
    warnings: [...warnings],
  }
}

/** Negates a line of a refund by its quantity, not by its price. */
function signedLine(line: NeutralLine, factor: number): NeutralLine {
  const signed = (value: number): number => (value === 0 ? 0 : value * factor)
  return { ...line, quantity: signed(line.quantity), netCents: signed(line.netCents) }
}

interface Header {
  subtotal: Cents
  net: Cents
  /** Sum of all taxes, less the withholding. */
  taxes: Cents
  total: Cents
  paid: Cents | null
  pending: Cents | null
  check: NeutralDocument['amountCheck']
  sign: DecimalSign
}

interface Amounts {
  subtotal: Cents | null
  discount: Cents
  tax: Cents | null
  total: Cents | null
  paid: Cents | null
  pending: Cents | null
}

/**
 * Returns the header by the decimal separator with which subtotal - discount + tax equals the total; by the account's
 * own when none does.
 */
function headerOf(row: Json, sign: DecimalSign): Header {
  const other: DecimalSign = sign === 'dot' ? 'comma' : 'dot'
  const readings = [
    { sign, discount: 'dot', strictly: false },
    { sign, discount: sign, strictly: false },
    { sign, discount: sign, strictly: true },
    { sign: other, discount: other, strictly: true },
  ] as const
  for (const reading of readings) {
    const amounts = amountsOf(row, reading.sign, reading.discount, reading.strictly)
    const net = netThatAddsUp(amounts)
    if (net !== null) return settled(amounts, net, reading.sign)
  }
  return asStated(amountsOf(row, sign, 'dot', false), sign)
}

function amountsOf(row: Json, sign: DecimalSign, discountSign: DecimalSign, strictly: boolean): Amounts {
  const cents = (field: string, as = sign): Cents | null => {
    const text = decimalOf(row[field], as, field, strictly)
    return text === null ? null : centsOf(text, field)
  }
  return {
    subtotal: cents('subtotal'),
    discount: cents('discount', discountSign) ?? 0,
    tax: cents('tax'),
    total: cents('total'),
    paid: cents('payments_total'),
    pending: cents('payments_pending'),
  }
}

/**
 * Returns the net amount if the header adds up, else null. In some accounts a discount is already in the lines, in
 * others it is deducted below.
 */
function netThatAddsUp({ subtotal, discount, tax, total }: Amounts): Cents | null {
  if (subtotal === null || tax === null || total === null) return null
  const found = [subtotal - discount, subtotal].find((net) => Math.abs(net + tax - total) <= TOLERANCE_CENTS)
  return found ?? null
}

function settled(amounts: Amounts, net: Cents, sign: DecimalSign): Header {
  const { subtotal, total, paid, pending } = amounts
  if (subtotal === null || total === null) throw new RowFault('unreadable_amount', 'total')
  // A cent of rounding goes to the taxes, so that the rest always adds up.
  return { subtotal, net, taxes: total - net, total, paid, pending, check: 'ok', sign }
}

/**
 * Returns a header that does not add up, or cannot be checked because a part is missing. Throws `RowFault` where even
 * a sum is missing.
 */
function asStated(amounts: Amounts, sign: DecimalSign): Header {
  const { subtotal, discount, tax, total, paid, pending } = amounts
  if (subtotal !== null && tax !== null && total !== null)
    return { subtotal, net: subtotal - discount, taxes: tax, total, paid, pending, check: 'failed', sign }
  const rest = { paid, pending, check: 'skipped' as const, sign }
  if (subtotal !== null && (total !== null || tax !== null)) {
    const net = subtotal - discount
    const taxes = tax ?? (total ?? net) - net
    return { subtotal, net, taxes, total: total ?? net + taxes, ...rest }
  }
  if (total === null || tax === null)
    throw new RowFault('unreadable_amount', total === null ? 'total' : 'subtotal')
  return { subtotal: total - tax, net: total - tax, taxes: tax, total, ...rest }
}

/**
 * Splits the sum into VAT, surcharge and withholding. The line rates decide surcharge and withholding, rounded once
 * per rate; VAT is the rest, so that the sum stays the header's.
 */
function split(
  header: Header,
  lines: readonly NeutralLine[],
): { vat: Cents; surcharge: Cents; withholding: Cents } {
  const surcharge = taxedBy(header, lines, ({ surchargeBp }) => surchargeBp)
  const withholding = taxedBy(header, lines, ({ withholdingBp }) => withholdingBp)
  // Some accounts state the tax before withholding: the total then differs by exactly the withholding.
  const isBefore =
    header.check === 'failed' &&
    withholding !== 0 &&
    Math.abs(header.net + header.taxes - withholding - header.total) <= TOLERANCE_CENTS
  if (isBefore) header.check = 'ok'
  const taxes = isBefore ? header.total - header.net : header.taxes
  return { vat: taxes - surcharge + withholding, surcharge, withholding }
}

function taxedBy(
  header: Header,
  lines: readonly NeutralLine[],
  rateOf: (line: NeutralLine) => BasisPoints | null,
): Cents {
  const bases = new Map<BasisPoints, Cents>()
  for (const line of lines) {
    const rate = rateOf(line) ?? 0
    bases.set(rate, (bases.get(rate) ?? 0) + line.netCents)
  }
  // A single rate: use the header's base, which already excludes a discount on the whole document.
  const [only] = bases.keys()
  if (bases.size === 1 && only !== undefined) return percentOf(header.net, only)
  let sum = 0
  for (const [rate, base] of bases) sum += percentOf(base, rate)
  return sum
}

function currencyOf(row: Json, warnings: Warnings): Pick<NeutralDocument, 'currency' | 'fxRate'> {
  const written = lineOf(row.currency, 20)?.toUpperCase() ?? null
  const currency = written === '€' ? 'EUR' : (written ?? 'EUR')
  if (!/^[A-Z]{3}$/.test(currency)) throw new RowFault('wrong_shape', 'currency')
  if (written === null) warnings.add('currency_assumed')
  if (currency === 'EUR') return { currency, fxRate: '1' }
  const rate = plainDecimalOf(row.currency_change, 'currency_change')
  const size = rate === null ? null : scaled(rate, 10)
  // Holded writes 1 where no rate was set.
  const isKnown = size !== null && size > 0n && size !== 10n ** 10n
  return { currency, fxRate: isKnown ? decimalText(size) : null }
}

/** Converts ten-thousand-millionths to the shortest decimal text, so that "1.160" and 1.16 are one rate. */
function decimalText(size: bigint): string {
  const digits = String(size).padStart(11, '0')
  const fraction = digits.slice(-10).replace(/0+$/, '')
  return digits.slice(0, -10) + (fraction && `.${fraction}`)
}

function eurosOf(
  { netCents, taxCents, totalCents }: Pick<NeutralDocument, 'netCents' | 'taxCents' | 'totalCents'>,
  currency: string,
  fxRate: string | null,
): NeutralDocument['eur'] {
  if (currency === 'EUR') return { netCents, taxCents, totalCents }
  if (fxRate === null) return null
  const [net, tax, total] = [netCents, taxCents, totalCents].map((cents) => eurosAt(cents, fxRate))
  if (net === undefined || tax === undefined || total === undefined) return null
  return net === null || tax === null || total === null
    ? null
    : { netCents: net, taxCents: tax, totalCents: total }
}

/** Yields all money texts of a row, which show the account's decimal separator. */
export function* moneyStrings(row: Json): Generator<unknown> {
  for (const field of [
    'subtotal',
    'discount',
    'tax',
    'total',
    'payments_total',
    'payments_pending',
    'price',
    'cost',
    'purchase_price',
  ])
    yield row[field]
  for (const list of [row.lines, row.variants])
    if (Array.isArray(list))
      for (const part of list as unknown[])
        if (typeof part === 'object' && part !== null)
          for (const field of ['price', 'cost', 'purchase_price']) yield (part as Json)[field]
}
