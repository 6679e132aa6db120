/** Reads from an error which two documents of an invoice would have said what. Pure. */
import type { CallError } from '../../../call.ts'

/** Parameters of its message. */
interface Contradiction extends Record<string, string> {
  field: string
  one: string
  first: string
  other: string
  second: string
}

const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2

const shown = (value: unknown): string => (value === null || value === '' ? '–' : String(value))

/** Returns what an error of `invoice_contradicts` names; null for any other error. */
export function contradictionOf(error: Pick<CallError, 'code' | 'details'> | null): Contradiction | null {
  if (error?.code !== 'invoice_contradicts') return null
  const { field, sources, values } = error.details
  if (!isPair(sources) || !isPair(values)) return null
  return {
    field: shown(field),
    one: shown(sources[0]),
    first: shown(values[0]),
    other: shown(sources[1]),
    second: shown(values[1]),
  }
}
