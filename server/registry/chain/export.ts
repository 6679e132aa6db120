/**
 * Exports the book's records for third parties: the XML as it was sealed, in messages that the authority would
 * accept, with an index.
 */
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createHash } from 'node:crypto'
import { findCompany } from '../../company/index.ts'
import type { exportRecordsContract } from '../contract.ts'
import { neutralizeFormula } from '../../domain/formats/csv-writer.ts'
import { madridInstant, madridTime, startOfDay } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { recordIdOf } from './append.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { findChain, hexOf } from './rows.ts'

/** One file of an export: its path, with `/` between folders, and its text in parts. */
interface ExportedFile {
  path: string
  parts: AsyncIterable<string>
}

/** The exported records by sequence number, both ends included. */
export interface ExportRange {
  first: number
  last: number
}

/** Unpacking one page takes about ten milliseconds, so other requests wait no longer than that. */
const PAGE = 100
/** Rows of the index are cheaper to read. */
const INDEX_PAGE = 500

const madeAt = prepare((db, p: { bookId: number; sequence: number }) =>
  db
    .selectFrom('registry_records')
    .select('generated_at')
    .where('book_id', '=', p.bookId)
    .where('sequence', '=', p.sequence),
)

/**
 * Returns the sequence of the first record made at or after an instant; `records + 1` when there is none. Uses a
 * binary search, because records are in order of time.
 */
