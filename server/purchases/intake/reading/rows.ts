/** Rows and cells of a page: words of one height, split at wide gaps. Follows a bent row from word to word. */
import type { Box, Page, Word } from '../pages/page.ts'

export interface Cell {
  text: string
  box: Box
  words: Word[]
  /** Offset in `text` at which each word starts. */
  starts: number[]
}

export interface Row {
  page: number
  /** Position among all rows of the document. */
  index: number
  box: Box
  /** Typical height of its words. */
  height: number
  cells: Cell[]
  text: string
  source: Page['source']
}

/** Distance of the middles of two words of a row, as a share of the lower word's height. */
const SAME_ROW = 0.38
/** Ems: a wider gap separates cells. */
const CELL_GAP_EM = 0.75
/** Heights of the boxes in ems: font boxes of a PDF, and the ink of OCR. */
const TEXT_BOX_EM = 1.25
const INK_BOX_EM = 0.72

export function union(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ]
}

const middle = ([, y0, , y1]: Box): number => (y0 + y1) / 2
const heightOf = ([, y0, , y1]: Box): number => Math.max(y1 - y0, 0.1)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Joins words into one cell. */
function cellOf(words: Word[]): Cell {
  const starts: number[] = []
  let text = ''
  for (const word of words) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += word.t
  }
  return { text, box: union(words.map(({ box }) => box)), words, starts }
}

function cellsOf(words: readonly Word[], em: number): Cell[] {
  const cells: Cell[] = []
  let current: Word[] = []
  let end = 0
  for (const word of words) {
    if (current.length > 0 && word.box[0] - end > em * CELL_GAP_EM) {
      cells.push(cellOf(current))
      current = []
    }
    current.push(word)
    end = Math.max(end, word.box[2])
  }
  if (current.length > 0) cells.push(cellOf(current))
  return cells
}

interface OpenRow {
  words: Word[]
  last: Word
}

/** Returns the rows of pages in reading order; `wordsOf` chooses the words of each. */
export function rowsOf(pages: readonly Page[], wordsOf: (page: Page) => readonly Word[]): Row[] {
  const rows: Row[] = []
  for (const page of pages) {
    const open: OpenRow[] = []
    for (const word of wordsOf(page).toSorted((a, b) => a.box[0] - b.box[0])) {
      let best: OpenRow | null = null
      let least = Infinity
      for (const row of open) {
        const distance = Math.abs(middle(row.last.box) - middle(word.box))
        const limit = Math.min(heightOf(row.last.box), heightOf(word.box)) * SAME_ROW
        // A word over another one is the same line written twice, or another line.
        const overlap = row.last.box[2] - word.box[0]
        if (distance >= limit || distance >= least || overlap > heightOf(word.box)) continue
        best = row
        least = distance
      }
      if (best) {
        best.words.push(word)
        // A dash or a dot says little of the height of its row.
        if (heightOf(word.box) > heightOf(best.last.box) * 0.5)
          best.last = { ...word, box: [word.box[0], word.box[1], word.box[2], word.box[3]] }
        else
          best.last = {
            ...best.last,
            box: [best.last.box[0], best.last.box[1], word.box[2], best.last.box[3]],
          }
      } else open.push({ words: [word], last: word })
    }
    const emOf = page.source === 'text' ? TEXT_BOX_EM : INK_BOX_EM
    const made = open
      .map(({ words }) => {
        const height = median(words.map(({ box }) => heightOf(box)))
        const cells = cellsOf(words, height / emOf)
        return { box: union(words.map(({ box }) => box)), height, cells }
      })
      .toSorted((a, b) => middle(a.box) - middle(b.box))
    for (const { box, height, cells } of made)
      rows.push({
        page: page.index,
        index: rows.length,
        box,
        height,
        cells,
        text: cells.map(({ text }) => text).join('  '),
        source: page.source,
      })
  }
  return rows
}

/** Returns the box of a part of a cell's text. */
export function boxOfPart(cell: Cell, from: number, to: number): Box {
  const boxes = cell.words.flatMap((word, index) => {
    const start = cell.starts[index] ?? 0
    return start < to && start + word.t.length > from ? [word.box] : []
  })
  return boxes.length > 0 ? union(boxes) : cell.box
}

/** Returns the words of a part of a cell's text. */
export function wordsIn(cell: Cell, from: number, to: number): Word[] {
  return cell.words.filter((word, index) => {
    const start = cell.starts[index] ?? 0
    return start < to && start + word.t.length > from
  })
}
