/** Reads text tables: their encoding and delimiter are recognized, and rows are read in portions. */
import Papa from 'papaparse'
import { UnreadableSpreadsheet } from './cells.ts'
import type { FileRow } from './cells.ts'

const DELIMITERS = [';', ',', '\t', '|']
const ROWS_AT_ONCE = 1_000
const CHARS_AT_ONCE = 256_000
const HEAD_CHARS = 100_000
/** Bytes by which UTF-16 without a byte order mark is recognized. */
const WIDE_HEAD = 4_096
/** Share of code units below 256 in text of Western Europe. */
const WIDE_SHARE = 0.9

interface CsvFile {
  text: string
  encoding: string
  delimiter: string
  newline: Papa.ParseConfig['newline']
}

function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the byte order of UTF-16 by its mark, or by zero bytes at every second place; null for other text. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const length = Math.min(bytes.length, WIDE_HEAD) & ~1
  if (length < 8 || bytes.length % 2 !== 0) return null
  let [even, odd] = [0, 0]
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1
    if (bytes[at + 1] === 0) odd += 1
  }
  const units = length / 2
  if (odd >= units * WIDE_SHARE && even === 0) return 'utf-16le'
  if (even >= units * WIDE_SHARE && odd === 0) return 'utf-16be'
  return null
}

/**
 * Decodes bytes: UTF-8 if valid, UTF-16 with or without a byte order mark, else the Windows code page of Western
 * Europe. Throws `UnreadableSpreadsheet` for binary data.
 */
function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const wide = wideEncoding(bytes)
  if (wide) {
    const text = strictly(bytes, wide)
    if (text === null || text.includes('\0')) throw new UnreadableSpreadsheet('unknown')
    return { text: text.replace(/^\ufeff/, ''), encoding: wide }
  }
  if (bytes.includes(0)) throw new UnreadableSpreadsheet('unknown')
  const utf8 = strictly(bytes, 'utf-8')
  if (utf8 !== null) return { text: utf8.replace(/^\ufeff/, ''), encoding: 'utf-8' }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

/** Returns the delimiter that gives the most rows of equal width above one, among the first rows. */
function guessDelimiter(text: string): Pick<CsvFile, 'delimiter' | 'newline'> {
  let [best, bestScore] = [';', -1]
  let newline = '\n'
  for (const delimiter of DELIMITERS) {
    const { data, meta } = Papa.parse<string[]>(text.slice(0, HEAD_CHARS), { delimiter, preview: 40 })
    newline = meta.linebreak
    const widths = new Map<number, number>()
    for (const { length } of data) if (length > 1) widths.set(length, (widths.get(length) ?? 0) + 1)
    for (const [width, rows] of widths) {
      const score = rows * 100 + Math.min(width, 99)
      if (score > bestScore) [best, bestScore] = [delimiter, score]
    }
  }
  return { delimiter: best, newline: newline as Papa.ParseConfig['newline'] }
}

/** Opens a text table. Throws `UnreadableSpreadsheet` for binary data. */
export function openCsv(bytes: Uint8Array): CsvFile {
  const { text, encoding } = decodeText(bytes)
  return { text, encoding, ...guessDelimiter(text) }
}

/** Yields the rows of a text table, blank ones included, in portions. */
export function* csvRows({ text, delimiter, newline }: CsvFile): Generator<FileRow[], void, undefined> {
  let row = 0
  for (let at = 0; at < text.length;) {
    let next = text.length
    let chars = 0
    const rows: FileRow[] = []
    // Parsed row by row; the reader stops when a portion is full and resumes after its last row.
    Papa.parse<string[]>(at === 0 ? text : text.slice(at), {
      delimiter,
      newline,
      // The fast mode would split the whole text first.
      fastMode: false,
      skipEmptyLines: false,
      step: ({ data, meta }, parser) => {
        rows.push({ row: ++row, cells: data })
        for (const cell of data) chars += cell.length + 8
        if (rows.length < ROWS_AT_ONCE && chars < CHARS_AT_ONCE) return
        next = at + meta.cursor
        parser.abort()
      },
    })
    yield rows
    at = next
  }
}
