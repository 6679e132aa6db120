/**
 * Files of returns, in the two forms of the tax agency: pages in an envelope (303, 390, 130, 131, 111, 115, 123, 369),
 * and records of 500 characters (347, 349, 190, 180). Source: the agency's general manual of its designs of records.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { AppError } from '../../../domain/errors/app-error.ts'
import { FILE_MODELS, layoutFor } from './layout.ts'
import type { FileModel, Layout, LayoutField } from './layout.ts'
import { decodeRecord, encodeRecord, hasConstantsOf, wrongLength } from './record.ts'
import type { RecordValues } from './record.ts'

/** A page or a record. */
export interface FileRecord {
  /** Name of the record in the layout: `01000` for a page, `2` for a record. */
  record: string
  values: RecordValues
}

export interface ReturnFile {
  model: FileModel
  year: number
  /** `1T` to `4T`, `01` to `12`, or `0A` for a year. */
  period: string
  /** The program that wrote it: four characters of its version, and the tax number of its producer, or nothing. */
  software: { version: string; nif: string }
  /** Tax number of the filer in the head, in place of the program: the 369 has it there. */
  filer?: string
  records: readonly FileRecord[]
}

/** A file whose records are read one after another, so that those of a long one are never in memory together. */
export interface OpenFile {
  layout: Layout
  head: Omit<ReturnFile, 'records'>
  /** To be read once. Throws `validation_failed` at the first record that does not follow its layout. */
  records: Iterable<FileRecord>
}

const RECORD_LENGTH = 500
/** Each record ends with one; the pages contain none, not even at the end. */
const LINE_END = '\r\n'

/** The head of a page file, after its opening tag, unless its layout has another. */
const HEAD: readonly LayoutField[] = [
  { key: '#7', at: 1, length: 5, as: 'An', is: '<AUX>' },
  { key: '#8', at: 6, length: 70, as: 'An', is: '' },
  { key: 'version', at: 76, length: 4, as: 'An' },
  { key: '#10', at: 80, length: 4, as: 'An', is: '' },
  { key: 'nif', at: 84, length: 9, as: 'An' },
  { key: '#12', at: 93, length: 213, as: 'An', is: '' },
  { key: '#14', at: 306, length: 6, as: 'An', is: '</AUX>' },
]
const HEAD_LENGTH = 311
const OPENING_LENGTH = 17

/** Path of the faults of a whole file: the name under which it is uploaded. */
const WHOLE = 'content'

/** Returns the failure for a file, or the part of one at a path, that cannot be read. */
function unreadable(
  field: string,
  message: string,
  code = 'not_in_layout',
  params: Record<string, string | number> = {},
): AppError {
  return validationFailed([{ code, field, severity: 'error', message, params }])
}

const notAReturn = (): AppError =>
  unreadable(WHOLE, 'This is not a file of a return that Sello knows.', 'return_file_unknown')

function fieldsOf(layout: Layout, record: string, path: string): readonly LayoutField[] {
  const fields = Object.hasOwn(layout.records, record) ? layout.records[record] : undefined
  if (!fields)
    throw unreadable(path, `Model ${layout.model} has no such page or record.`, 'return_record_unknown', {
      model: layout.model,
    })
  return fields
}

const lengthOf = (fields: readonly LayoutField[]): number =>
  fields.reduce((sum, { length }) => sum + length, 0)
const present = (values: Record<string, string>): RecordValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

const pathOf = (index: number): string => `records[${index}]`

/** Returns the period that a record states, and under which key; undefined if it states none. */
function statedPeriod({ period, quarter, month }: RecordValues): readonly [string, string] | undefined {
  if (period !== undefined) return ['period', String(period)]
  if (quarter !== undefined) return ['quarter', `${quarter}T`]
  return month === undefined ? undefined : ['month', String(month).padStart(2, '0')]
}

