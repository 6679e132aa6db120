/** Free fields that other programs keep beside a record: short texts by name, never read by Sello. */

import { textCell } from '../formats/csv-writer.ts'

export type Metadata = Record<string, string>

/** Free fields as they are stored, by name. */
export function storedMetadata(metadata: Metadata): string {
  const names = Object.keys(metadata).toSorted()
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, metadata[name]])))
}

/** Free fields as they were stored. */
export function readMetadata(text: string): Metadata {
  return JSON.parse(text) as Metadata
}

/** Stored free fields as a cell of a CSV file: JSON, nothing where there are none. */
export function metadataCell(text: string): string {
  return text === '{}' ? '' : textCell(text)
}
