/** SQL of connections: the open one, its sealed key, and its provider's notes. */
import type { Selectable } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { orNotFound } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { ErpConnectionsTable } from '../../../db/schema.ts'
import type { Notes } from '../port.ts'

export type ConnectionRow = Selectable<ErpConnectionsTable>

const open = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('erp_connections')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('sealed_key', 'is not', null),
)

const newest = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('erp_connections')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc'),
)

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('erp_connections')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const byId = prepare((db, p: { id: number }) =>
  db.selectFrom('erp_connections').selectAll().where('id', '=', p.id),
)

/** Returns the connection with a stored key, even if the key is refused by now; null without one. */
export async function openConnection(ctx: Ctx): Promise<ConnectionRow | null> {
  return (await open.first(ctx.db, { bookId: ctx.book.id })) ?? null
}

/** Returns all connections of the book, the last changed first. */
export function connectionsOf(ctx: Ctx): Promise<ConnectionRow[]> {
  return newest.all(ctx.db, { bookId: ctx.book.id })
}

/** Returns a connection of the book. Throws `not_found`. */
export async function findConnection(ctx: Ctx, publicId: string): Promise<ConnectionRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

export async function connectionById(ctx: Ctx, id: number): Promise<ConnectionRow> {
  return orNotFound(await byId.first(ctx.db, { id }))
}

/**
 * Returns the connection whose records a list shows: the named one, else the open one, else the last; null without
 * any.
 */
export async function shownConnection(ctx: Ctx, publicId: string | undefined): Promise<ConnectionRow | null> {
  if (publicId !== undefined) return findConnection(ctx, publicId)
  return (await openConnection(ctx)) ?? (await connectionsOf(ctx))[0] ?? null
}

/** Returns the place that a sealed key is bound to: it cannot be opened anywhere else. */
export function keySealContext(publicId: string, bookId: number): string {
  return `erp_connections|sealed_key|${publicId}|${bookId}`
}

/** Returns the beginning and the end of a key, by which people recognize it. */
export function keyHint(secret: string): string {
  if (secret.length < 16) return '…'
  const begin = /^[a-z]{2,4}_/i.exec(secret)?.[0] ?? secret.slice(0, 2)
  return `${begin}…${secret.slice(-4)}`
}

export function notesOf(row: Pick<ConnectionRow, 'notes'>): Notes {
  return JSON.parse(row.notes) as Notes
}

export function permissionsOf(row: Pick<ConnectionRow, 'granted' | 'missing'>): {
  granted: string[]
  missing: string[]
} {
  return { granted: JSON.parse(row.granted) as string[], missing: JSON.parse(row.missing) as string[] }
}

/** Returns a connection as a target in the history. */
export function targetOf(row: Pick<ConnectionRow, 'public_id' | 'account_name' | 'key_hint'>): {
  type: string
  id: string
  label?: string
} {
  const label = row.account_name ?? row.key_hint
  return { type: 'erp', id: row.public_id, ...(label === null ? {} : { label }) }
}
