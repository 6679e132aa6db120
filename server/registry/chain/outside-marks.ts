/**
 * Marks the progress of a book of an office outside the database, before its records are sent: a database that was
 * restored to an earlier state would otherwise assign numbers twice.
 *
 * A mark is put before the marks of others are read for the last time. Of two databases that both believe to be the
 * only one, at least one therefore sees the mark of the other.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Ctx } from '../../context.ts'
import type { MarkStorage } from '../../db/outside/marks.ts'
import { further, holdBook, isBehind, positionOfBook } from './marks.ts'
import type { BookMark, Position } from './marks.ts'

type Stored = Awaited<ReturnType<MarkStorage['list']>>

/** Returns true if the book is behind one of the marks. */
async function isBehindAny(ctx: Ctx, position: Position, marks: Stored): Promise<boolean> {
  for (const { name, text } of marks) {
    if (text === null)
      ctx.env.report('marks', new Error(`The mark ${name} is not of this book, or was changed.`))
    else if (await isBehind(ctx.db, position, JSON.parse(text) as BookMark)) return true
  }
  return false
}

async function hold(ctx: Ctx): Promise<false> {
  await holdBook(ctx.env, ctx.book, 'the mark outside the database knows more, an older copy found')
  return false
}

/**
 * Compares a book with its marks outside the database, and marks its progress. A book that is behind is held as a
 * restored copy. Returns false if the book is held: nothing of it may be sent. Call it before records are sent, and
 * when work for a book begins. Returns true at once where no marks are kept. Throws `file_storage_unavailable`.
 */
export async function guardBook(ctx: Ctx): Promise<boolean> {
  const storage = ctx.env.store.marks
  if (!storage) return true
  const { companyId, publicId, id } = ctx.book
  const position = await positionOfBook(ctx.db, id)
  // The progress of a copy says nothing.
  if (position.held) return false
  const before = await storage.list(companyId, publicId)
  if (await isBehindAny(ctx, position, before)) return hold(ctx)
  const text = canonicalJson(position.mark)
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  const known = new Set(before.map((mark) => mark.name))
  if (known.has(name)) return true
  await storage.put(companyId, publicId, name, text)
  const others = (await storage.list(companyId, publicId)).filter((mark) => mark.name !== name)
  const added = others.filter((mark) => !known.has(mark.name))
  if (await isBehindAny(ctx, position, added)) return hold(ctx)
  const passed = others.flatMap((mark) => (mark.text === null ? [] : [mark.name]))
  await storage.remove(companyId, publicId, passed)
  return true
}

/** Returns the progress of a book by its marks outside the database; null if there is none. */
export async function outsideMarkOf({ env, book }: Ctx): Promise<BookMark | null> {
  const stored = (await env.store.marks?.list(book.companyId, book.publicId)) ?? []
  const marks = stored.flatMap(({ text }) => (text === null ? [] : [JSON.parse(text) as BookMark]))
  return marks.length === 0 ? null : marks.reduce(further)
}
