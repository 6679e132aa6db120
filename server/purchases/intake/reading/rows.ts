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
const SIGN_GAP_EM = 2.5
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
    // A percent sign belongs to the figure before it, however wide the blanks of the font.
    const isSign = word.t === '%' && /\d$/.test(current.at(-1)?.t ?? '')
    const gap = em * (isSign ? SIGN_GAP_EM : CELL_GAP_EM)
    if (current.length > 0 && word.box[0] - end > gap) {
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

/** Slope of the lines at a place: how far they fall for each unit to the right. */
type SlopeAt = (x: number, y: number) => number
const LEVEL: SlopeAt = () => 0

const centre = ([x0, , x1]: Box): number => (x0 + x1) / 2

/** A stop or a dash is lower than the letters of its row. */
const LOW = 0.5

/** Joins words into rows, from left to right: to the row whose last word lies at the same height. */
function chained(words: readonly Word[], slopeAt: SlopeAt): OpenRow[] {
  const open: OpenRow[] = []
  const typical = median(words.map(({ box }) => heightOf(box)))
  for (const word of words.toSorted((a, b) => a.box[0] - b.box[0])) {
    let best: OpenRow | null = null
    let least = Infinity
    const slope = slopeAt(word.box[0], middle(word.box))
    for (const row of open) {
      const { box } = row.last
      const fall = slope * (centre(word.box) - centre(box))
      const distance = Math.abs(middle(box) + fall - middle(word.box))
      const lower = Math.max(Math.min(heightOf(box), heightOf(word.box)), typical * LOW)
      // A word over another one is the same line written twice, or another line.
      const overlap = box[2] - word.box[0]
      if (distance >= lower * SAME_ROW || distance >= least || overlap > heightOf(word.box)) continue
      best = row
      least = distance
    }
    if (!best) {
      open.push({ words: [word], last: word })
      continue
    }
    best.words.push(word)
    const { box } = best.last
    // A dash or a dot says little of the height of its row.
    const isLow = heightOf(word.box) <= heightOf(box) * LOW
    const fall = slope * (centre(word.box) - centre(box))
    best.last = isLow ? { ...best.last, box: [word.box[0], box[1] + fall, word.box[2], box[3] + fall] } : word
  }
  return open
}

/** In heights of text: words of one row this far apart show its slope, and slopes hold this far up and down. */
const SLOPE_SPAN = 5
const SLOPE_REACH = 25
/** Slopes that make one. */
const NEAREST_SLOPES = 7
const FEWEST_SLOPES = 3

/** Returns the slope of the lines of a bent page at each place, from the rows that were found. */
function slopesOf(rows: readonly OpenRow[], height: number): SlopeAt {
  const samples: { x: number; y: number; slope: number }[] = []
  for (const { words } of rows) {
    const whole = words.filter(({ box }) => heightOf(box) > height * LOW)
    let from = 0
    for (let to = 1; to < whole.length; to++) {
      const [a, b] = [whole[from]!.box, whole[to]!.box]
      const distance = centre(b) - centre(a)
      if (distance < height * SLOPE_SPAN) continue
      const slope = (middle(b) - middle(a)) / distance
      samples.push({ x: (centre(a) + centre(b)) / 2, y: (middle(a) + middle(b)) / 2, slope })
      from = to
    }
  }
  if (samples.length < FEWEST_SLOPES) return LEVEL
  return (x, y) => {
    const near = samples
      .map((sample) => ({ ...sample, distance: Math.abs(sample.y - y) + Math.abs(sample.x - x) * 0.7 }))
      .toSorted((a, b) => a.distance - b.distance)
      .slice(0, NEAREST_SLOPES)
      .filter(({ distance }) => distance < height * SLOPE_REACH)
    return near.length < FEWEST_SLOPES ? 0 : median(near.map(({ slope }) => slope))
  }
}

/** In heights of text: two parts of a row are nearer to each other than to any other row. */
const NEAR_ROW = 0.75

/** Joins the parts of a row that a wide blank separates on a bent page, where each is the nearest of the other. */
function joinedParts(rows: readonly OpenRow[], slopeAt: SlopeAt, height: number): OpenRow[] {
  // A dash at the start, such as the rest of a rule, is not where the part begins.
  const starts = new Map(
    rows.map((row) => [row, row.words.find(({ box }) => heightOf(box) > height * LOW) ?? row.words[0]!]),
  )
  const distance = (left: OpenRow, right: OpenRow): number => {
    const [from, to] = [left.last.box, starts.get(right)!.box]
    if (from[2] > to[0]) return Infinity
    const slope = slopeAt((from[2] + to[0]) / 2, (middle(from) + middle(to)) / 2)
    return (
      Math.abs(middle(from) + slope * (centre(to) - centre(from)) - middle(to)) /
      Math.min(heightOf(from), heightOf(to))
    )
  }
  const nearest = (row: OpenRow, measure: (other: OpenRow) => number): OpenRow | null => {
    let best: OpenRow | null = null
    let least = NEAR_ROW
    for (const other of rows) {
      const far = other === row ? Infinity : measure(other)
      if (far >= least) continue
      best = other
      least = far
    }
    return best
  }
  const partOf = new Map<OpenRow, OpenRow>()
  for (const row of rows) {
    const next = nearest(row, (other) => distance(row, other))
    if (next && nearest(next, (other) => distance(other, next)) === row) partOf.set(next, row)
  }
  const joined: OpenRow[] = []
  for (const row of rows) {
    if (partOf.has(row)) continue
    const words = [...row.words]
    let { last } = row
    for (let part = row; ;) {
      const next = [...partOf].find(([, before]) => before === part)?.[0]
      if (!next) break
      words.push(...next.words)
      last = next.last
      part = next
    }
    joined.push({ words: words.toSorted((a, b) => a.box[0] - b.box[0]), last })
  }
  return joined
}

/** Returns the rows of pages in reading order; `wordsOf` chooses the words of each. */
export function rowsOf(pages: readonly Page[], wordsOf: (page: Page) => readonly Word[]): Row[] {
  const rows: Row[] = []
  for (const page of pages) {
    const words = wordsOf(page)
    let open = chained(words, LEVEL)
    // The lines of a photographed sheet are bent: what was joined shows how, and joins the rest.
    if (page.source === 'ocr') {
      const height = median(words.map(({ box }) => heightOf(box)))
      const slopeAt = slopesOf(open, height)
      open = joinedParts(chained(words, slopeAt), slopeAt, height)
    }
    const emOf = page.source === 'text' ? TEXT_BOX_EM : INK_BOX_EM
    const made = open
      .map(({ words: joined }) => {
        const height = median(joined.map(({ box }) => heightOf(box)))
        const cells = cellsOf(joined, height / emOf)
        return { box: union(joined.map(({ box }) => box)), height, cells }
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

/** In heights of the row: the blanks of wide and large letters are narrower, the gaps between columns wider. */
const WIDE_BLANK = 1.5

/** Returns a row of OCR with the cells joined that only a blank of wide letters may part; null when there are none. */
export function withoutBlanks(row: Row): Row | null {
  if (row.source === 'text' || row.cells.length < 2) return null
  const groups: Word[][] = []
  let end = -Infinity
  for (const { words, box } of row.cells) {
    const last = groups.at(-1)
    if (last && box[0] - end < row.height * WIDE_BLANK) last.push(...words)
    else groups.push([...words])
    end = box[2]
  }
  if (groups.length === row.cells.length) return null
  const cells = groups.map(cellOf)
  return { ...row, cells, text: cells.map(({ text }) => text).join('  ') }
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
