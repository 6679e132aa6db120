/** Texts of a row at their greatest lengths; what had to be cut is said of the record. */
import { lineOf, paragraphOf } from '../reading/untrusted-values.ts'
import type { RecordWarning } from '../port.ts'

/** What is to be said of a record, each once. */
export type Warnings = Set<RecordWarning>

export function lineIn(value: unknown, max: number, warnings: Warnings): string | null {
  const line = lineOf(value, max)
  if (line !== null && (lineOf(value, max + 1)?.length ?? 0) > max) warnings.add('text_cut')
  return line
}

export function paragraphIn(value: unknown, max: number, warnings: Warnings): string | null {
  const text = paragraphOf(value, max)
  if (text !== null && (paragraphOf(value, max + 1)?.length ?? 0) > max) warnings.add('text_cut')
  return text
}

/** Yes, no or not said; some rows write it as a number or as text. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  return value === 0 || value === '0' || value === 'false' ? false : null
}
