/**
 * Writes everything of a company into one archive: under a temporary name, read again from the disk, and only then under its
 * own. One file at a time is in memory.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { findCompany } from '../../../company/index.ts'
import { inBook } from '../../../context.ts'
import type { Book, Ctx } from '../../../context.ts'
import { failpoint } from '../../../db/failpoints.ts'
import { renameDurably } from '../../../db/embedded/files/atomic-files.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { MOST_ZIP_BYTES, MOST_ZIP_ENTRIES, openZip } from '../../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { documentsMissing, drawDocument } from './drawn.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import { ZipFile } from '../../../platform/spreadsheets/zip-file.ts'
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, MANIFEST } from '../format.ts'
import type { ArchivedFile, Manifest } from '../format.ts'
import { BLANKED, leftOut } from '../content.ts'
import { highestGiven } from '../../company-copy/index.ts'
import type { Report } from '../progress.ts'
import { Released } from '../released.ts'
import { csvEntries } from './csv.ts'
import { dataEntries, loadKinds, schemaEntries } from './data.ts'
import { PlacedFiles } from './files.ts'
import { englishReadme, spanishReadme } from './readme.ts'
import { recordEntries } from './records.ts'
import { rowEntries } from './rows.ts'
import type { CountedTables } from './rows.ts'
import { withRows } from './source.ts'
import { tablesSchema } from './tables-schema.ts'

/** Bytes written at a time. */
const CHUNK = 1024 * 1024

export interface MadeArchive {
  fileName: string
  bytes: number
  files: number
  rows: number
  /** Numbers of invoices without a PDF. */
  withoutPdf: string[]
}

/** Passes entries to a ZIP file and notes the size and hash of each. */
class Writer {
  readonly files: ArchivedFile[] = []
  private readonly descriptor: number
  private readonly zip: Awaited<ReturnType<typeof openZip>>
  private pieces: Uint8Array[] = []
  private waiting = 0
  private bytes = 0
  private readonly released = new Released()

  constructor(descriptor: number, zip: Awaited<ReturnType<typeof openZip>>) {
    this.descriptor = descriptor
    this.zip = zip
  }

  async add(entry: ZipEntry): Promise<void> {
    // One entry stays free for the manifest.
    if (this.files.length >= MOST_ZIP_ENTRIES - 1)
      throw new AppError('export_too_many', { details: { most: MOST_ZIP_ENTRIES } })
    const hash = createHash('sha256')
    let bytes = 0
    for await (const piece of this.zip.add(entry, (content) => {
      hash.update(content)
      bytes += content.byteLength
    }))
      this.write(piece)
    this.files.push({ path: entry.name, bytes, sha256: hash.digest('hex') })
    await nextTurn()
  }

  end(): void {
    for (const piece of this.zip.end()) this.write(piece)
    this.flush()
    fsyncSync(this.descriptor)
  }

  private write(piece: Uint8Array): void {
    this.pieces.push(piece)
    this.waiting += piece.byteLength
    this.bytes += piece.byteLength
    if (this.bytes > MOST_ZIP_BYTES)
      throw new AppError('books_too_large', { details: { bytes: MOST_ZIP_BYTES } })
    if (this.waiting >= CHUNK) this.flush()
  }

  private flush(): void {
    const whole = Buffer.concat(this.pieces)
    for (let at = 0; at < whole.length;) at += writeSync(this.descriptor, whole, at)
    this.pieces = []
    this.waiting = 0
    this.released.passed(whole.length)
  }
}

const text = (name: string, content: string): ZipEntry => ({
  name,
  bytes: Buffer.from(content, 'utf8'),
  compress: true,
})

/** Draws the PDFs that nobody has asked for yet. Returns the numbers of the invoices without one. */
async function drawMissing(books: readonly Ctx[], report: Report): Promise<string[]> {
  const without: string[] = []
  for (const ctx of books) {
    const missing = await documentsMissing(ctx)
    for (const [index, { id, number }] of missing.entries()) {
      report({ step: 'drawing', done: index, total: missing.length })
      if (!(await drawDocument(ctx, id))) without.push(number)
    }
  }
  return without
}

/** Returns what changes with every write to the company: the last entry of each history. */
async function stateOf(ctx: Ctx, books: readonly Book[]): Promise<string> {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .select(['book_id', (eb) => eb.fn.max('sequence').as('last')])
    .where(
      'book_id',
      'in',
      books.map(({ id }) => id),
    )
    .groupBy('book_id')
    .orderBy('book_id')
    .execute()
  return JSON.stringify(rows.map(({ book_id: book, last }) => [book, Number(last)]))
}

