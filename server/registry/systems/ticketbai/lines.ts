/**
 * The lines of an invoice as TicketBAI states them: the price of a unit without tax, the discount as an amount, and the
 * total with tax, each with eight decimals. They inform; the sums of the invoice are in its breakdown.
 */
import { divideRounded } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { MARGIN_REGIMES, shareCents } from '../../../domain/tax/totals.ts'
import type { PriceMode, TotalsLine } from '../../../domain/tax/totals.ts'
import type { ContentLine, Fine } from './content.ts'

type PricedLine = TotalsLine & { description: string }

interface LineOptions {
  priceMode: PriceMode
  /** Of the whole document, on every line that is no disbursement. */
  discountBp?: BasisPoints
  discountCents?: Cents
}

/** quantity (1e6) × price (1e6) × two discounts (1e4 each): euros × 1e20. */
const EXACT = 100_000_000_000_000_000_000n
const FINE = 100_000_000n
const CENT = EXACT / 100n
const WHOLE_BP = 10_000n
const MICRO_TO_FINE = 100n

/** Returns a line's amount as priced, before and after its own discount, in euros × 1e16. */
function amountsOf(line: TotalsLine): { listed: bigint; priced: bigint } {
  const listed = BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro) * WHOLE_BP
  const reduced =
    BigInt(line.quantityMicro) * BigInt(line.unitPriceMicro) * (WHOLE_BP - BigInt(line.discountBp))
  return { listed, priced: reduced - BigInt(line.discountCents) * (CENT / WHOLE_BP) }
}

/** Tax on top of the net, in basis points; none where the line's price is its total (margin schemes). */
function taxBp(line: TotalsLine): bigint {
  if (MARGIN_REGIMES.includes(line.regimeKey) && line.costCents !== null) return 0n
  return BigInt((line.vatRateBp ?? 0) + (line.surchargeRateBp ?? 0))
}

/**
 * Returns the lines without disbursements: what is paid in the customer's name is no operation of the issuer, and the
 * invoice's total in its record leaves it out as well. Discounts of the document are shared in proportion.
 */
export function detailLines(lines: readonly PricedLine[], options: LineOptions): ContentLine[] {
  const { priceMode, discountBp = 0, discountCents = 0 } = options
  const own = lines.filter(({ isDisbursement }) => !isDisbursement)
  const kept = WHOLE_BP - BigInt(discountBp)
  const amounts = own.map(amountsOf)
  const shares = shareCents(
    discountCents,
    amounts.map(({ priced }) => priced),
  )
  return own.map((line, index) => {
    const { listed = 0n, priced = 0n } = amounts[index] ?? {}
    const exact = priced * kept - BigInt(shares[index] ?? 0) * CENT
    const withTax = WHOLE_BP + taxBp(line)
    const isGross = priceMode === 'gross'
    // In gross mode prices contain the tax, in net mode the total is yet to receive it.
    const fine = (amount: bigint, factor: bigint, divisor: bigint): Fine =>
      divideRounded(amount * factor * FINE, divisor * EXACT)
    const net = (amount: bigint): Fine => fine(amount, isGross ? WHOLE_BP : 1n, isGross ? withTax : 1n)
    const isReduced = exact !== listed * WHOLE_BP
    return {
      description: line.description,
      quantity: BigInt(line.quantityMicro) * MICRO_TO_FINE,
      unitPrice: isGross
        ? divideRounded(BigInt(line.unitPriceMicro) * MICRO_TO_FINE * WHOLE_BP, withTax)
        : BigInt(line.unitPriceMicro) * MICRO_TO_FINE,
      discount: isReduced ? net(listed * WHOLE_BP) - net(exact) : null,
      total: isGross ? fine(exact, 1n, 1n) : fine(exact, withTax, WHOLE_BP),
    }
  })
}
