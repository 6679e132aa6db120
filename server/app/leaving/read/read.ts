/**
 * Reads an archive within the child process: first every file against the manifest, then the rows. The archive stays on the
 * disk; of it only one line, and the contents that it names, are in memory.
 */
import { createHash } from 'node:crypto'
import { MOST_ZIP_ENTRIES } from '../../../domain/formats/zip-stream.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { BulkRow, BulkValue } from '../../../db/bulk.ts'
import { ZipFile } from '../../../platform/spreadsheets/zip-file.ts'
import { UnreadableZip } from '../../../platform/spreadsheets/unzip.ts'
import { FilePart, Manifest, MANIFEST, ManifestHead, ARCHIVE_VERSION, rowsPath } from '../format.ts'
import type { ArchiveJob, ArchivePart, ArchiveReply, RequestedTable, CheckedArchive } from './types.ts'

/** Unpacked; far above what an archive of 4 GB holds. */
const MOST_BYTES = 40_000_000_000
const MOST_MANIFEST_BYTES = 32 * 1024 * 1024
/** Longest row, as text. */
const MOST_LINE_BYTES = 32 * 1024 * 1024
/** Largest file that rows name as their content. */
const MOST_CONTENT_BYTES = 48 * 1024 * 1024
/** Rows, and bytes of them, that are sent at a time. */
const ROWS_AT_ONCE = 500
const BYTES_AT_ONCE = 2 * 1024 * 1024
const CHECKED_AT_ONCE = 25
const LINE_END = 0x0a
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

type SendPart = (part: ArchivePart) => Promise<void>

const changed = (path: string, why: string, row?: number): AppError =>
  new AppError('archive_changed', { details: { path, why, ...(row === undefined ? {} : { row }) } })

async function opened<T>(path: string, work: (zip: ZipFile) => Promise<T>): Promise<T> {
  let zip: ZipFile
  try {
    zip = await ZipFile.open(path, { entries: MOST_ZIP_ENTRIES, bytes: MOST_BYTES })
  } catch (error) {
    if (!(error instanceof UnreadableZip)) throw error
    throw new AppError(error.why === 'too_large' ? 'archive_too_large' : 'archive_unreadable', {
      details: { why: error.why },
    })
  }
  try {
    return await work(zip)
  } finally {
    await zip.close()
  }
}

/** Yields the bytes of a file that the directory names. Throws `archive_changed`. */
async function* bytesOf(zip: ZipFile, path: string): AsyncGenerator<Buffer> {
  const entry = zip.entries.get(path)
  if (!entry) throw changed(path, 'missing')
  try {
    yield* zip.unpacked(entry)
  } catch (error) {
    throw error instanceof UnreadableZip ? changed(path, 'bytes') : error
  }
}

async function whole(zip: ZipFile, path: string, most: number): Promise<Buffer> {
  if ((zip.entries.get(path)?.size ?? 0) > most)
    throw new AppError('archive_too_large', { details: { path } })
  const pieces: Buffer[] = []
  for await (const piece of bytesOf(zip, path)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Reads the manifest. Throws `archive_unreadable`, or `archive_newer` for what a later version wrote. */
async function manifestOf(zip: ZipFile, schema: number): Promise<Manifest> {
  if (!zip.entries.has(MANIFEST)) throw new AppError('archive_unreadable', { details: { why: 'manifest' } })
  let raw: unknown
  try {
    raw = JSON.parse((await whole(zip, MANIFEST, MOST_MANIFEST_BYTES)).toString('utf8'))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('archive_unreadable', { details: { why: 'manifest' } })
  }
  const head = ManifestHead.safeParse(raw)
  if (!head.success) throw new AppError('archive_unreadable', { details: { why: 'manifest' } })
  const { version, program } = head.data
  if (version > ARCHIVE_VERSION || program.schema > schema)
    throw new AppError('archive_newer', {
      details: { version, schema: program.schema, knownVersion: ARCHIVE_VERSION, knownSchema: schema },
    })
  const parsed = Manifest.safeParse(raw)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('archive_unreadable', {
    details: { why: 'manifest', field: (issue?.path ?? []).join('.') },
  })
}

async function check(zip: ZipFile, schema: number, sendPart: SendPart): Promise<CheckedArchive> {
  const { files, leftOut: _left, ...manifest } = await manifestOf(zip, schema)
  const named = new Set(files.map(({ path }) => path))
  if (named.size !== files.length || named.has(MANIFEST))
    throw new AppError('archive_unreadable', { details: { why: 'manifest', field: 'files' } })
  for (const { path } of files) if (!zip.entries.has(path)) throw changed(path, 'missing')
  for (const path of zip.entries.keys())
    if (path !== MANIFEST && !named.has(path)) throw changed(path, 'added')
  for (const { name } of manifest.tables)
    if (!named.has(rowsPath(name))) throw changed(rowsPath(name), 'missing')
  let sum = 0
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    const hash = createHash('sha256')
    let length = 0
    for await (const piece of bytesOf(zip, path)) {
      hash.update(piece)
      length += piece.length
    }
    if (length !== bytes || hash.digest('hex') !== sha256) throw changed(path, 'bytes')
    sum += length
    if (index % CHECKED_AT_ONCE === 0) await sendPart({ checked: index, of: files.length })
  }
  return { ...manifest, files: files.length + 1, bytes: sum }
}

/** Yields the lines of a file. */
async function* linesOf(zip: ZipFile, path: string): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let length = 0
  for await (const piece of bytesOf(zip, path)) {
    let at = 0
    for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, at)) {
      yield Buffer.concat([...rest, piece.subarray(at, end)]).toString('utf8')
      rest = []
      length = 0
      at = end + 1
    }
    if (at === piece.length) continue
    length += piece.length - at
    if (length > MOST_LINE_BYTES) throw new AppError('archive_too_large', { details: { path } })
    rest.push(piece.subarray(at))
  }
  if (rest.length > 0) throw changed(path, 'line')
}

