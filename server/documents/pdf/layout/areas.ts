/** Maps the editor's fields to areas on the pages, so that a click on the document finds its field. */
import { extentOf } from './marks.ts'
import type { Page } from './marks.ts'

/** An area in points from the top left of its page; pages count from 0. */
export interface PaperArea {
  page: number
  x: number
  y: number
  width: number
  height: number
  field: string
}

/** Space around the letters, so that a short word can be clicked. */
const AIR = 4

/** Returns one area for each field on each page, which covers everything that shows the field. */
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
