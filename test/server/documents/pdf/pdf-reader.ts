/**
 * Reads the PDF files that we write, without any tool: follows the cross-reference table, inflates streams, and
 * converts glyphs to text through the fonts' own tables. Strict: throws for anything that our files should not
 * contain.
 */
import { inflateSync } from 'node:zlib'

interface PdfObject {
  id: number
  /** The dictionary or value as written, without its stream. */
  source: string
  stream: Buffer | null
}

export interface ReadPdf {
  objects: Map<number, PdfObject>
  trailer: string
  pages: { id: number; content: string; lines: string[] }[]
}

interface Piece {
  x: number
  y: number
  text: string
}

export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1')
  if (!text.startsWith('%PDF-1.7\n')) throw new Error('not PDF 1.7')
  if (!text.endsWith('%%EOF\n')) throw new Error('bytes after the end')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const table = /^xref\n0 (\d+)\n/.exec(text.slice(start, start + 40))
  if (!table) throw new Error('no cross-reference table')
  const count = Number(table[1])
  const entriesAt = start + table[0].length
  const objects = new Map<number, PdfObject>()
  for (let id = 1; id < count; id++) {
    const entry = text.slice(entriesAt + id * 20, entriesAt + id * 20 + 20)
    if (!/^\d{10} 00000 n \n$/.test(entry)) throw new Error(`broken entry ${id}`)
    objects.set(id, readObject(bytes, text, id, Number(entry.slice(0, 10))))
  }
  const trailer = text.slice(entriesAt + count * 20, text.lastIndexOf('startxref'))
  const root = get(objects, reference(trailer, 'Root'))
  const kids = /\/Kids \[([^\]]*)\]/.exec(get(objects, reference(root.source, 'Pages')).source)?.[1] ?? ''
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => readPage(objects, Number(id)))
  return { objects, trailer, pages }
}

function readObject(bytes: Buffer, text: string, id: number, offset: number): PdfObject {
  const head = `${id} 0 obj\n`
  if (!text.startsWith(head, offset)) throw new Error(`object ${id} is not where the table says`)
  const bodyAt = offset + head.length
  const streamAt = text.indexOf('\nstream\n', bodyAt)
  const endAt = text.indexOf('\nendobj', bodyAt)
  if (streamAt === -1 || streamAt > endAt) return { id, source: text.slice(bodyAt, endAt), stream: null }
  const source = text.slice(bodyAt, streamAt)
  const length = Number(/\/Length (\d+)/.exec(source)?.[1])
  const raw = bytes.subarray(streamAt + 8, streamAt + 8 + length)
  if (!text.startsWith('\nendstream', streamAt + 8 + length)) {
    if (!text.startsWith('\n\nendstream', streamAt + 8 + length))
      throw new Error(`wrong length of stream ${id}`)
  }
  return { id, source, stream: source.includes('/FlateDecode') ? inflateSync(raw) : raw }
}

function get(objects: Map<number, PdfObject>, id: number): PdfObject {
  const found = objects.get(id)
  if (!found) throw new Error(`no object ${id}`)
  return found
}

function reference(source: string, key: string): number {
  const match = new RegExp(`/${key} (\\d+) 0 R`).exec(source)
  if (!match) throw new Error(`no ${key}`)
  return Number(match[1])
}

/** Returns the text of each glyph number, from a font's ToUnicode table. */
function glyphTexts(objects: Map<number, PdfObject>, fontId: number): Map<number, string> {
  const cmap =
    get(objects, reference(get(objects, fontId).source, 'ToUnicode')).stream?.toString('latin1') ?? ''
  const texts = new Map<number, string>()
  for (const [, first, list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    let glyph = Number.parseInt(first ?? '', 16)
    for (const [, hex = ''] of list.matchAll(/<([^>]*)>/g)) {
      const units = hex.split(' ').map((unit) => Number.parseInt(unit, 16))
      texts.set(glyph, String.fromCharCode(...units))
      glyph += 1
    }
  }
  return texts
}

function readPage(
  objects: Map<number, PdfObject>,
  id: number,
): { id: number; content: string; lines: string[] } {
  const { source } = get(objects, id)
  const content = get(objects, reference(source, 'Contents')).stream?.toString('latin1') ?? ''
  const resources = get(objects, reference(source, 'Resources')).source
  const fonts = new Map<string, Map<number, string>>()
  for (const [, name = '', font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name, glyphTexts(objects, Number(font)))
  const pieces: Piece[] = []
  for (const [, body = ''] of content.matchAll(/BT\n([\s\S]*?)ET/g)) {
    const place = /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/.exec(body)
    const texts = fonts.get(/\/(F\d+) /.exec(body)?.[1] ?? '')
    if (!place || !texts) throw new Error('text without place or font')
    let text = ''
    for (const [, hex = ''] of body.matchAll(/<([0-9a-f]+)>/g)) {
      for (let at = 0; at < hex.length; at += 4) {
        const glyph = Number.parseInt(hex.slice(at, at + 4), 16)
        const letters = texts.get(glyph)
        if (glyph === 0 || letters === undefined) throw new Error('a glyph without a meaning')
        text += letters
      }
    }
    // A trailing blank only separates what a reader of the structure would join.
    pieces.push({ x: Number(place[1]), y: Number(place[2]), text: text.trimEnd() })
  }
  return { id, content, lines: linesOf(pieces) }
}

/** Joins pieces on one baseline into a line, from left to right, with two bars where the layout separates them. */
function linesOf(pieces: Piece[]): string[] {
  const rows = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const key = piece.y.toFixed(0)
    rows.set(key, [...(rows.get(key) ?? []), piece])
  }
  return [...rows]
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([, row]) =>
      row
        .sort((a, b) => a.x - b.x)
        .map((piece) => piece.text)
        .join(' | '),
    )
}
