/**
 * The three typefaces of the invoice, parsed once per thread, and the cache of measured words that documents share:
 * parsing and shaping are most of the cost of a page.
 */
import { existsSync, readFileSync } from 'node:fs'
import { create } from 'fontkit'
import type { Font, GlyphRun } from 'fontkit'
import { useMeasure } from './measure.ts'
import type { Weight } from './measure.ts'

export type { Weight } from './measure.ts'

interface Face {
  font: Font
  /** Shaped words in thousandths of an em, in pdfkit's own cache format: pdfkit reads and fills this same table. */
  runs: Record<string, GlyphRun>
  widths: Map<string, number>
}

export const WEIGHTS: readonly Weight[] = ['regular', 'semibold', 'bold']

const FILES: Record<Weight, string> = {
  regular: 'SelloSans-Regular.ttf',
  semibold: 'SelloSans-SemiBold.ttf',
  bold: 'SelloSans-Bold.ttf',
}

/** Limit of the shared table, which is then emptied: amounts and names are different in every document. */
const MAX_WORDS = 20_000

/**
 * Returns the address of a font file: in `fonts/` beside this file, or beside the bundle when the bundler has moved
 * this code into a folder of chunks.
 */
function fontFile(name: string): URL {
  const beside = new URL(`./fonts/${name}`, import.meta.url)
  return existsSync(beside) ? beside : new URL(`../fonts/${name}`, import.meta.url)
}

function openFace(weight: Weight): Face {
  const font = create(readFileSync(fontFile(FILES[weight])))
  // Some characters share a glyph (blank and no-break blank, hyphens, ohm and omega), and a glyph remembers the first
  // character that requested it, which then goes into the file's text table. Requesting all in one order keeps a
  // document's bytes independent of earlier documents.
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

/** Empties the table of shared words when it is too large. Call it between documents, never within one. */
export function trimSharedWords(): void {
  if (opened === null) return
  for (const face of Object.values(opened)) {
    if (face.widths.size < MAX_WORDS) continue
    face.widths.clear()
    face.runs = emptyRuns()
  }
}

/** Shapes a word as pdfkit does (same scale, same extra field), so that one shaping serves measuring and drawing. */
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

/**
 * Returns the width in points. Words are shaped separately, each with its following blank, because they are drawn
 * that way.
 */
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

/** Returns true if all typefaces can draw the character: they are subset from one list. */
export function canDraw(codePoint: number): boolean {
  return faces().regular.font.hasGlyphForCodePoint(codePoint)
}

useMeasure({ textWidth, canDraw })
