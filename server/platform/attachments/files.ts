/** The files of a book and the rows to which they belong. Bytes are stored once per content and never change. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import { isPointerSized } from '../../db/engine-sql.ts'
import type { ContentColumn } from '../../db/outside/objects.ts'
import type { FilesTable } from '../../db/schema.ts'
import { keepContent, readContent, removeContent } from '../contents/index.ts'
import type { IncomingFile } from './content.ts'
import type { Attachment, MediaType } from './contract.ts'

export const FILE_CONTENTS: ContentColumn = { table: 'file_bytes', column: 'bytes' }

type FileRow = Selectable<FilesTable>

/** The owner of a file: a row of another slice's table. */
interface FileTarget {
  type: string
  id: number
}

const bySha = prepare((db, p: { bookId: number; sha256: Uint8Array }) =>
  db.selectFrom('files').selectAll().where('book_id', '=', p.bookId).where('sha256', '=', p.sha256),
)

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('files').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

const bytesOfFile = prepare((db, p: { id: number }) =>
  db.selectFrom('file_bytes').select('bytes').where('file_id', '=', p.id),
)

/** Content that its row only points to; of other rows nothing is read. */
const pointerOfFile = prepare((db, p: { id: number }) =>
  db
    .selectFrom('file_bytes')
    .innerJoin('files', 'files.id', 'file_bytes.file_id')
    .select(['file_bytes.bytes as cell', 'files.sha256'])
    .where('file_id', '=', p.id)
    .where(isPointerSized(sql.ref('file_bytes.bytes'))),
)

const linksOf = prepare((db, p: { id: number }) =>
  db.selectFrom('file_links').select(['target_type', 'target_id']).where('file_id', '=', p.id),
)

const ofTarget = prepare((db, p: { type: string; id: number }) =>
  db
    .selectFrom('file_links')
    .innerJoin('files', 'files.id', 'file_links.file_id')
    .selectAll('files')
    .where('target_type', '=', p.type)
    .where('target_id', '=', p.id)
    .orderBy('linked_at')
    .orderBy('files.id'),
)

/** Returns a file as callers see it. */
export function attachmentView(row: FileRow): Attachment {
  return {
    id: row.public_id,
    name: row.name,
    mediaType: row.media_type as MediaType,
    size: row.size,
    sha256: Buffer.from(row.sha256).toString('hex'),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** A file whose content is where its row will hold it or point to it. */
interface PreparedFile extends Omit<IncomingFile, 'bytes'> {
  size: number
  sha256: Uint8Array
  /** What the row holds; null if the book had the same file. */
  cell: Uint8Array | null
}

/** Keeps the content of a file, for `storeFile`. Identical bytes of the book are not kept again. */
export async function keepFile(ctx: Ctx, { bytes, ...facts }: IncomingFile): Promise<PreparedFile> {
  const sha256 = createHash('sha256').update(bytes).digest()
  const known = await bySha.first(ctx.db, { bookId: ctx.book.id, sha256 })
  const cell = known ? null : await keepContent(ctx, bytes, sha256)
  return { ...facts, size: bytes.length, sha256, cell }
}

/**
 * Stores a file; identical bytes return the existing file, which may have been deleted since it was kept: null then.
 * Call it in a transaction.
 */
export async function storeFile(
  ctx: Ctx,
  { name, mediaType, size, sha256, cell }: PreparedFile,
): Promise<(FileRow & { isNew: boolean }) | null> {
  const known = await bySha.first(ctx.db, { bookId: ctx.book.id, sha256 })
  if (known) return { ...known, isNew: false }
  if (cell === null) return null
  const publicId = ctx.newId('att')
  const { id } = await ctx.db
    .insertInto('files')
    .values({
      book_id: ctx.book.id,
      public_id: publicId,
      sha256,
      size,
      media_type: mediaType,
      name,
      created_at: ctx.now().getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db.insertInto('file_bytes').values({ file_id: id, bytes: cell }).execute()
  const row = await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })
  if (!row) throw new Error('A file just kept is not there.')
  return { ...row, isNew: true }
}

/** Returns a file of the book by its public identifier, or null. */
export async function findFile(ctx: Ctx, publicId: string): Promise<FileRow | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

/** Returns the bytes of a file unchanged. */
export async function readFile(ctx: Ctx, { id, sha256 }: FileRow): Promise<Uint8Array> {
  const row = await bytesOfFile.first(ctx.db, { id })
  if (!row) throw new Error(`The bytes of file ${id} are missing.`)
  return readContent(ctx, { cell: row.bytes, sha256 })
}

/** Returns the files of a row, in the order in which they were attached. */
export function filesOf(ctx: Ctx, target: FileTarget): Promise<FileRow[]> {
  return ofTarget.all(ctx.db, target)
}

/**
 * Attaches a file to a row. Returns false if it was attached already. Of several attached at once, `position` states the
 * order.
 */
export async function linkFile(ctx: Ctx, fileId: number, target: FileTarget, position = 0): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('file_links')
    .values({
      file_id: fileId,
      target_type: target.type,
      target_id: target.id,
      linked_at: ctx.now().getTime() + position,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

/**
 * Detaches a file from a row; its bytes remain while anything else refers to it. Returns false if it was not
 * attached.
 */
export async function unlinkFile(ctx: Ctx, fileId: number, target: FileTarget): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('file_links')
    .where('file_id', '=', fileId)
    .where('target_type', '=', target.type)
    .where('target_id', '=', target.id)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) return false
  if ((await linksOf.all(ctx.db, { id: fileId })).length === 0) await deleteRow(ctx, fileId)
  return true
}

async function deleteRow(ctx: Ctx, fileId: number): Promise<void> {
  const pointers = await pointerOfFile.all(ctx.db, { id: fileId })
  if (pointers.length > 0) ctx.afterCommit(() => void removeContent(ctx, pointers))
  await ctx.db.deleteFrom('file_bytes').where('file_id', '=', fileId).execute()
  await ctx.db.deleteFrom('files').where('id', '=', fileId).execute()
}

/** Removes a file without references. Throws `attachment_in_use`. */
export async function dropFile(ctx: Ctx, file: FileRow): Promise<void> {
  const links = await linksOf.all(ctx.db, { id: file.id })
  if (links.length > 0) throw new AppError('attachment_in_use', { details: { links: links.length } })
  await deleteRow(ctx, file.id)
}

const UNLINKED_DAYS = 30
const DAY_MS = 86_400_000

/** Removes files that were uploaded and never attached. Returns their number. */
export function pruneUnlinkedFiles(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const rows = await tx.db
      .selectFrom('files')
      .select('id')
      .where('book_id', '=', tx.book.id)
      .where('created_at', '<', tx.now().getTime() - UNLINKED_DAYS * DAY_MS)
      .where((where) =>
        where.not(
          where.exists(
            where.selectFrom('file_links').select('file_id').whereRef('file_links.file_id', '=', 'files.id'),
          ),
        ),
      )
      .execute()
    for (const row of rows) await deleteRow(tx, row.id)
    return rows.length
  })
}
