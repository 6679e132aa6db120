/**
 * The three faces of the invoice, parsed once per thread, and the measured words that documents share: parsing and
 * shaping are most of the cost of a page.
 */
import { existsSync, readFileSync } from 'node:fs'
import { create } from 'fontkit'
import type { Font, GlyphRun } from 'fontkit'

export type Weight = 'regular' | 'semibold' | 'bold'

export interface Face {
  font: Font
  /** Shaped words in thousandths of an em, in the form pdfkit keeps its own: it reads and fills this same table. */
  runs: Record<string, GlyphRun>
  widths: Map<string, number>
}

export const WEIGHTS: readonly Weight[] = ['regular', 'semibold', 'bold']

const FILES: Record<Weight, string> = {
  regular: 'SelloSans-Regular.ttf',
  semibold: 'SelloSans-SemiBold.ttf',
  bold: 'SelloSans-Bold.ttf',
}

/** Beyond this many words the shared table starts anew: amounts and names never repeat for ever. */
const MAX_WORDS = 20_000

/** `fonts/` beside this file, or beside the bundle when the bundler has put this code into a folder of chunks. */
function fontFile(name: string): URL {
  const beside = new URL(`./fonts/${name}`, import.meta.url)
  return existsSync(beside) ? beside : new URL(`../fonts/${name}`, import.meta.url)
}

function openFace(weight: Weight): Face {
  const font = create(readFileSync(fontFile(FILES[weight])))
  // Some characters share a glyph (blank and no-break blank, hyphens, ohm and omega), and a glyph remembers for good the
  // first character it was asked for, which then goes into the file's text table. Asking for all in one order keeps a
  // document's bytes independent of what was drawn before it.
  for (const codePoint of font.characterSet.toSorted((a, b) => a - b)) font.glyphForCodePoint(codePoint)
  return { font, runs: emptyRuns(), widths: new Map() }
}

function emptyRuns(): Record<string, GlyphRun> {
  return Object.create(null) as Record<string, GlyphRun>
}

let opened: Record<Weight, Face> | null = null

export function faces(): Record<Weight, Face> {
  opened ??= { regular: openFace('regular'), semibold: openFace('semibold'), bold: openFace('bold') }
  return opened
}

/** To be called between documents, never within one: drops the shared words when there are too many. */
export function trimSharedWords(): void {
  if (opened === null) return
  for (const face of Object.values(opened)) {
    if (face.widths.size < MAX_WORDS) continue
    face.widths.clear()
    face.runs = emptyRuns()
  }
}

/** Shapes a word as pdfkit does (same scale, same extra field), so that it is shaped once for measuring and drawing. */
function shape(face: Face, word: string): GlyphRun {
  const run = face.font.layout(word)
  const scale = 1000 / face.font.unitsPerEm
  run.positions.forEach((position, index) => {
    position.xAdvance *= scale
    position.yAdvance *= scale
    position.xOffset *= scale
    position.yOffset *= scale
    position.advanceWidth = (run.glyphs[index]?.advanceWidth ?? 0) * scale
  })
  return run
}

function wordWidth(face: Face, word: string): number {
  const known = face.widths.get(word)
  if (known !== undefined) return known
  const run = (face.runs[word] ??= shape(face, word))
  const width = run.advanceWidth
  face.widths.set(word, width)
  return width
}

/** Width in points. Words are shaped apart, each with the blank after it, because that is how they are drawn. */
export function textWidth(weight: Weight, text: string, size: number): number {
  const face = faces()[weight]
  let total = 0
  let start = 0
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', start)) {
    total += wordWidth(face, text.slice(start, at + 1))
    start = at + 1
  }
  if (start < text.length) total += wordWidth(face, text.slice(start))
  return (total * size) / 1000
}

/** True when all faces can draw the character: they are cut from one list. */
export function canDraw(codePoint: number): boolean {
  return faces().regular.font.hasGlyphForCodePoint(codePoint)
}