/** Writes all entries but the manifest, and returns that. */
async function writeEntries(
  ctx: Ctx,
  books: readonly Book[],
  writer: Writer,
  report: Report,
): Promise<Manifest> {
  const { env } = ctx
  const company = await findCompany(ctx)
  const at = ctx.now()
  const contexts = books.map((book) => inBook(ctx, book))
  const withoutPdf = await drawMissing(contexts, report)
  const named = books.map(({ publicId, mode }) => ({ id: publicId, mode, folder: mode }))
  const facts = {
    madeAt: at.toISOString(),
    program: { name: 'Sello' as const, version: env.version, build: env.build, schema: SCHEMA_VERSION },
    sandbox: env.sandbox,
    company: { id: company.public_id, name: company.legal_name, nif: company.nif },
    books: named,
  }
  await writer.add(text('LEEME.md', spanishReadme(facts)))
  await writer.add(text('README.md', englishReadme(facts)))
  const counted: CountedTables = []
  let before = ''
  let lastEntry = 0
  const shape = await withRows(env, company.id, async (side, known) => {
    before = await stateOf(ctx, books)
    lastEntry = (await highestGiven(side.reader, side.shape, 'journal_entries')) - known.bases.journal_entries
    const files = new PlacedFiles(side, new Map(books.map(({ id, mode }) => [id, mode])))
    for await (const entry of files.entries((done) => report({ step: 'files', done, total: 0 })))
      await writer.add(entry)
    failpoint('leaving.files_written')
    const seen = (done: number): void => report({ step: 'rows', done, total: 0 })
    for await (const entry of rowEntries({ side, known, files, at: at.getTime(), counted, seen }))
      await writer.add(entry)
    return side.shape
  })
  await writer.add(text('tables/schema.json', await tablesSchema(shape)))
  const kinds = await loadKinds(ctx)
  for (const entry of schemaEntries(kinds)) await writer.add(entry)
  for (const own of contexts) {
    const folder = own.book.mode
    const seen = (done: number): void => report({ step: 'lists', done, total: 0 })
    for await (const entry of dataEntries(own, folder, kinds, seen)) await writer.add(entry)
    for await (const entry of csvEntries(own, folder)) await writer.add(entry)
    for await (const entry of recordEntries(own, folder)) await writer.add(entry)
  }
  return {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    ...facts,
    rows: {
      total: counted.reduce((sum, { rows }) => sum + rows, 0),
      lastEntry,
      later: before !== (await stateOf(ctx, books)),
    },
    tables: counted,
    leftOut: {
      tables: Array.from(leftOut(shape), ([name, why]) => ({ name, why })),
      columns: Object.entries(BLANKED).map(([name, why]) => ({ name, why })),
      settings:
        'Those of the installation and of its people; the views of lists are in tables/settings.jsonl.',
    },
    withoutPdf,
    files: writer.files,
  }
}

/** Reads a written archive again. Throws unless every file has the size and hash that its manifest names. */
async function proveArchive(path: string, files: readonly ArchivedFile[], report: Report): Promise<void> {
  const zip = await ZipFile.open(path, { entries: MOST_ZIP_ENTRIES, bytes: Number.MAX_SAFE_INTEGER })
  try {
    for (const [index, file] of files.entries()) {
      if (index % 50 === 0) report({ step: 'proving', done: index, total: files.length })
      const entry = zip.entries.get(file.path)
      const hash = createHash('sha256')
      if (entry) for await (const piece of zip.unpacked(entry)) hash.update(piece)
      if (entry?.size !== file.bytes || hash.digest('hex') !== file.sha256)
        throw new Error(`The archive does not hold what was written: ${file.path}.`)
    }
    if (zip.entries.size !== files.length + 1)
      throw new Error('The archive has other files than were written.')
  } finally {
    await zip.close()
  }
}

/**
 * Writes everything of a company to a new file. The file exists only when it was read again; an end at any moment leaves none
 * under its name. Throws `export_too_many`, `books_too_large`, or an error of the store or the system.
 */
export async function makeArchive(ctx: Ctx, to: string, report: Report): Promise<MadeArchive> {
  const part = `${to}.part`
  rmSync(part, { force: true })
  const books = await booksOfCompany(ctx.db, ctx.book.companyId)
  const descriptor = openSync(part, 'wx', 0o600)
  try {
    const writer = new Writer(descriptor, await openZip(ctx.now()))
    let manifest: Manifest
    try {
      manifest = await writeEntries(ctx, books, writer, report)
      const files = [...writer.files]
      await writer.add(text(MANIFEST, `${JSON.stringify({ ...manifest, files }, null, 1)}\n`))
      writer.end()
    } finally {
      closeSync(descriptor)
    }
    const written = writer.files.filter(({ path }) => path !== MANIFEST)
    failpoint('leaving.written')
    await proveArchive(part, written, report)
    failpoint('leaving.proved')
    renameDurably(part, to)
    const { company, rows, withoutPdf } = manifest
    return {
      fileName: `sello-archivo-${company.nif ?? company.id}-${ctx.today()}.zip`,
      bytes: statSync(to).size,
      files: written.length + 1,
      rows: rows.total,
      withoutPdf,
    }
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
