/** Words of a document with their places, as the reader of fields takes them from a text PDF or from OCR. */

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
}

/** Pages that are read, and words of each; a document with more is read up to there. */
export const MAX_PAGES = 12
export const PAGE_WORD_LIMIT = 5_000
