/** The input of a scenario, and the names of sizes. */
import type { Workplace } from './books.ts'
import type { Result } from './method.ts'

export interface Bench {
  workplace: Workplace
  rounds: number
  /** Number of invoices in the books. */
  size: number
  /** Include the largest sizes. */
  full: boolean
  /** Built command-line bundle of the server to start. */
  bundle: string
  say: (text: string) => void
  report: (result: Result) => void
  /** Adds a fact to the JSON output, such as the pragmas. */
  note: (name: string, value: unknown) => void
}

/** Scenarios that share their preparation. `wanted` contains the requested names. */
export interface Group {
  names: readonly string[]
  run(bench: Bench, wanted: ReadonlySet<string>): Promise<void>
}

export function sizeName(invoices: number): string {
  if (invoices >= 1_000_000 && invoices % 1_000_000 === 0) return `${invoices / 1_000_000}M`
  return invoices >= 1000 && invoices % 1000 === 0 ? `${invoices / 1000}k` : String(invoices)
}

/** Parses `10k`, `1M` or a plain number; null if invalid. */
export function sizeOf(text: string): number | null {
  const match = /^(\d{1,9})([kM]?)$/.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2] === 'k' ? 1000 : match[2] === 'M' ? 1_000_000 : 1)
}
