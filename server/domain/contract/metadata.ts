/** Free fields that other programs store with a record: short texts by name, never interpreted by Sello. */

import { textCell } from '../formats/csv-writer.ts'

export type Metadata = Record<string, string>

/** Serializes free fields, sorted by name, for storage. */
export function storedMetadata(metadata: Metadata): string {
  const names = Object.keys(metadata).toSorted()
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, metadata[name]])))
}

/** Parses free fields from storage. */
export function readMetadata(text: string): Metadata {
  return JSON.parse(text) as Metadata
}

/** Returns stored free fields as a cell of a CSV file: JSON, or an empty cell if there are none. */
export function metadataCell(text: string): string {
  return text === '{}' ? '' : textCell(text)
}
