/** Words of a document with their places, as the reader of fields takes them from a text PDF or from OCR. */
import { mapped, scaling } from '../pictures/homography.ts'
import type { Matrix, Point } from '../pictures/homography.ts'

/** Left, top, right, bottom: points of a PDF page or pixels of a picture, from the top left corner. */
export type Box = readonly [x0: number, y0: number, x1: number, y1: number]

export interface Word {
  t: string
  box: Box
  /** 0 to 100; 100 for exact text. */
  conf: number
  /** Second reading of the same word, where the engine offers one. */
  alt?: string
}

export interface Page {
  /** From 0. */
  index: number
  /** Width and height in the unit of the boxes. */
  size: readonly [width: number, height: number]
  source: 'text' | 'ocr'
  /** Clockwise turn in degrees that made the page upright; boxes and size are those of the upright page. */
  turn: 0 | 90 | 180 | 270
  /** One list of words for text; two for OCR, which reads each page twice. */
  readings: Word[][]
  /** Lines at right angles to the page, such as the register of companies along an edge; boxes as on the page. */
  sides?: Word[][]
  /**
   * Maps a point of the page to shares of the width and height of the page as a viewer shows it, such as the picture
   * before it was straightened; by default the size of the page itself.
   */
  toShown?: Matrix
  /** Difference hash of a picture, 16 hexadecimal digits. */
  pictureHash?: string
  /** Texts of the codes in a picture that only the OCR process decodes. */
  codes?: readonly string[]
}

/** Edges as shares, from 0 to 1, of the width and height of a page as a viewer shows it. */
interface ShownBox {
  left: number
  top: number
  right: number
  bottom: number
}

const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000

/** Returns where a viewer shows a box of a page. */
export function shownBox([x0, y0, x1, y1]: Box, { size: [width, height], toShown }: Page): ShownBox {
  const matrix = toShown ?? scaling(1 / width, 1 / height)
  const corners: Point[] = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ]
  const shown = corners.map((corner) => mapped(matrix, corner))
  const xs = shown.map(([x]) => share(x))
  const ys = shown.map(([, y]) => share(y))
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** Pages that are read, and words of each; a document with more is read up to there. */
export const MAX_PAGES = 12
export const PAGE_WORD_LIMIT = 5_000
