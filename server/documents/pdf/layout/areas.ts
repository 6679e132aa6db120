/** Which field of the editor stands where on a page, so that a click on the paper finds it. */
import { extentOf } from './marks.ts'
import type { Page } from './marks.ts'

/** Points from the top left of the page; the page counts from 0. */
export interface PaperArea {
  page: number
  x: number
  y: number
  width: number
  height: number
  field: string
}

/** Air around the letters, so that a short word can be hit. */
const AIR = 4

/** One area for each field on each page: all that shows it. */
export function areasOf(pages: readonly Page[]): PaperArea[] {
  return pages.flatMap((page, index) => {
    const edges = new Map<string, [number, number, number, number]>()
    for (const mark of page.marks) {
      if (mark.field === null) continue
      const [left, top, right, bottom] = extentOf(mark, page)
      const known = edges.get(mark.field)
      edges.set(
        mark.field,
        known
          ? [
              Math.min(known[0], left),
              Math.min(known[1], top),
              Math.max(known[2], right),
              Math.max(known[3], bottom),
            ]
          : [left, top, right, bottom],
      )
    }
    return [...edges].map(([field, [left, top, right, bottom]]) => ({
      page: index,
      x: left - AIR,
      y: top - AIR,
      width: right - left + 2 * AIR,
      height: bottom - top + 2 * AIR,
      field,
    }))
  })
}
