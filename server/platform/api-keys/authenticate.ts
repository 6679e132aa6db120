/**
 * Authenticates a key. Runs on every request, so that it is at most one indexed query, and no answer says why a key
 * is rejected.
 */
import type { AppEnvironment, Book, KeyActor } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { prepare } from '../../db/query.ts'
import { cachedKeys } from './cache.ts'
import { creatorsOf, scopesOf } from './rows.ts'
import { readKeyText, sameHash } from './secret.ts'

const byLookup = prepare((db, p: { lookup: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('books', 'books.id', 'api_keys.book_id')
    .selectAll('api_keys')
    .select([
      'books.public_id as book_public_id',
      'books.company_id',
      'books.mode',
      'books.environment',
      'books.registry_system',
    ])
    .where('api_keys.lookup', '=', p.lookup),
)

type Row = NonNullable<Awaited<ReturnType<typeof byLookup.first>>>

const NOBODY = Buffer.alloc(32)

interface Authenticated {
  actor: KeyActor
  book: Book
}

/** A key's row as requests need it. */
interface Known {
  secretHash: Uint8Array
  revokedAt: number | null
  opens: Authenticated
}

function knownOf(row: Row, rootId: string): Known {
  return {
    secretHash: row.secret_hash,
    revokedAt: row.revoked_at,
    opens: {
      actor: {
        kind: 'key',
        rowId: row.id,
        companyId: row.company_id,
        id: row.public_id,
        rootId,
        name: row.name,
        prefix: row.prefix,
        scopes: scopesOf(row),
        approval: row.approval,
        assistant: row.assistant === 1,
        expiresAt: row.expires_at,
        perDay: row.per_day,
        centsPerDay: row.cents_per_day,
        personId: row.person_id,
      },
      book: {
        id: row.book_id,
        publicId: row.book_public_id,
        companyId: row.company_id,
        mode: row.mode,
        environment: row.environment,
        registry: row.registry_system,
      },
    },
  }
}

async function readKnown(db: Db, lookup: string): Promise<Known | undefined> {
  const row = await byLookup.first(db, { lookup })
  if (!row) return undefined
  const makers = row.maker_id === null ? [] : await creatorsOf(db, row.id)
  return knownOf(row, makers.at(-1)?.public_id ?? row.public_id)
}

/** Returns the key's actor and book, or null if the key is mistyped, unknown, expired or revoked. */
export async function authenticate(db: Db, text: string, now: Date): Promise<Authenticated | null> {
  const given = readKeyText(text)
  if (!given) return null
  const { lookup } = given
  const keys = cachedKeys<Known>(db)
  const known = keys.find(lookup) ?? (await keys.read(lookup, () => readKnown(db, lookup)))
  // Compared even without a row, so that the time taken does not reveal whether one was found.
  const isSame = sameHash(given.hash, known?.secretHash ?? NOBODY)
  if (!known || !isSame || known.opens.book.mode !== given.mode) return null
  const { expiresAt } = known.opens.actor
  if (known.revokedAt !== null || (expiresAt !== null && expiresAt <= now.getTime())) return null
  return known.opens
}

const TOUCH_EVERY_MS = 60_000

const touch = prepare((db, p: { id: number; at: number }) =>
  db.updateTable('api_keys').set({ last_used_at: p.at }).where('id', '=', p.id),
)

const touchedAt = new WeakMap<AppEnvironment, Map<number, number>>()

/**
 * Records when a key was last used, at most once a minute, so that reads rarely become writes. The request does not
 * wait for it; if the store cannot be written, only this record is lost. Never rejects.
 */
export async function touchKey(env: AppEnvironment, actor: KeyActor): Promise<void> {
  const at = env.now().getTime()
  let times = touchedAt.get(env)
  if (!times) touchedAt.set(env, (times = new Map()))
  const last = times.get(actor.rowId)
  if (last !== undefined && at >= last && at - last < TOUCH_EVERY_MS) return
  times.set(actor.rowId, at)
  try {
    await env.store.transaction(actor.companyId, (db) => touch.run(db, { id: actor.rowId, at }))
  } catch {
    times.delete(actor.rowId)
  }
}
