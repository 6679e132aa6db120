/**
 * Reads the sheets of an XLSX file (ECMA-376, part 1, 18) row by row. Addresses are checked before anything is
 * allocated, so a cell far to the right or far down costs nothing. Formulas are never evaluated; their stored results
 * are read.
 */
import { SaxesParser } from 'saxes'
import { openZip, unpacked, UnreadableZip } from './unzip.ts'
import type { PackedEntry, ZipFault } from './unzip.ts'
import type { Cell, FileRow } from './cells.ts'

interface XlsxLimits {
  columns: number
  unpackedBytes: number
  entries: number
  /** Characters of the shared strings table. */
  sharedChars: number
}

export class UnreadableSheet extends Error {
  readonly why: ZipFault
  constructor(why: ZipFault) {
    super(why)
    this.name = 'UnreadableSheet'
    this.why = why
  }
}

interface XlsxSheet {
  name: string
  /** May be read more than once. Throws `UnreadableSheet`. */
  rows: () => AsyncIterable<FileRow>
}

const MAX_DEPTH = 64
const LAST_ROW = 1_048_576
const LAST_COLUMN = 16_384
const MAX_CELL = 32_767
const MAX_SHEETS = 1_000
const MAX_STYLES = 100_000
const DAY_MS = 86_400_000
/** Serial number of 1970-01-01 in spreadsheets, which count a 29 February 1900. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
/** Returns true for a built-in number format that shows a date or a time (18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58) ||
  (id >= 71 && id <= 81)

interface Tag {
  name: string
  attributes: Record<string, string>
}

interface Handlers {
  open?: (tag: Tag) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Feeds a part of the file to the handlers in chunks; between two chunks the caller may consume the results. */
async function* walk(entry: PackedEntry, handlers: Handlers): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  const broken = (): never => {
    throw new UnreadableSheet('broken')
  }
  parser.on('error', broken)
  parser.on('doctype', broken)
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) broken()
    handlers.open?.({ name: localName(tag.name), attributes: tag.attributes as Record<string, string> })
  })
  if (handlers.text) {
    parser.on('text', handlers.text)
    parser.on('cdata', handlers.text)
  }
  parser.on('closetag', (tag) => {
    depth -= 1
    handlers.close?.(localName(tag.name))
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of unpacked(entry)) {
      parser.write(decoder.decode(piece, { stream: true }))
      yield
    }
    parser.write(decoder.decode()).close()
    yield
  } catch (error) {
    if (error instanceof UnreadableZip) throw new UnreadableSheet(error.why)
    throw error instanceof UnreadableSheet ? error : new UnreadableSheet('broken')
  }
}

async function readAll(entry: PackedEntry | undefined, handlers: Handlers): Promise<void> {
  if (entry) for await (const _ of walk(entry, handlers));
}

/** Decodes the escapes for characters that XML cannot contain: `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

async function sharedStrings(entry: PackedEntry | undefined, most: number): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  let chars = 0
  let inText = false
  // Phonetic text of Japanese, which is not part of the value.
  let inPhonetic = false
  await readAll(entry, {
    open: ({ name }) => {
      if (name === 'si') text = ''
      else if (name === 'rPh') inPhonetic = true
      else if (name === 't') inText = !inPhonetic
    },
    text: (piece) => {
      if (!inText) return
      text = (text + piece).slice(0, MAX_CELL)
    },
    close: (name) => {
      if (name === 't') inText = false
      else if (name === 'rPh') inPhonetic = false
      else if (name === 'si') {
        // Each string has a fixed memory overhead, even an empty one.
        chars += text.length + 16
        if (chars > most) throw new UnreadableSheet('too_large')
        texts.push(unescaped(text))
      }
    },
  })
  return texts
}

/**
 * Returns true when a number format shows a date or a time, by its letters outside quoted text, colours and
 * conditions.
 */
