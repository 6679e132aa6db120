/** Reads texts of a row up to their maximum lengths; a cut text adds a warning to the record. */
import { lineOf, paragraphOf } from '../reading/untrusted-values.ts'
import type { RecordWarning } from '../port.ts'

/** Warnings about a record, each once. */
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

/** Returns true, false or null for a missing value; some rows write it as a number or as text. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  return value === 0 || value === '0' || value === 'false' ? false : null
}
