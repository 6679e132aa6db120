/**
 * Elements of a page: marks at absolute positions, in points from the top left, and the logical structure that they
 * belong to (ISO 32000-1, 14.8), which screen readers use and archives must keep. Draws nothing.
 */
import { textWidth } from '../measure.ts'
import type { Weight } from '../measure.ts'
import { withoutMark } from '../text.ts'

/** Structure types used on our documents; all are standard ones. */
type TagType = 'Document' | 'H1' | 'H2' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD'

/** An element of the logical structure, with its children in reading order. */
export interface Tag {
  type: TagType
  children: Tag[]
  /** Alternative text of a figure. */
  alt?: string
  /** Scope of a heading cell. */
  scope?: 'Column' | 'Row'
}

/** Marks without content of their own: ornaments, and what is repeated on every page. */
export type Artifact = 'Layout' | 'Pagination'

interface Place {
  tag: Tag | Artifact
  /** The editor's field that this mark shows; used only by previews. */
  field: string | null
}

export interface TextMark extends Place {
  kind: 'text'
  text: string
  x: number
  baseline: number
  size: number
  weight: Weight
  colour: string
  /** Its last word continues in the next text of the same element. */
  goesOn: boolean
}
interface RuleMark extends Place {
  kind: 'rule'
  x: number
  y: number
  width: number
  colour: string
}
interface BoxMark extends Place {
  kind: 'box'
  x: number
  y: number
  width: number
  height: number
  radius: number
  fill: string | null
  dashes: string | null
}
export interface QrMark extends Place {
  kind: 'qr'
  x: number
  y: number
  side: number
  text: string
}
/** The company's logo, scaled to its box. */
export interface LogoMark extends Place {
  kind: 'logo'
  x: number
  y: number
  width: number
  height: number
}
/** One word across the page, drawn as shapes behind everything, so that it is not copied with the text. */
export interface WatermarkMark extends Place {
  kind: 'watermark'
  text: string
  colour: string
}
export type Mark = TextMark | RuleMark | BoxMark | QrMark | LogoMark | WatermarkMark

export interface Page {
  width: number
  height: number
  /** In drawing order. */
  marks: Mark[]
}

export interface Layout {
  pages: Page[]
  /** The whole document. */
  structure: Tag
}

export const INK = '#1B2226'
export const SOFT = '#5B666D'
export const HAIRLINE = '#D5DBDE'
export const WASH = '#F3F6F6'
export const WHITE = '#FFFFFF'

export interface TextStyle {
  size: number
  weight: Weight
  colour: string
}

export const style = (size: number, weight: Weight, colour: string): TextStyle => ({ size, weight, colour })

/** Adds an element as the last child of another. */
export function tagIn(parent: Tag, type: TagType, more: Omit<Partial<Tag>, 'type' | 'children'> = {}): Tag {
  const tag: Tag = { type, children: [], ...more }
  parent.children.push(tag)
  return tag
}

/** Adds marks of one meaning to a page. */
export class Pen {
  readonly #page: Page
  readonly #place: Place

  constructor(page: Page, tag: Tag | Artifact, field: string | null = null) {
    this.#page = page
    this.#place = { tag, field }
  }

  /** Writes a line as `wrap` returns it. */
  write(line: string, x: number, baseline: number, { size, weight, colour }: TextStyle): void {
    const text = withoutMark(line)
    if (text === '') return
    const goesOn = text !== line
    this.#add({ kind: 'text', text, x, baseline, size, weight, colour, goesOn, ...this.#place })
  }

  writeRight(line: string, right: number, baseline: number, style: TextStyle): void {
    this.write(line, right - textWidth(style.weight, withoutMark(line), style.size), baseline, style)
  }

  writeCentred(line: string, centre: number, baseline: number, style: TextStyle): void {
    this.write(line, centre - textWidth(style.weight, withoutMark(line), style.size) / 2, baseline, style)
  }

  rule(x: number, y: number, width: number, colour = HAIRLINE): void {
    this.#add({ kind: 'rule', x, y, width, colour, ...this.#place })
  }

  box(
    place: Pick<BoxMark, 'x' | 'y' | 'width' | 'height' | 'radius'>,
    { fill = null, dashes = null }: { fill?: string | null; dashes?: string | null },
  ): void {
    this.#add({ kind: 'box', ...place, fill, dashes, ...this.#place })
  }

  qr(text: string, x: number, y: number, side: number): void {
    this.#add({ kind: 'qr', text, x, y, side, ...this.#place })
  }

  logo(x: number, y: number, width: number, height: number): void {
    this.#add({ kind: 'logo', x, y, width, height, ...this.#place })
  }

  watermark(text: string, colour: string): void {
    this.#add({ kind: 'watermark', text, colour, ...this.#place })
  }

  #add(mark: Mark): void {
    this.#page.marks.push(mark)
  }
}

/** A row of flowing content, drawn where it lands. */
export interface Row {
  height: number
  /** A heading: never the last row of a page. */
  withNext?: true
  draw: (y: number, page: Page) => void
}

/** Lines of a text that stay on the page of their heading. */
const LINES_WITH_HEADING = 2

/** Returns the height needed to place the row at `index`: a heading takes the first lines of its text with it. */
export function heightToKeep(rows: readonly Row[], index: number): number {
  const [row, ...next] = rows.slice(index, index + 1 + LINES_WITH_HEADING)
  return row?.withNext ? row.height + heightOf(next) : (row?.height ?? 0)
}

export function heightOf(rows: readonly Row[]): number {
  return rows.reduce((total, row) => total + row.height, 0)
}

/** Returns left, top, right and bottom of a mark, approximately: letters are as high as capitals. */
export function extentOf(mark: Mark, page: Page): [number, number, number, number] {
  switch (mark.kind) {
    case 'text': {
      const width = textWidth(mark.weight, mark.text, mark.size)
      return [mark.x, mark.baseline - mark.size * 0.72, mark.x + width, mark.baseline + mark.size * 0.15]
    }
    case 'rule':
      return [mark.x, mark.y, mark.x + mark.width, mark.y]
    case 'box':
    case 'logo':
      return [mark.x, mark.y, mark.x + mark.width, mark.y + mark.height]
    case 'qr':
      return [mark.x, mark.y, mark.x + mark.side, mark.y + mark.side]
    case 'watermark':
      return [0, 0, page.width, page.height]
  }
}
