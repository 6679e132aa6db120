/** Scale of the month bars: a round maximum and few ticks. Pure. */

const STEPS = [1, 2, 2.5, 5, 10]
const MOST_TICKS = 4

/** Returns ticks from 0 to a round value at or above the largest amount, at most five. Euros. */
export function amountTicks(amounts: readonly number[]): number[] {
  const largest = Math.max(0, ...amounts)
  if (largest === 0) return [0, 500, 1000]
  const rough = largest / MOST_TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  // At least one euro: fractions of a cent would all have the same label.
  const step = Math.max(1, (STEPS.find((each) => each * power >= rough) ?? 10) * power)
  const count = Math.ceil(largest / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Math.round(index * step * 100) / 100)
}

/**
 * Returns how far the first amount is above or below the second, in whole percent; null if there is nothing to
 * compare with.
 */
export function changePercent(now: number, before: number): number | null {
  return before > 0 ? Math.round(((now - before) / before) * 100) : null
}

/** Returns the page that shows a month of the bars (`2026-11`) with its accounts. */
export function monthAddress(month: string): { path: string; query: Record<string, string> } {
  return { path: '/ledger/result', query: { year: month.slice(0, 4), part: `m${month.slice(5, 7)}` } }
}

/** Returns the widths of bars in a common scale, in whole percent; amounts of zero or less have none. */
export function barPercents(amounts: readonly number[]): number[] {
  const largest = Math.max(0, ...amounts)
  return amounts.map((amount) => (largest > 0 ? Math.max(0, Math.round((amount / largest) * 100)) : 0))
}
