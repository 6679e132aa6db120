/** Finds invoices that add up to an amount, by a bounded and deterministic search. Pure. */
import type { Cents } from '../../../domain/money.ts'

const MOST_ITEMS = 60
const MOST_TOGETHER = 24
const MOST_STEPS = 60_000

/**
 * Returns positions of `amounts` that add up to `target`: at least two, as few as possible, the earliest among
 * equals. Returns null when none do or the search exceeds its limit. Signs may differ, because a credit note lowers
 * what is paid.
 */
export function subsetSum(amounts: readonly Cents[], target: Cents): number[] | null {
  const count = Math.min(amounts.length, MOST_ITEMS)
  if (count < 2) return null
  const values = amounts.slice(0, count)
  // Largest and smallest sum of the remaining amounts, from each position on.
  const most = Array<number>(count + 1).fill(0)
  const least = Array<number>(count + 1).fill(0)
  for (let index = count - 1; index >= 0; index--) {
    const value = values[index] ?? 0
    most[index] = (most[index + 1] ?? 0) + Math.max(0, value)
    least[index] = (least[index + 1] ?? 0) + Math.min(0, value)
  }
  let steps = 0
  const chosen: number[] = []
  const search = (from: number, rest: Cents, size: number): boolean => {
    if (size === 0) return rest === 0
    if (rest > (most[from] ?? 0) || rest < (least[from] ?? 0)) return false
    for (let index = from; index <= count - size; index++) {
      if (++steps > MOST_STEPS) return false
      chosen.push(index)
      if (search(index + 1, rest - (values[index] ?? 0), size - 1)) return true
      chosen.pop()
    }
    return false
  }
  for (let size = 2; size <= Math.min(count, MOST_TOGETHER) && steps <= MOST_STEPS; size++) {
    if (search(0, target, size)) return [...chosen]
    chosen.length = 0
  }
  return sumOf(values) === target && count === amounts.length ? values.map((_, index) => index) : null
}

function sumOf(values: readonly Cents[]): Cents {
  return values.reduce((sum, value) => sum + value, 0)
}
