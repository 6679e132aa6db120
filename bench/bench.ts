/** What a scenario is given, and the names of sizes. */
import type { Workplace } from './books.ts'
import type { Result } from './method.ts'

export interface Bench {
  workplace: Workplace
  rounds: number
  /** Invoices in the books. */
  size: number
  /** Also the largest sizes. */
  full: boolean
  /** Of the command line: the built server to start. */
  bundle: string
  say: (text: string) => void
  report: (result: Result) => void
  /** A fact for the JSON, such as the pragmas. */
  note: (name: string, value: unknown) => void
}

/** Scenarios that share their preparation. `wanted` holds the names that were asked for. */
export interface Group {
  names: readonly string[]
  run(bench: Bench, wanted: ReadonlySet<string>): Promise<void>
}

export function sizeName(invoices: number): string {
  if (invoices >= 1_000_000 && invoices % 1_000_000 === 0) return `${invoices / 1_000_000}M`
  return invoices >= 1000 && invoices % 1000 === 0 ? `${invoices / 1000}k` : String(invoices)
}

/** `10k`, `1M` or a plain number; null when it is none. */
export function sizeOf(text: string): number | null {
  const match = /^(\d{1,9})([kM]?)$/.exec(text)
  if (!match) return null
  return Number(match[1]) * (match[2] === 'k' ? 1000 : match[2] === 'M' ? 1_000_000 : 1)
}
