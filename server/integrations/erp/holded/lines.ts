/**
 * Reads lines of a document and checks them against its header. A discount is a percentage in some accounts and an
 * amount in others, and prices of foreign documents may be in euros: the reading that gives the header's sum is the
 * correct one.
 */
import { divideRounded, MAX_CENTS, MAX_MICRO } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { isObject, listOf, microOf, RowFault, scaled } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { NeutralLine } from '../port.ts'
import { decimalOf, plainDecimalOf } from './decimals.ts'
import type { DecimalSign } from './decimals.ts'
import { percentBp, ratesOf } from './taxes.ts'
import type { TaxBook } from './taxes.ts'
import { lineIn, paragraphIn } from './bounded-strings.ts'
import type { Warnings } from './bounded-strings.ts'

/**
 * Two cents: the possible difference between rounding each line and rounding only the sum, as in the header's own
 * check.
 */
export const TOLERANCE_CENTS = 2
const MICRO = 1_000_000n
const WHOLE_PERCENT = 100n * MICRO
const RATE_PLACES = 10
const RATE_ONE = 10n ** BigInt(RATE_PLACES)
/** Quantity, price and percentage in millionths, times the rate: the unit of a line's net amount. */
const PER_CENT = (MICRO * MICRO * WHOLE_PERCENT * RATE_ONE) / 100n

interface LinesCtx {
  sign: DecimalSign
  book: TaxBook
  /** Sums of the header that the lines may match: before and after its own discount. */
  sums: readonly Cents[]
  /** Units of the document's currency for 1 euro; null for a document in euros or without a rate. */
  fxRate: string | null
  isForeign: boolean
  /** The older API states the rate in `tax`, besides the keys; in the newer one that field is not a rate. */
  taxIsRate: boolean
}

interface Reading {
  discountIs: 'percent' | 'amount'
  sign: DecimalSign
  strictly: boolean
  rate: bigint
}

/**
 * Returns the lines with the signs of the answer. Lines of a foreign document that no reading explains are omitted:
 * their currency is unknown.
 */
export function readLines(value: unknown, ctx: LinesCtx, warnings: Warnings): NeutralLine[] {
  const rows = listOf(value).filter(isObject)
  const fallback: Reading = { discountIs: 'percent', sign: ctx.sign, strictly: false, rate: RATE_ONE }
  let first: NeutralLine[] | null = null
  let fault: unknown = null
  for (const reading of readingsOf(fallback, ctx.fxRate)) {
    try {
      const { lines, net } = read(rows, reading, ctx)
      if (ctx.sums.some((sum) => gives(sum, lines, net))) return finished(rows, lines, ctx, warnings)
      first ??= lines
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      fault ??= error
    }
  }
  if (first === null) throw fault
  warnings.add('lines_unreconciled')
  return finished(rows, ctx.isForeign ? [] : first, ctx, warnings)
}

function* readingsOf(fallback: Reading, fxRate: string | null): Generator<Reading> {
  const rate = fxRate === null ? null : scaled(fxRate, RATE_PLACES)
  const other: DecimalSign = fallback.sign === 'dot' ? 'comma' : 'dot'
  for (const { sign, strictly } of [
    { sign: fallback.sign, strictly: false },
    { sign: fallback.sign, strictly: true },
    { sign: other, strictly: true },
  ])
    for (const discountIs of ['percent', 'amount'] as const)
      for (const factor of rate === null || rate === RATE_ONE ? [RATE_ONE] : [RATE_ONE, rate])
        yield { discountIs, sign, strictly, rate: factor }
}

/** Returns true if the lines give a sum, rounded one by one or only at the end. */
function gives(sum: Cents, lines: readonly NeutralLine[], net: bigint): boolean {
  const rounded = lines.reduce((total, { netCents }) => total + netCents, 0)
  const exact = Number(divideRounded(net, PER_CENT))
  return Math.abs(rounded - sum) <= TOLERANCE_CENTS || Math.abs(exact - sum) <= TOLERANCE_CENTS
}

function read(rows: readonly Json[], reading: Reading, ctx: LinesCtx): { lines: NeutralLine[]; net: bigint } {
  let net = 0n
  const lines = rows.map((row) => {
    const line = readLine(row, reading, ctx)
    net += line.net
    return line.line
  })
  return { lines, net }
}

function readLine(row: Json, reading: Reading, ctx: LinesCtx): { line: NeutralLine; net: bigint } {
  // A missing quantity means one; a missing price makes the line plain text.
  const quantity = microOf(plainDecimalOf(row.units, 'units') ?? '1', 'units') ?? 0
  const price = decimalOf(row.price, reading.sign, 'price', reading.strictly)
  const unitPrice = microOf(price ?? '0', 'price') ?? 0
  const discount = BigInt(microOf(plainDecimalOf(row.discount, 'discount') ?? '0', 'discount') ?? 0)
  const gross = BigInt(quantity) * BigInt(unitPrice) * WHOLE_PERCENT
  const isPercent = reading.discountIs === 'percent'
  const taken = isPercent ? (gross / WHOLE_PERCENT) * discount : discount * MICRO * WHOLE_PERCENT
  const net = (gross - taken) * reading.rate
  const rates = ratesOf(row.taxes, ctx.book)
  const line: NeutralLine = {
    description: '',
    quantity,
    unitPrice: Number(divideRounded(BigInt(unitPrice) * reading.rate, RATE_ONE)),
    discountBp: gross === 0n ? 0 : Number(divideRounded(taken * 10_000n, gross)),
    taxKeys: rates.keys,
    vatBp: rates.vatBp,
    surchargeBp: rates.surchargeBp,
    withholdingBp: rates.withholdingBp,
    netCents: Number(divideRounded(net, PER_CENT)),
  }
  if (Math.abs(line.netCents) > MAX_CENTS || Math.abs(line.unitPrice) > MAX_MICRO)
    throw new RowFault('amount_out_of_range', 'lines')
  return { line, net }
}

/** Completes the lines with texts, and with rates stated beside the keys, once the numbers are decided. */
function finished(
  rows: readonly Json[],
  lines: NeutralLine[],
  ctx: LinesCtx,
  warnings: Warnings,
): NeutralLine[] {
  for (const [index, line] of lines.entries()) {
    const row = rows[index] ?? {}
    line.description = descriptionOf(row, warnings)
    if (ratesOf(row.taxes, ctx.book).unknown) warnings.add('tax_unknown')
    if (ctx.taxIsRate && line.taxKeys.length === 0) line.vatBp = percentBp(row.tax)
    const retention = percentBp(row.retention)
    if (retention !== null && retention > 0) line.withholdingBp ??= retention
  }
  return lines
}

function descriptionOf(row: Json, warnings: Warnings): string {
  const name = lineIn(row.name, 500, warnings)
  const more = paragraphIn(row.description, 2000, warnings)
  return name !== null && more !== null && more !== name ? `${name}\n${more}` : (name ?? more ?? '')
}