/** Throws if a record states another year or period than the file, by which its layout was chosen. */
function assertPeriod(
  { year, period }: Omit<ReturnFile, 'records'>,
  values: RecordValues,
  path: string,
): void {
  const stated = statedPeriod(values)
  const isOther = stated !== undefined && stated[1] !== period
  if (isOther || (values.year !== undefined && values.year !== year))
    throw unreadable(
      `${path}.${isOther ? stated[0] : 'year'}`,
      `The file is of ${year} ${period}.`,
      'return_record_period',
      { year, period },
    )
}

/** Throws if a page belongs to another regime than the pages before it; returns the regime of the file so far. */
function assertRegime(
  layout: Layout,
  record: string,
  regime: readonly string[] | undefined,
  path: string,
): readonly string[] | undefined {
  const own = layout.regimes?.find((pages) => pages.includes(record))
  if (own && regime && own !== regime)
    throw unreadable(path, 'A file has the pages of one regime only.', 'return_file_regimes')
  return own ?? regime
}

/** Records written before others get their turn: a list of parties may have tens of thousands. */
const RECORDS_AT_ONCE = 200

/**
 * Writes a file, in ISO-8859-1. Throws `no_file_layout` for an exercise without a design, and `validation_failed` with
 * the path of each value that does not fit its field.
 */
export async function encodeFile(file: ReturnFile): Promise<Uint8Array> {
  const layout = await layoutFor(file.model, file.year)
  let regime: readonly string[] | undefined
  const parts: string[] = []
  for (const [index, { record, values }] of file.records.entries()) {
    const path = pathOf(index)
    assertPeriod(file, values, path)
    regime = assertRegime(layout, record, regime, path)
    parts.push(encodeRecord(path, fieldsOf(layout, record, path), values))
    if (parts.length % RECORDS_AT_ONCE === 0) await nextTurn()
  }
  if (layout.kind === 'records') return Buffer.from(parts.map((part) => part + LINE_END).join(''), 'latin1')
  const tag = `T${file.model}0${file.year}${file.period}0000>`
  const { software, filer = '' } = file
  const head = encodeRecord('head', layout.head ?? HEAD, present({ ...software, filer }))
  return Buffer.from(`<${tag}${head}${parts.join('')}</${tag}`, 'latin1')
}

function* readPages(layout: Layout, head: OpenFile['head'], text: string): Generator<FileRecord> {
  let regime: readonly string[] | undefined
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const path = pathOf(index)
    const [, model, record = ''] = /^<T(\d{3})(\w{1,5})>/.exec(text.slice(at, at + 11)) ?? []
    const fields = fieldsOf(layout, model === layout.model ? record : '', path)
    regime = assertRegime(layout, record, regime, path)
    const length = lengthOf(fields)
    const values = decodeRecord(path, fields, text.slice(at, at + length))
    assertPeriod(head, values, path)
    yield { record, values }
    at += length
  }
}

async function openPages(text: string): Promise<OpenFile> {
  const [opening, model, year, period] = /^<T(\d{3})0(\d{4})([0-9A-Z]{2})0000>/.exec(text) ?? []
  if (opening === undefined || model === undefined) throw notAReturn()
  const layout = await layoutOf(model, Number(year))
  if (layout.kind !== 'pages') throw unreadable(WHOLE, `Model ${model} is not written in pages.`)
  const ending = `</${opening.slice(1)}`
  if (text.length < OPENING_LENGTH + HEAD_LENGTH + ending.length || !text.endsWith(ending))
    throw unreadable(WHOLE, 'The file ends before its closing tag: it is cut off.', 'return_file_cut')
  const { version, nif, filer } = decodeRecord(
    'head',
    layout.head ?? HEAD,
    text.slice(OPENING_LENGTH, OPENING_LENGTH + HEAD_LENGTH),
  )
  const head = {
    model: layout.model,
    year: Number(year),
    period: period ?? '',
    software: { version: String(version ?? ''), nif: String(nif ?? '') },
    ...(filer === undefined ? {} : { filer: String(filer) }),
  }
  const pages = text.slice(OPENING_LENGTH + HEAD_LENGTH, text.length - ending.length)
  return { layout, head, records: readPages(layout, head, pages) }
}

