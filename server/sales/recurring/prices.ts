/** Prices that rise on an agreed day, such as with the consumer price index. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import { divideRounded, microFromNumber, numberFromMicro } from '../../domain/money.ts'
import type { BasisPoints, Micro } from '../../domain/money.ts'

export interface PriceStep {
  date: BusinessDate
  percentBp: BasisPoints
  note?: string
}

const CENT: Micro = 10_000

/**
 * Returns the price on a day: each update in turn, rounded to the cent; a price with more than two decimals keeps
 * six.
 */
export function priceAt(price: number, steps: readonly PriceStep[], date: BusinessDate): number {
  let micro = microFromNumber(price)
  if (micro === null) return price
  const unit = micro % CENT === 0 ? CENT : 1
  const due = steps.filter((step) => step.date <= date).sort((a, b) => (a.date < b.date ? -1 : 1))
  for (const { percentBp } of due)
    micro = Number(divideRounded(BigInt(micro) * BigInt(10_000 + percentBp), 10_000n * BigInt(unit))) * unit
  return numberFromMicro(micro)
}