async function firstSince(ctx: Ctx, instantMs: number, records: number): Promise<number> {
  let low = 1
  let high = records + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await madeAt.first(ctx.db, { bookId: ctx.book.id, sequence: middle })
    if (row && row.generated_at >= instantMs) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the range of the records made in a year, in a span of years, or ever; null when there are none. */
export async function exportRange(ctx: Ctx, year?: number, to = year): Promise<ExportRange | null> {
  const { records } = await findChain(ctx)
  const startOf = (of: number): Promise<number> =>
    firstSince(ctx, startOfDay(`${of}-01-01`).getTime(), records)
  const first = year === undefined ? 1 : await startOf(year)
  const last = to === undefined ? records : (await startOf(to + 1)) - 1
  return first <= last ? { first, last } : null
}

const sealed = prepare((db, p: { bookId: number; from: number; last: number }) =>
  db
    .selectFrom('registry_records')
    .select(['sequence', 'generated_at', 'xml'])
    .where('book_id', '=', p.bookId)
    .where('sequence', '>=', p.from)
    .where('sequence', '<=', p.last)
    .orderBy('sequence')
    .limit(PAGE),
)

/** Assigns records to files: one folder for each month of creation, and a new file after each full message. */
class Files {
  private month = ''
  private count = 0
  private current = ''
  private readonly most: number

  /** `most`: records in a file, as many as in a full message. */
  constructor(most: number) {
    this.most = most
  }

  /** Returns the path of the record's file; call it with the records in order. */
  pathOf(sequence: number, generatedAt: number): string {
    const month = madridTime(new Date(generatedAt)).date.slice(0, 7)
    if (month !== this.month || this.count === this.most) {
      this.month = month
      this.count = 0
      this.current = `${month}/records-${String(sequence).padStart(7, '0')}.xml`
    }
    this.count += 1
    return this.current
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Wraps a text as an iterable, so that texts in memory and texts still to be read have one type. */
async function* one(text: string): AsyncGenerator<string> {
  yield text
}

async function* messages(ctx: Ctx, range: ExportRange): AsyncGenerator<ExportedFile> {
  const company = await findCompany(ctx)
  const issuer = { name: company.legal_name, nif: company.nif }
  const system = systemOf(ctx.book)
  const files = new Files(system.recordsPerExport)
  let path = ''
  let records: string[] = []
  for (let from = range.first; from <= range.last;) {
    const page = await sealed.all(ctx.db, { bookId: ctx.book.id, from, last: range.last })
    for (const row of page) {
      const next = files.pathOf(row.sequence, row.generated_at)
      if (next !== path && records.length > 0) {
        yield { path, parts: one(system.exported(issuer, records)) }
        records = []
      }
      path = next
      records.push(unpackXml(row.xml))
    }
    const last = page.at(-1)
    if (!last) break
    from = last.sequence + 1
    await nextTurn()
  }
  if (records.length > 0) yield { path, parts: one(system.exported(issuer, records)) }
}

const indexRows = prepare((db, p: { bookId: number; from: number; last: number }) =>
  db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select((eb) => [
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.turn',
      'registry_records.hash',
      'registry_records.generated_at',
      'invoices.number',
      'invoices.issue_date',
      'registry_submissions.status',
      'registry_submissions.csv',
      'registry_submissions.authority_code',
      'registry_submissions.answered_at',
      // The first attempt counts; an attempt that certainly never left the computer is not a submission.
      eb
        .selectFrom('registry_attempts')
        .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
        .select((inner) => inner.fn.min('registry_batches.started_at').as('at'))
        .whereRef('registry_attempts.record_id', '=', 'registry_records.id')
        .where('registry_batches.kind', '=', 'submission')
        .where('registry_batches.outcome', '<>', 'not_sent')
        .as('sent_at'),
    ])
    .where('registry_records.book_id', '=', p.bookId)
    .where('registry_records.sequence', '>=', p.from)
    .where('registry_records.sequence', '<=', p.last)
    .orderBy('registry_records.sequence')
    .limit(INDEX_PAGE),
)

const COLUMNS = [
  'sequence',
  'record',
  'kind',
  'turn',
  'number',
  'issue_date',
  'generated',
  'hash',
  'previous_hash',
  'installation',
  'status',
  'csv',
  'code',
  'sent',
  'answered',
  'file',
]

/** Formats a line of CSV by RFC 4180. */
function csvLine(values: readonly (string | number | null)[]): string {
  const cells = values.map((value) => {
    const text = value === null ? '' : typeof value === 'string' ? neutralizeFormula(value) : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${cells.join(',')}\r\n`
}

function instant(at: number | null): string | null {
  return at === null ? null : madridInstant(new Date(at))
}

/** Returns the installations that wrote the book's chain, in order. */
export function installationsOf(ctx: Ctx) {
  return ctx.db
    .selectFrom('registry_installations')
    .select(['installation', 'first_sequence', 'started_at', 'reason'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('first_sequence')
    .orderBy('started_at')
    .execute()
}

/**
 * Yields the index: one line for each record, with facts that its XML does not contain, such as the authority's
 * answer.
 */
async function* index(ctx: Ctx, range: ExportRange): AsyncGenerator<string> {
  const installations = await installationsOf(ctx)
  let previous = await hashAt(ctx, range.first - 1)
  const files = new Files(systemOf(ctx.book).recordsPerExport)
  yield csvLine(COLUMNS)
  for (let from = range.first; from <= range.last;) {
    const page = await indexRows.all(ctx.db, { bookId: ctx.book.id, from, last: range.last })
    let text = ''
    for (const row of page) {
      const begun = installations.findLast((item) => item.first_sequence <= row.sequence)
      const hash = hexOf(row.hash)
      text += csvLine([
        row.sequence,
        recordIdOf(row.sequence),
        row.kind,
        row.turn,
        row.number,
        row.issue_date,
        instant(row.generated_at),
        hash,
        begun?.first_sequence === row.sequence ? null : previous,
        begun?.installation ?? null,
        row.status,
        row.csv,
        row.authority_code,
        instant(row.sent_at),
        instant(row.answered_at),
        files.pathOf(row.sequence, row.generated_at),
      ])
      previous = hash
    }
    const last = page.at(-1)
    if (!last) return
    yield text
    from = last.sequence + 1
    await nextTurn()
  }
}

/** Returns the hash of a record, or null when there is no such record. */
export async function hashAt(ctx: Ctx, sequence: number): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('registry_records')
    .select('hash')
    .where('book_id', '=', ctx.book.id)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  return row ? hexOf(row.hash) : null
}

/** Returns the facts of an export of its own: which program made it, when, and how far the chain went. */
async function exportFacts(ctx: Ctx, { first, last }: ExportRange): Promise<string> {
  const { book, env } = ctx
  const { legal_name: name, nif } = await findCompany(ctx)
  const facts = {
    format: 'sello-registry-export',
    version: 1,
    madeAt: madridInstant(ctx.now()),
    program: { name: 'Sello', version: env.version, build: env.build },
    book: { id: book.publicId, mode: book.mode },
    company: { name, nif },
    records: { first, last, head: await hashAt(ctx, last) },
  }
  return `${JSON.stringify(facts, null, 2)}\n`
}

/** Yields the files of an export that is a pack of its own, the facts first. */
async function* packedFiles(ctx: Ctx, range: ExportRange): AsyncGenerator<ExportedFile> {
  yield { path: 'export.json', parts: one(await exportFacts(ctx, range)) }
  yield* exportedFiles(ctx, range)
}

/**
 * Yields the records and their index, for a pack that has facts of its own, one file at a time: never more than one
 * message is in memory.
 */
export async function* exportedFiles(ctx: Ctx, range: ExportRange): AsyncGenerator<ExportedFile> {
  yield* messages(ctx, range)
  yield { path: 'records.csv', parts: index(ctx, range) }
}

async function zipFile(ctx: Ctx, range: ExportRange): Promise<{ bytes: Buffer; sha256: string }> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for await (const { path, parts } of packedFiles(ctx, range)) yield { name: path, parts }
  }
  const chunks: Uint8Array[] = []
  const hash = createHash('sha256')
  for await (const chunk of zipOf(entries(), ctx.now())) {
    chunks.push(chunk)
    hash.update(chunk)
  }
  return { bytes: Buffer.concat(chunks), sha256: hash.digest('hex') }
}

/** Exports the book's records, or those made in a year, as one ZIP file. Throws `nothing_to_export`. */
export const exportRecords: UseCase<typeof exportRecordsContract> = async (ctx, { year }) => {
  const range = await exportRange(ctx, year)
  if (!range) throw new AppError('nothing_to_export')
  const { nif } = await findCompany(ctx)
  return {
    ...(await zipFile(ctx, range)),
    fileName: `registry-${nif}-${ctx.book.mode}${year === undefined ? '' : `-${year}`}.zip`,
  }
}

/** Writes the same files into a folder as they are made. Returns the number of records. */
export async function exportRecordsTo(ctx: Ctx, folder: string): Promise<number> {
  const range = await exportRange(ctx)
  if (!range) return 0
  for await (const { path, parts } of packedFiles(ctx, range)) {
    const file = join(folder, ...path.split('/'))
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    try {
      for await (const part of parts) await handle.writeFile(part)
    } finally {
      await handle.close()
    }
  }
  return range.last - range.first + 1
}
