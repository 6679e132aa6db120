/**
 * Reads a PDF file as our renderer and our own increments write it, only as far as signing needs: cross-reference
 * tables, trailers, dictionaries. Throws `UnsignablePdf` for anything else: object streams, encryption, damage.
 * Source: ISO 32000-1, section 7.5.
 */
import {
  afterSpace,
  dictionaryAt,
  endOfValue,
  referenceOf,
  UnsignablePdf,
  wholeNumberOf,
} from './pdf-syntax.ts'
import type { Dictionary } from './pdf-syntax.ts'

export interface PdfFile {
  bytes: Uint8Array
  /** The file as text, one character per byte. */
  text: string
  /** Offset of the newest cross-reference table. */
  tableAt: number
  /** Newest first, like the tables. */
  trailer: Dictionary
  tables: Subsection[]
}

/** A run of objects in a cross-reference table. */
interface Subsection {
  first: number
  count: number
  /** Offset of its first entry. */
  at: number
}

const ENTRY_BYTES = 20
/** More increments than anyone would add to an invoice. */
const MOST_TABLES = 100

export function readPdfFile(bytes: Uint8Array): PdfFile {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!/^%PDF-1\.[3-7][\r\n]/.test(text.slice(0, 9)))
    throw new UnsignablePdf('Not a PDF of version 1.3 to 1.7.')
  const end = /(?:^|[\r\n])startxref\r?\n(\d{1,10})\r?\n%%EOF\r?\n?$/.exec(text.slice(-64))
  if (!end) throw new UnsignablePdf('The file has no proper end.')
  const tableAt = Number(end[1])
  const tables: Subsection[] = []
  let trailer: Dictionary | null = null
  let before = text.length
  for (let at: number | null = tableAt, read = 0; at !== null; read++) {
    // Offsets must decrease, so that the tables cannot form a cycle.
    if (at >= before || read === MOST_TABLES)
      throw new UnsignablePdf('The tables of offsets are in disorder.')
    before = at
    const older = readTable(text, at, tables)
    trailer ??= older
    const previous = older.get('Prev')
    at = previous === undefined ? null : wholeNumberOf(previous)
  }
  if (!trailer) throw new UnsignablePdf('The file has no trailer.')
  return { bytes, text, tableAt, trailer, tables }
}

/** Adds the runs of one table to `tables` and returns its trailer. */
function readTable(text: string, start: number, tables: Subsection[]): Dictionary {
  if (!/^xref\r?\n/.test(text.slice(start, start + 6)))
    throw new UnsignablePdf('There is no table of offsets.')
  let at = afterSpace(text, start + 4)
  for (;;) {
    const head = /^(\d{1,10}) (\d{1,10}) ?\r?\n/.exec(text.slice(at, at + 24))
    if (!head) break
    const [whole, first, count] = head
    tables.push({ first: Number(first), count: Number(count), at: at + whole.length })
    at += whole.length + Number(count) * ENTRY_BYTES
  }
  if (!text.startsWith('trailer', at)) throw new UnsignablePdf('A table of offsets has no trailer.')
  const { entries } = dictionaryAt(text, afterSpace(text, at + 'trailer'.length))
  if (entries.has('Encrypt')) throw new UnsignablePdf('The file is encrypted.')
  if (entries.has('XRefStm')) throw new UnsignablePdf('The file has object streams.')
  return entries
}

/** Returns the offset of an object's value, by the newest table that contains the object. */
function placeOf({ text, tables }: PdfFile, id: number): number {
  const table = tables.find(({ first, count }) => id >= first && id < first + count)
  const entryAt = table ? table.at + (id - table.first) * ENTRY_BYTES : 0
  const entry = table
    ? /^(\d{10}) 00000 n(?: \r| \n|\r\n)$/.exec(text.slice(entryAt, entryAt + ENTRY_BYTES))
    : null
  const at = Number(entry?.[1])
  const head = `${id} 0 obj`
  if (!entry || !text.startsWith(head, at)) throw new UnsignablePdf(`Object ${id} is not where it should be.`)
  return afterSpace(text, at + head.length)
}

/** Returns an object that is a dictionary without a stream, and the offset of its value. */
export function placedDictionary(
  file: PdfFile,
  id: number,
): { entries: Dictionary; at: number; end: number } {
  const at = placeOf(file, id)
  const { entries, end } = dictionaryAt(file.text, at)
  if (!file.text.startsWith('endobj', afterSpace(file.text, end)))
    throw new UnsignablePdf(`Object ${id} is no plain dictionary.`)
  return { entries, at, end }
}

/** Returns an object that is a dictionary without a stream. */
export function dictionaryOfObject(file: PdfFile, id: number): Dictionary {
  return placedDictionary(file, id).entries
}

/** Returns a value as written, and follows a reference to an object that holds the value. */
export function valueOf(file: PdfFile, written: string): string {
  const id = referenceOf(written)
  if (id === null) return written
  const at = placeOf(file, id)
  return file.text.slice(at, endOfValue(file.text, at))
}

/** Returns the object that a dictionary's entry refers to. */
export function requiredReference(entries: Dictionary, name: string): number {
  const id = referenceOf(entries.get(name))
  if (id === null) throw new UnsignablePdf(`${name} points nowhere.`)
  return id
}

/** Returns the first page by following the first child of each node (section 7.7.3). */
export function firstPage(file: PdfFile, catalog: Dictionary): { id: number; entries: Dictionary } {
  let id = requiredReference(catalog, 'Pages')
  for (let depth = 0; depth < 20; depth++) {
    const entries = dictionaryOfObject(file, id)
    if (entries.get('Type') === '/Page') return { id, entries }
    if (entries.get('Type') !== '/Pages') break
    const first = /^\[\s*(\d+) 0 R/.exec(entries.get('Kids') ?? '')?.[1]
    if (first === undefined) break
    id = Number(first)
  }
  throw new UnsignablePdf('The file has no first page.')
}