class RowReader {
  private readonly zip: ZipFile
  private readonly table: RequestedTable
  private readonly path: string
  /** The last content, since a document and its signature are parts of one file. */
  private content: { file: string; bytes: Buffer } | null = null
  row = 0

  constructor(zip: ZipFile, table: RequestedTable) {
    this.zip = zip
    this.table = table
    this.path = rowsPath(table.name)
  }

  private wrong(why: string): AppError {
    return changed(this.path, why, this.row)
  }

  async read(line: string): Promise<BulkRow> {
    this.row += 1
    let raw: unknown
    try {
      raw = JSON.parse(line)
    } catch {
      throw this.wrong('json')
    }
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw this.wrong('json')
    const values = raw as Record<string, unknown>
    const { columns } = this.table
    if (Object.keys(values).length !== columns.length) throw this.wrong('columns')
    const row: BulkRow = []
    for (const { name, storage } of columns) {
      if (!Object.hasOwn(values, name)) throw this.wrong('columns')
      row.push(await this.value(values[name], storage, name))
    }
    return row
  }

  private async value(value: unknown, storage: string, name: string): Promise<BulkValue> {
    if (value === null) return null
    if (storage === 'integer') {
      if (!Number.isSafeInteger(value)) throw this.wrong(name)
      return value as number
    }
    if (storage === 'blob' && typeof value === 'object') return this.part(value, name)
    if (typeof value !== 'string') throw this.wrong(name)
    if (storage === 'text') return value
    if (!BASE64.test(value)) throw this.wrong(name)
    return Buffer.from(value, 'base64')
  }

  private async part(value: object, name: string): Promise<Buffer> {
    const parsed = FilePart.safeParse(value)
    if (!parsed.success) throw this.wrong(name)
    const { file, from = 0, length } = parsed.data
    if (this.content?.file !== file)
      this.content = { file, bytes: await whole(this.zip, file, MOST_CONTENT_BYTES) }
    const { bytes } = this.content
    const end = length === undefined ? bytes.length : from + length
    if (from > bytes.length || end > bytes.length) throw this.wrong(name)
    return bytes.subarray(from, end)
  }
}

const sizeOf = (row: BulkRow): number =>
  row.reduce<number>(
    (sum, value) => sum + (value === null || typeof value === 'number' ? 8 : value.length),
    0,
  )

async function sendRows(
  zip: ZipFile,
  tables: readonly RequestedTable[],
  sendPart: SendPart,
): Promise<{ rows: number }> {
  let total = 0
  for (const table of tables) {
    const reader = new RowReader(zip, table)
    let rows: BulkRow[] = []
    let bytes = 0
    for await (const line of linesOf(zip, rowsPath(table.name))) {
      const row = await reader.read(line)
      rows.push(row)
      bytes += sizeOf(row)
      if (rows.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue
      await sendPart({ table: table.name, rows })
      rows = []
      bytes = 0
    }
    if (rows.length > 0) await sendPart({ table: table.name, rows })
    total += reader.row
  }
  return { rows: total }
}

/** Answers a job of the program. Throws `archive_unreadable`, `archive_changed`, `archive_newer` or `archive_too_large`. */
export function answerArchiveJob(job: ArchiveJob, sendPart: SendPart): Promise<ArchiveReply> {
  return opened<ArchiveReply>(job.path, (zip) =>
    job.ask === 'check' ? check(zip, job.schema, sendPart) : sendRows(zip, job.tables, sendPart),
  )
}
