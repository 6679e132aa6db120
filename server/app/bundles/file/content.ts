/** What is inside a file: a line of JSON that says what it is, and the rows of books after it; compressed. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { AppError } from '../../../domain/errors/app-error.ts'

/** Most bytes that a file of changes, or of books, may have when it is unpacked. */
const MOST_BYTES = { changes: 256 * 1024 * 1024, books: 2 * 1024 * 1024 * 1024 - 1 }

const Outcome = z.strictObject({
  id: z.string(),
  state: z.enum(['waiting', 'taken', 'rejected']),
  /** Identifier that what it created has at the client. */
  created: z.string().nullable(),
  decidedAt: z.int().nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
})

const BooksContent = z.strictObject({
  kind: z.literal('books'),
  company: z.string(),
  at: z.int(),
  note: z.string().nullable(),
  /** Highest number of a change of the adviser that the client knows. */
  known: z.int(),
  outcomes: z.array(Outcome),
  /** Attached files up to this row id were sent with this file or earlier ones; -1: all are in this file. */
  filesAfter: z.int(),
})
export type BooksContent = z.infer<typeof BooksContent>

const Change = z.strictObject({
  id: z.string().regex(/^chg_[0-9a-hjkmnp-tv-z]{16}$/),
  number: z.int().min(1),
  book: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.json()),
  created: z.string().nullable(),
  personId: z.string().max(80),
  personName: z.string().max(120),
  at: z.int(),
})

const ChangesContent = z.strictObject({
  kind: z.literal('changes'),
  at: z.int(),
  note: z.string().max(2000).nullable(),
  /** Number of the file of books that they were made on. */
  basedOn: z.int(),
  /** Attached files of the copy have no content: the client sends all of them again. */
  lacksFiles: z.boolean(),
  changes: z.array(Change).max(10_000),
})
export type ChangesContent = z.infer<typeof ChangesContent>

const Content = z.discriminatedUnion('kind', [BooksContent, ChangesContent])

const LINE_END = 0x0a

/** Returns the bytes of a content; `rows` are the lines of the books. */
export function packContent(content: BooksContent | ChangesContent, rows: readonly Buffer[] = []): Buffer {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(content)}\n`), ...rows])
  return zstdCompressSync(whole, { params: { [constants.ZSTD_c_compressionLevel]: 6 } })
}

/** Parses the content of an opened file. Throws `bundle_unreadable` for one that this program would not write. */
export function unpackContent(packed: Buffer, kind: 'books' | 'changes') {
  const unreadable = (cause?: unknown): AppError => new AppError('bundle_unreadable', { cause })
  let whole: Buffer
  let first: unknown
  try {
    whole = zstdDecompressSync(packed, { maxOutputLength: MOST_BYTES[kind] })
    first = JSON.parse(whole.subarray(0, whole.indexOf(LINE_END)).toString('utf8'))
  } catch (error) {
    throw unreadable(error)
  }
  const parsed = Content.safeParse(first)
  if (!parsed.success || parsed.data.kind !== kind) throw unreadable(parsed.error)
  return { content: parsed.data, rows: whole.subarray(whole.indexOf(LINE_END) + 1) }
}
