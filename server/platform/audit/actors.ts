/** Who did something: a row for each kind, identifier and name, written once and never changed. */
import type { Actor, Ctx } from '../../context.ts'
import { prepare, prepareInsert } from '../../db/query.ts'
import type { Store } from '../../db/store.ts'

const findActor = prepare((db, p: { kind: Actor['kind']; id: string; name: string }) =>
  db
    .selectFrom('actors')
    .select('id')
    .where('kind', '=', p.kind)
    .where('public_id', '=', p.id)
    .where('name', '=', p.name),
)

const insertActor = prepareInsert((db, p: { kind: Actor['kind']; id: string; name: string }) =>
  db.insertInto('actors').values({ kind: p.kind, public_id: p.id, name: p.name }).returning('id'),
)

/** Most actors of a store that are remembered. */
const MOST_KNOWN = 5_000

/**
 * Rows of committed actors, by store: a row is never changed and never deleted, and every action needs one. By company
 * too: in an office each has its own row for the same person or the system, and sees no other.
 */
const knownActors = new WeakMap<Store, Map<string, number>>()

/** Returns the row of the caller, for what is written in its transaction. */
export async function actorRow(ctx: Ctx): Promise<number> {
  const { kind, id, name } = ctx.actor
  let known = knownActors.get(ctx.env.store)
  if (!known) knownActors.set(ctx.env.store, (known = new Map()))
  // An office has a row for each company.
  const key = JSON.stringify([ctx.book.companyId, kind, id, name])
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const existing = await findActor.first(ctx.db, { kind, id, name })
  const row = existing?.id ?? (await insertActor.run(ctx.db, { kind, id, name }))
  const cache = known
  // Only after the commit, because a rolled-back actor has no row.
  ctx.afterCommit(() => {
    if (cache.size >= MOST_KNOWN) cache.clear()
    cache.set(key, row)
  })
  return row
}
