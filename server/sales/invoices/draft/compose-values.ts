/** Small words of composing: exact numbers, tidy text, faults of the input, and what was inferred. */
import { validationFailed } from '../../../domain/errors/catalog.ts'
import type { Fault } from '../../../domain/errors/catalog.ts'
import { tidyText } from '../../../domain/text.ts'

/** What was inferred when a draft was made, told to whoever made it. */
export interface Assumption {
  field: string
  value: string | number | boolean
  why: string
}

export function inputFault(code: string, field: string, message: string, fix?: string): Fault {
  return { code, field, severity: 'error', message, ...(fix ? { fix } : {}) }
}

/** A scaled integer the contract has already vouched for. */
export function exact(value: number | null, field: string): number {
  if (value === null)
    throw validationFailed([inputFault('too_many_decimals', field, 'The number has too many decimals.')])
  return value
}

/** Text without blanks around it; null when there is none. */
export function tidyOrNull(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  return tidyText(text) || null
}
