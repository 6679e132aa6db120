/**
 * Format of an archive with everything of a company. A change that earlier versions would misread requires another
 * `ARCHIVE_VERSION`. Pure.
 */
import { z } from 'zod'
import { Instant } from '../../domain/contract/fields.ts'

export const ARCHIVE_FORMAT = 'sello-archive'
export const ARCHIVE_VERSION = 1
export const MANIFEST = 'manifest.json'

/** Actors are people and programs of the history; settings those of the company's books. */
export const MORE_TABLES = {
  actors: ['id', 'kind', 'public_id', 'name'],
  settings: ['name', 'value'],
} as const

/** Where the rows of a table are. */
export const rowsPath = (table: string): string => `tables/${table}.jsonl`

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Name = z.string().regex(/^[a-z][a-z0-9_]*$/)
/** Below the archive, without a way out of it. */
const Path = z
  .string()
  .max(300)
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\:*?"<>|\p{C}]+(?:\/[^/\\:*?"<>|\p{C}]+)*$/u)

export const ArchivedFile = z.strictObject({ path: Path, bytes: z.int().min(0), sha256: Sha256 })
export type ArchivedFile = z.infer<typeof ArchivedFile>

const LeftOut = z.strictObject({ name: z.string().max(200), why: z.string().max(500) })

export const Manifest = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.literal(ARCHIVE_VERSION),
  madeAt: Instant,
  program: z.strictObject({
    name: z.literal('Sello'),
    version: z.string().max(50),
    build: z.string().max(100).nullable(),
    /** Number of the last migration of the books. */
    schema: z.int().positive(),
  }),
  /** The books are for trials: they are no company's, and go to books for trials only. */
  sandbox: z.boolean(),
  company: z.strictObject({
    id: z.string().max(60),
    name: z.string().max(300),
    nif: z.string().max(30).nullable(),
  }),
  books: z.array(
    z.strictObject({ id: z.string().max(60), mode: z.enum(['live', 'test']), folder: z.string().max(20) }),
  ),
  /** The rows are those of this moment. The readable lists are read after it: `later` says whether something changed meanwhile. */
  rows: z.strictObject({
    total: z.int().min(0),
    /** The highest number that an entry of the journal ever had. */
    lastEntry: z.int().min(0),
    later: z.boolean(),
  }),
  tables: z.array(z.strictObject({ name: Name, rows: z.int().min(0) })),
  leftOut: z.strictObject({ tables: z.array(LeftOut), columns: z.array(LeftOut), settings: z.string() }),
  /** Numbers of invoices of which no PDF could be made. */
  withoutPdf: z.array(z.string().max(100)),
  /** Every file but this one. */
  files: z.array(ArchivedFile),
})
export type Manifest = z.infer<typeof Manifest>

/** Names format, version and schema before the rest of a manifest is known to be readable. */
export const ManifestHead = z.looseObject({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int().positive(),
  program: z.looseObject({ schema: z.int().positive() }),
})

/** In place of bytes: a part of a file of the archive, all of it without `from` and `length`. */
export const FilePart = z.strictObject({
  file: Path,
  from: z.int().min(0).optional(),
  length: z.int().min(0).optional(),
})
export type FilePart = z.infer<typeof FilePart>
