/**
 * Reads invoices and refunds with their lines. Amounts are positive, also of refunds, and the header's tax is the sum
 * of all taxes: the lines show how much of it is surcharge and withholding.
 */
import { divideRounded, MAX_MICRO, percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../../domain/money.ts'
import type { NeutralDocument, NeutralLine, RecordWarning } from '../port.ts'
import {
  eurosAt,
  idOf,
  isObject,
  lineOf,
  listOf,
  paragraphOf,
  RowFault,
} from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import { isId } from './call.ts'
import { resolved } from './taxes.ts'
import type { Taxes } from './taxes.ts'
import { cents, centsOrNull, dayOrNull, linkOf, microOrNull } from './values.ts'

export const MOVE = 'account.move'

export const MOVE_FIELDS = [
  'id',
  'name',
  'move_type',
  'state',
  'payment_state',
  'partner_id',
  'commercial_partner_id',
  'invoice_date',
  'date',
  'invoice_date_due',
  'currency_id',
  'company_currency_id',
  'amount_untaxed',
  'amount_tax',
  'amount_total',
  'amount_residual',
  'amount_untaxed_signed',
  'amount_tax_signed',
  'amount_total_signed',
  'ref',
  'invoice_line_ids',
  'write_date',
]

export const LINE_FIELDS = [
  'id',
  'move_id',
  'sequence',
  'display_type',
  'name',
  'quantity',
  'price_unit',
  'discount',
  'tax_ids',
  'price_subtotal',
  'product_id',
  'tax_line_id',
  'amount_currency',
]

interface ReadingContext {
  side: 'issued' | 'received'
  taxes: Taxes
  /** Currency of the company, for documents without one. */
  companyCurrency: string
}

/** Two cents: the possible difference between rounding by line and by document. */
const TOLERANCE = 2

/**
 * Reads a document. One without a partner is kept with a warning: its deductible tax counts all the same. Throws
 * `RowFault`.
 */
export function readMove(row: Json, lineRows: readonly Json[], context: ReadingContext): NeutralDocument {
  const externalId = idOf(row.id)
  const state = stateOf(row)
  const isRefund = String(row.move_type).endsWith('_refund')
  const sign = isRefund ? -1 : 1
  const warnings: RecordWarning[] = []

  const partner = linkOf(row.commercial_partner_id) ?? linkOf(row.partner_id)
  const partyName = partner?.label ?? linkOf(row.partner_id)?.label ?? ''
  if (partner === null) warnings.push('party_missing')

  const issueDate = dayOrNull(row, 'invoice_date') ?? (state === 'draft' ? null : dayOrNull(row, 'date'))
  if (issueDate === null && state !== 'draft') throw new RowFault('missing_date', 'invoice_date')

  const netCents = signed(cents(row, 'amount_untaxed'), sign)
  const totalCents = signed(cents(row, 'amount_total'), sign)
  const allTaxes = cents(row, 'amount_tax')
  const isWhole = Math.abs(netCents + signed(allTaxes, sign) - totalCents) <= TOLERANCE
  if (!isWhole) warnings.push('totals_unreconciled')

  const own = [...lineRows].sort(byPlace)
  const products = own.filter((line) => line.display_type === 'product' || line.display_type === false)
  const taxLines = own.filter((line) => line.display_type === 'tax')
  const isOutgoing = row.move_type === 'out_invoice' || row.move_type === 'in_refund'
  const split = splitTaxes(products, taxLines, { ...context, isOutgoing, allTaxes })
  if (split.unknown) warnings.push('tax_unknown')
  const lines = products.map((line) => readLine(line, sign, split.reversed, context.taxes))
  const linesNet = lines.reduce((sum, line) => sum + line.netCents, 0)
  if (Math.abs(linesNet - netCents) > TOLERANCE) warnings.push('lines_unreconciled')

  const currency = currencyOf(row.currency_id)
  if (currency === null) warnings.push('currency_assumed')
  const taxCents = signed(split.vat, sign)
  const surchargeCents = signed(split.surcharge, sign)
  const withholdingCents = signed(split.withholding, sign)
  const document = {
    netCents,
    taxCents,
    totalCents,
    isPlain: split.surcharge === 0 && split.withholding === 0,
  }
  const { fxRate, eur } = eurosOf(row, currency ?? 'EUR', context.companyCurrency, document)
  if (fxRate === null) warnings.push('rate_missing')

  const name = lineOf(row.name, 120)
  const ref = lineOf(row.ref, 200)
  return {
    record: 'document',
    externalId,
    externalKind: MOVE,
    rawVersion: 1,
    warnings,
    side: context.side,
    docKind: !isRefund ? 'invoice' : context.side === 'issued' ? 'rectifying' : 'refund',
    number: state === 'draft' || name === '/' ? null : name,
    supplierNumber: context.side === 'received' ? ref : null,
    issueDate,
    dueDate: dayOrNull(row, 'invoice_date_due'),
    party: { externalId: partner?.id.toString() ?? null, name: partyName, taxId: null },
    description: context.side === 'issued' ? ref : null,
    currency: currency ?? 'EUR',
    fxRate,
    netCents,
    taxCents,
    surchargeCents,
    withholdingCents,
    totalCents,
    ...payment(row, state, sign, totalCents),
    eur,
    state,
    lines,
    amountCheck: isWhole ? 'ok' : 'failed',
  }
}

/** Applies the sign, but never returns negative zero. */
function signed(value: Cents, sign: 1 | -1): Cents {
  return value === 0 ? 0 : value * sign
}

function byPlace(a: Json, b: Json): number {
  return Number(a.sequence ?? 0) - Number(b.sequence ?? 0) || Number(a.id) - Number(b.id)
}

function stateOf(row: Json): NeutralDocument['state'] {
  if (row.state === 'draft') return 'draft'
  if (row.state === 'posted') return 'approved'
  if (row.state === 'cancel') return 'cancelled'
  throw new RowFault('wrong_shape', 'state')
}

function currencyOf(value: unknown): string | null {
  const label = linkOf(value)?.label?.toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(label) ? label : null
}

type Payment = Pick<NeutralDocument, 'paidCents' | 'pendingCents' | 'paymentState'>

function payment(row: Json, state: NeutralDocument['state'], sign: 1 | -1, totalCents: Cents): Payment {
  // A cancelled document is not owed; a draft has no payment, whatever its pending amount.
  if (state === 'cancelled') return { paidCents: null, pendingCents: null, paymentState: 'unknown' }
  if (state === 'draft') return { paidCents: 0, pendingCents: totalCents, paymentState: 'unpaid' }
  const left = centsOrNull(row, 'amount_residual')
  const pendingCents = left === null ? null : signed(left, sign)
  return {
    pendingCents,
    paidCents: pendingCents === null ? null : totalCents - pendingCents,
    paymentState: PAYMENT_STATES[String(row.payment_state)] ?? 'unknown',
  }
}

/** `in_payment`: paid, but not confirmed by the bank; `reversed`: settled by a refund. */
const PAYMENT_STATES: Readonly<Record<string, NeutralDocument['paymentState']>> = {
  not_paid: 'unpaid',
  partial: 'partial',
  in_payment: 'paid',
  paid: 'paid',
  reversed: 'paid',
}

interface Split {
  vat: Cents
  surcharge: Cents
  withholding: Cents
  /** Taxes that are booked both ways: the supplier charges nothing. */
  reversed: ReadonlySet<number>
  unknown: boolean
}

/** Splits the taxes, all as positive amounts of an invoice. An amount that cannot be assigned counts as VAT. */
function splitTaxes(
  products: readonly Json[],
  taxLines: readonly Json[],
  { taxes, isOutgoing, allTaxes }: ReadingContext & { isOutgoing: boolean; allTaxes: Cents },
): Split {
  const booked = new Map<number, { sum: Cents; size: Cents }>()
  for (const line of taxLines) {
    const id = linkOf(line.tax_line_id)?.id
    if (id === undefined) continue
    // Liabilities are booked as negative amounts.
    const amount = cents(line, 'amount_currency') * (isOutgoing ? -1 : 1)
    const { sum, size } = booked.get(id) ?? { sum: 0, size: 0 }
    booked.set(id, { sum: sum + amount, size: size + Math.abs(amount) })
  }
  const reversed = new Set([...booked].flatMap(([id, { sum, size }]) => (sum === 0 && size > 0 ? [id] : [])))
  const bases = basesOf(products, taxes)
  const amounts =
    taxLines.length > 0
      ? [...booked].map(([id, { sum }]) => [id, sum] as const)
      : [...bases].map(([id, base]) => [id, percentOf(base, taxes.get(id)?.rateBp ?? 0)] as const)
  let surcharge = 0
  let withholding = 0
  for (const [id, amount] of amounts) {
    const role = taxes.get(id)?.role
    if (role === 'surcharge') surcharge += amount
    if (role === 'withholding') withholding -= amount
  }
  const ids = products.flatMap((line) => listOf(line.tax_ids).filter(isId))
  const { unknown } = resolved([...new Set([...ids, ...booked.keys()])], taxes)
  return {
    vat: allTaxes - surcharge + withholding,
    surcharge: surcharge === 0 ? 0 : surcharge,
    withholding: withholding === 0 ? 0 : withholding,
    reversed,
    unknown,
  }
}

function basesOf(products: readonly Json[], taxes: Taxes): Map<number, Cents> {
  const bases = new Map<number, Cents>()
  for (const line of products)
    for (const [id] of resolved(listOf(line.tax_ids).filter(isId), taxes).found)
      bases.set(id, (bases.get(id) ?? 0) + cents(line, 'price_subtotal'))
  return bases
}

function readLine(line: Json, sign: 1 | -1, reversed: ReadonlySet<number>, taxes: Taxes): NeutralLine {
  const ids = listOf(line.tax_ids).filter(isId)
  const { found } = resolved(ids, taxes)
  const rateOf = (role: string): BasisPoints | null => {
    const rates = found.flatMap(([id, tax]) =>
      tax.role === role && tax.rateBp !== null ? [reversed.has(id) ? 0 : tax.rateBp] : [],
    )
    return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0)
  }
  const withholdingBp = rateOf('withholding')
  const quantity = microOrNull(line, 'quantity') ?? 0
  const netCents = cents(line, 'price_subtotal')
  const discountBp = centsOrNull(line, 'discount') ?? 0
  return {
    description: paragraphOf(line.name, 2000) ?? linkOf(line.product_id)?.label ?? '',
    quantity: signed(quantity, sign),
    unitPrice: priceOf(microOrNull(line, 'price_unit') ?? 0, quantity, discountBp, netCents),
    discountBp,
    taxKeys: ids.map(String),
    vatBp: rateOf('vat'),
    surchargeBp: rateOf('surcharge'),
    withholdingBp: withholdingBp === null ? null : Math.abs(withholdingBp),
    netCents: signed(netCents, sign),
  }
}