function isDateFormat(template: string): boolean {
  const bare = template
    .toLowerCase()
    .replace(/\\./g, ' ')
    .replace(/"[^"]*"/g, ' ')
    .replace(/\[(?![smh]{1,2}\])[^\]]*\]/g, '')
    .replace(/general/g, '')
  return bare
    .split(';')
    .some((part) => /[ymdhs]/.test(part) && !/[#?0]/.test(part.replace(/([sm\]])[.,]0+/g, '$1')))
}

/** Returns, for each cell style, whether it shows a date. */
async function dateStyles(entry: PackedEntry | undefined): Promise<boolean[]> {
  const own = new Map<number, boolean>()
  const styles: boolean[] = []
  let inCells = false
  await readAll(entry, {
    open: ({ name, attributes }) => {
      if (name === 'numFmt') own.set(Number(attributes.numFmtId), isDateFormat(attributes.formatCode ?? ''))
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) {
        if (styles.length >= MAX_STYLES) throw new UnreadableSheet('too_large')
        const id = Number(attributes.numFmtId ?? 0)
        styles.push(own.get(id) ?? isBuiltInDate(id))
      }
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

interface Workbook {
  sheets: { name: string; relation: string }[]
  epoch: number
}

async function workbookOf(entry: PackedEntry | undefined): Promise<Workbook> {
  const book: Workbook = { sheets: [], epoch: EPOCH_1900 }
  await readAll(entry, {
    open: ({ name, attributes }) => {
      if (name === 'workbookPr' && /^(1|true)$/.test(attributes.date1904 ?? '')) book.epoch = EPOCH_1904
      if (name !== 'sheet') return
      if (book.sheets.length >= MAX_SHEETS) throw new UnreadableSheet('too_large')
      const relation = Object.entries(attributes).find(
        ([key]) => localName(key) === 'id' && key !== 'id',
      )?.[1]
      book.sheets.push({ name: attributes.name ?? '', relation: relation ?? '' })
    },
  })
  return book
}

/** Returns the parts of the workbook by relation, and by the last segment of their type. */
async function relationsOf(entry: PackedEntry | undefined): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  await readAll(entry, {
    open: ({ name, attributes: { Id = '', Type = '', Target = '' } }) => {
      if (name !== 'Relationship' || found.size > MAX_SHEETS * 2) return
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`
      found.set(Id, path)
      const kind = Type.slice(Type.lastIndexOf('/') + 1)
      if (kind === 'sharedStrings' || kind === 'styles') found.set(kind, path)
    },
  })
  return found
}

/** Returns column and row of an address such as `XFD1048576`, from 1. Throws `UnreadableSheet` for an invalid one. */
function placeOf(address: string): { row: number; column: number } {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(digits)
  if (column < 1 || column > LAST_COLUMN || row < 1 || row > LAST_ROW) throw new UnreadableSheet('broken')
  return { row, column }
}

interface Known {
  shared: readonly string[]
  dates: readonly boolean[]
  epoch: number
}

const dayOf = (time: number): string | null =>
  Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(0, 10) : null

function valueOf(
  type: string,
  style: string | undefined,
  value: string,
  { shared, dates, epoch }: Known,
): Cell {
  if (type === 'inlineStr') return unescaped(value)
  if (value === '') return null
  switch (type) {
    case 's': {
      const text = shared[Number(value)]
      if (text === undefined) throw new UnreadableSheet('broken')
      return text
    }
    case 'str':
      return unescaped(value)
    case 'b':
      return value.trim() === '1'
    case 'e':
      return value
    case 'd':
      return dayOf(Date.parse(value))
    default: {
      const number = Number(value)
      if (Number.isNaN(number)) throw new UnreadableSheet('broken')
      if (style !== undefined && dates[Number(style)]) return dayOf(Math.round((number - epoch) * DAY_MS))
      return number
    }
  }
}

async function* rowsOf(
  entry: PackedEntry,
  known: Known,
  columns: number,
): AsyncGenerator<FileRow, void, undefined> {
  let ready: FileRow[] = []
  let row = 0
  let column = 0
  let cells: Cell[] = []
  let type = ''
  let style: string | undefined
  let value = ''
  let takesText = false
  let inCell = false
  let inPhonetic = false
  const handlers: Handlers = {
    open: ({ name, attributes }) => {
      if (name === 'row') {
        const said = attributes.r === undefined ? row + 1 : Number(attributes.r)
        if (!Number.isInteger(said) || said <= row || said > LAST_ROW) throw new UnreadableSheet('broken')
        row = said
        column = 0
        cells = []
      } else if (name === 'c') {
        const place = attributes.r === undefined ? { row, column: column + 1 } : placeOf(attributes.r)
        if (place.row !== row || place.column <= column) throw new UnreadableSheet('broken')
        column = place.column
        type = attributes.t ?? 'n'
        style = attributes.s
        value = ''
        inCell = true
      } else if (name === 'rPh') inPhonetic = true
      else if (name === 'v' || name === 't') takesText = inCell && !inPhonetic
    },
    text: (piece) => {
      if (takesText) value = (value + piece).slice(0, MAX_CELL)
    },
    close: (name) => {
      if (name === 'v' || name === 't') takesText = false
      else if (name === 'rPh') inPhonetic = false
      else if (name === 'c') {
        inCell = false
        // Columns further right are ignored, so nothing is allocated for them.
        if (column > columns) return
        const cell = valueOf(type, style, value, known)
        if (cell === null) return
        while (cells.length < column - 1) cells.push(null)
        cells.push(cell)
      } else if (name === 'row' && cells.length > 0) ready.push({ row, cells })
    },
  }
  for await (const _ of walk(entry, handlers)) {
    const some = ready
    ready = []
    yield* some
  }
}

/** Opens a workbook; nothing of its sheets is read yet. Throws `UnreadableSheet`. */
export async function openXlsx(bytes: Buffer, limits: XlsxLimits): Promise<XlsxSheet[]> {
  let entries: Map<string, PackedEntry>
  try {
    entries = openZip(bytes, { entries: limits.entries, bytes: limits.unpackedBytes })
  } catch (error) {
    throw error instanceof UnreadableZip ? new UnreadableSheet(error.why) : error
  }
  const book = await workbookOf(entries.get('xl/workbook.xml'))
  const relations = await relationsOf(entries.get('xl/_rels/workbook.xml.rels'))
  if (book.sheets.length === 0) throw new UnreadableSheet('broken')
  const part = (kind: string, usual: string) => entries.get(relations.get(kind) ?? usual)
  // Read once, when the first sheet is.
  let known: Promise<Known> | undefined
  const readKnown = async (): Promise<Known> => ({
    shared: await sharedStrings(part('sharedStrings', 'xl/sharedStrings.xml'), limits.sharedChars),
    dates: await dateStyles(part('styles', 'xl/styles.xml')),
    epoch: book.epoch,
  })
  return book.sheets.map(({ name, relation }) => ({
    name,
    rows: async function* () {
      const entry = entries.get(relations.get(relation) ?? '')
      if (!entry) throw new UnreadableSheet('broken')
      known ??= readKnown()
      yield* rowsOf(entry, await known, limits.columns)
    },
  }))
}
