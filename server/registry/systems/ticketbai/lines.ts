/**
 * The lines of an invoice as TicketBAI states them: the price of a unit without tax, the discount as an amount, and the
 * total with tax, each with eight decimals. They inform; the sums of the invoice are in its breakdown.
 */
import { divideRounded } from '../../../domain/money.ts'
import type { BasisPoints, Cents, Micro } from '../../../domain/money.ts'
import { isOneStopShop, shareCents, taxesMargin } from '../../../domain/tax/totals.ts'
import type { PriceMode, TotalsLine } from '../../../domain/tax/totals.ts'
import type { ContentLine, Fine } from './content.ts'

type PricedLine = TotalsLine & { description: string }

interface LineOptions {
  priceMode: PriceMode
  /** Of the whole document, on every line that is no disbursement. */
  discountBp?: BasisPoints
  discountCents?: Cents
  /** Units of the prices' currency for one euro, in millionths; absent for prices in euros. */
  fxMicro?: Micro
}

/** quantity (1e6) × price (1e6) × two discounts (1e4 each), of a unit of the currency: × 1e20. */
const EXACT = 100_000_000_000_000_000_000n
const FINE = 100_000_000n
const CENT = EXACT / 100n
const WHOLE_BP = 10_000n
const MICRO_TO_FINE = 100n
const ONE_MICRO = 1_000_000n

/** Returns a line's amount as priced, before and after its own discount, × 1e16. */
function amountsOf(line: TotalsLine): { listed: bigint; priced: bigint } {
  const amount = BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro)
  const reduced = amount * (WHOLE_BP - BigInt(line.discountBp))
  return { listed: amount * WHOLE_BP, priced: reduced - BigInt(line.discountCents) * (CENT / WHOLE_BP) }
}

/**
 * Returns the lines in euros, without disbursements: what is paid in the customer's name is no operation of the issuer,
 * and the invoice's total in its record leaves it out as well. So is the tax of another country (one-stop shop). Discounts
 * of the document are shared in proportion.
 */
export function detailLines(lines: readonly PricedLine[], options: LineOptions): ContentLine[] {
  const { discountBp = 0, discountCents = 0 } = options
  const own = lines.filter(({ isDisbursement }) => !isDisbursement)
  const amounts = own.map(amountsOf)
  const shares = shareCents(
    discountCents,
    amounts.map(({ priced }) => priced),
  )
  const kept = WHOLE_BP - BigInt(discountBp)
  return own.map((line, index) => {
    const { listed = 0n, priced = 0n } = amounts[index] ?? {}
    const reduced = priced * kept - BigInt(shares[index] ?? 0) * CENT
    return detailLine(line, { listed: listed * WHOLE_BP, reduced }, options)
  })
}

function detailLine(
  line: PricedLine,
  { listed, reduced }: { listed: bigint; reduced: bigint },
  { priceMode, fxMicro }: LineOptions,
): ContentLine {
  const fx = fxMicro === undefined ? ONE_MICRO : BigInt(fxMicro)
  // Under a margin scheme the price is the total.
  const taxBp = taxesMargin(line) ? 0n : BigInt((line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
  const withTax = WHOLE_BP + taxBp
  const isGross = priceMode === 'gross'
  const fine = (amount: bigint, factor: bigint, divisor: bigint): Fine =>
    divideRounded(amount * factor * FINE * ONE_MICRO, divisor * EXACT * fx)
  // In gross mode prices contain the tax, in net mode the total is yet to receive it.
  const net = (amount: bigint): Fine => (isGross ? fine(amount, WHOLE_BP, withTax) : fine(amount, 1n, 1n))
  const gross = (amount: bigint): Fine => (isGross ? fine(amount, 1n, 1n) : fine(amount, withTax, WHOLE_BP))
  const price = BigInt(line.unitPriceMicro) * MICRO_TO_FINE * ONE_MICRO
  return {
    description: line.description,
    quantity: BigInt(line.quantityMicro) * MICRO_TO_FINE,
    unitPrice: isGross ? divideRounded(price * WHOLE_BP, withTax * fx) : divideRounded(price, fx),
    discount: reduced === listed ? null : net(listed) - net(reduced),
    total: isOneStopShop(line) ? net(reduced) : gross(reduced),
  }
}