/** Returns the price without tax: where the stated price includes it, derived from the line's net amount. */
function priceOf(price: Micro, quantity: Micro, discountBp: BasisPoints, netCents: Cents): Micro {
  const share = BigInt(10_000 - discountBp)
  if (quantity === 0 || share === 0n) return price
  // Millionths of millionths times basis points, divided into cents.
  const net = divideRounded(BigInt(price) * BigInt(quantity) * share, 10n ** 14n)
  const difference = net - BigInt(netCents)
  if (difference >= -1n && difference <= 1n) return price
  const found = divideRounded(BigInt(netCents) * 10n ** 14n, BigInt(quantity) * share)
  if (found > MAX_MICRO || found < -MAX_MICRO) throw new RowFault('amount_out_of_range', 'price_unit')
  return Number(found)
}

interface Amounts {
  netCents: Cents
  taxCents: Cents
  totalCents: Cents
  /** VAT is its only tax. */
  isPlain: boolean
}

/** Returns the amounts in euros as booked; the sign is the document's, whatever the sign of the booking. */
function eurosOf(
  row: Json,
  currency: string,
  companyCurrency: string,
  { netCents, taxCents, totalCents, isPlain }: Amounts,
): Pick<NeutralDocument, 'fxRate' | 'eur'> {
  if (currency === 'EUR') return { fxRate: '1', eur: { netCents, taxCents, totalCents } }
  if ((currencyOf(row.company_currency_id) ?? companyCurrency) !== 'EUR') return { fxRate: null, eur: null }
  const booked = (field: string, like: Cents): Cents => {
    const size = Math.abs(cents(row, field))
    return size === 0 ? 0 : like < 0 ? -size : size
  }
  const net = booked('amount_untaxed_signed', netCents)
  const total = booked('amount_total_signed', totalCents)
  const fxRate = rateOf(totalCents, total) ?? rateOf(netCents, net)
  if (fxRate === null) return { fxRate: null, eur: null }
  const tax = isPlain ? booked('amount_tax_signed', taxCents) : eurosAt(taxCents, fxRate)
  return { fxRate, eur: tax === null ? null : { netCents: net, taxCents: tax, totalCents: total } }
}

/** Returns the units of the currency for one euro, to six decimals; null where an amount is zero. */
function rateOf(foreign: Cents, euros: Cents): string | null {
  if (foreign === 0 || euros === 0) return null
  const micro = divideRounded(BigInt(Math.abs(foreign)) * 1_000_000n, BigInt(Math.abs(euros)))
  if (micro === 0n) return null
  const digits = micro.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** Groups lines by their document. */
export function linesByMove(rows: readonly unknown[]): Map<number, Json[]> {
  const lines = new Map<number, Json[]>()
  for (const row of rows) {
    const id = isObject(row) ? linkOf(row.move_id)?.id : undefined
    if (id === undefined || !isObject(row)) continue
    const own = lines.get(id)
    if (own) own.push(row)
    else lines.set(id, [row])
  }
  return lines
}
