/** How a file made for the tax agency is shown: the place of each fault, and its boxes beside those of Sello. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type ReadFile = OutputOf<'fiscal.readFile'>

/** Largest file that the server takes, in bytes; a larger one is not even read. */
export const MOST_BYTES = 20 * 1024 * 1024

/** Where in the file a fault is: its record, counted from 1, and the field in it; null for the whole file. */
export function placeOf(field: string | undefined): { record: number; key: string | null } | null {
  const [, index, key] = /^records\[(\d+)\](?:\.(.+))?$/.exec(field ?? '') ?? []
  return index === undefined ? null : { record: Number(index) + 1, key: key ?? null }
}

export interface ShownBox {
  /** Unique in the list: a box may stand on several pages. */
  id: string
  box: string
  kind: 'amount' | 'percent' | 'count'
  file: number
  /** Null where Sello has no figure, or nothing is compared. */
  sello: number | null
  differs: boolean
}

/** Returns the boxes of a file, beside those of Sello where they are compared. */
export function shownBoxes({ boxes, comparison }: Pick<ReadFile, 'boxes' | 'comparison'>): ShownBox[] {
  if (comparison) return comparison.boxes.map((box) => ({ id: box.box, ...box }))
  return boxes.map(({ box, record, kind, amount }, index) => ({
    id: `${record} ${box} ${index}`,
    box,
    kind,
    file: amount,
    sello: null,
    differs: false,
  }))
}