const isFileModel = (model: string): model is FileModel => (FILE_MODELS as readonly string[]).includes(model)

function layoutOf(model: string, year: number): Promise<Layout> {
  if (!isFileModel(model))
    throw unreadable(WHOLE, `Sello does not know files of model ${model}.`, 'return_model_unknown', { model })
  return layoutFor(model, year)
}

/** Returns the name of the record to which a line belongs: of those of its type, the one whose constants it has. */
function recordOf(layout: Layout, line: string, path: string): string {
  const ofType = Object.keys(layout.records).filter((name) => name.startsWith(line.slice(0, 1)))
  const found = ofType.find((name) => hasConstantsOf(fieldsOf(layout, name, path), line))
  return found ?? ofType[0] ?? line.slice(0, 1)
}

const NEW_LINE = 0x0a

/** Returns the lines of a file one after another: by its line ends, or every 500 characters where it has none. */
function* linesOf(bytes: Buffer): Generator<string> {
  const hasLines = bytes.includes(NEW_LINE)
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const next = hasLines ? bytes.indexOf(NEW_LINE, at) : at + RECORD_LENGTH
    const end = next < 0 || next > bytes.length ? bytes.length : next
    // A line may be as long as the file: it is refused before it becomes text.
    if (end - at > RECORD_LENGTH + 1) throw wrongLength(pathOf(index), end - at, RECORD_LENGTH)
    yield bytes.toString('latin1', at, end).replace(/\r$/, '')
    at = hasLines ? end + 1 : end
  }
}

function readLine(layout: Layout, line: string, index: number): FileRecord {
  const path = pathOf(index)
  const record = recordOf(layout, line, path)
  const values = decodeRecord(path, fieldsOf(layout, record, path), line)
  if (record.startsWith('1') !== (index === 0))
    throw unreadable(path, 'The record of the filer comes first, and only once.', 'return_record_order')
  return { record, values }
}

async function openRecords(bytes: Buffer): Promise<OpenFile> {
  const [start, model, year] = /^1(\d{3})(\d{4})/.exec(bytes.toString('latin1', 0, 8)) ?? []
  if (start === undefined || model === undefined) throw notAReturn()
  const layout = await layoutOf(model, Number(year))
  if (layout.kind !== 'records') throw unreadable(WHOLE, `Model ${model} is not written in records.`)
  const lines = linesOf(bytes)
  const first = readLine(layout, lines.next().value ?? '', 0)
  const head = {
    model: layout.model,
    year: Number(year),
    // Only the 349 is not of a whole year, and names its period in the first record.
    period: String(first.values.period ?? '0A'),
    software: { version: '', nif: '' },
  }
  const records = (function* () {
    yield first
    let index = 1
    for (const line of lines) {
      const record = readLine(layout, line, index)
      assertPeriod(head, record.values, pathOf(index))
      yield record
      index += 1
    }
  })()
  return { layout, head, records }
}

const PAGE_START = 0x3c

/**
 * Opens a file that Sello or another program wrote, and reads its head. Throws `validation_failed` if it is no file of
 * a return, and `no_file_layout` for an exercise whose design is not known.
 */
export async function openFile(bytes: Uint8Array): Promise<OpenFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer[0] === PAGE_START
    ? openPages(buffer.toString('latin1').replace(/\r?\n$/, ''))
    : openRecords(buffer)
}

/**
 * Reads a whole file that Sello or another program wrote. Throws `validation_failed` where it does not follow its
 * design, and `no_file_layout` for an exercise whose design is not known.
 */
export async function decodeFile(bytes: Uint8Array): Promise<ReturnFile> {
  const { head, records } = await openFile(bytes)
  return { ...head, records: [...records] }
}
