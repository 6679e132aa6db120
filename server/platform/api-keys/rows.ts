/** SQL of the API keys. */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { SCOPES } from '../../domain/contract/scopes.ts'
import type { Scope } from '../../domain/contract/scopes.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { ApiKeysTable } from '../../db/schema.ts'
import type { ApiKey } from './contract.ts'
import { cachedKeys } from './cache.ts'
import { sealKey } from './seals.ts'

export type KeyRow = Selectable<ApiKeysTable>

// Cache by stored text: it is read with every request, and there are few different texts.
const knownScopes = new Map<string, readonly Scope[]>()
const MAX_KNOWN = 100

/** Returns the stored scopes in the catalogue's order; scopes that no longer exist are dropped. */
export function scopesOf(row: Pick<KeyRow, 'scopes'>): readonly Scope[] {
  const known = knownScopes.get(row.scopes)
  if (known) return known
  const stored = JSON.parse(row.scopes) as string[]
  const scopes = Object.freeze(SCOPES.filter((scope) => stored.includes(scope)))
  if (knownScopes.size < MAX_KNOWN) knownScopes.set(row.scopes, scopes)
  return scopes
}

/** Longest chain of makers above a key. */
export const MAX_MAKERS = 8

const makers = prepare((db, p: { keyId: number }) =>
  db
    .withRecursive('chain', (chain) =>
      chain
        .selectFrom('api_keys')
        .select(['api_keys.id', 'api_keys.maker_id', sql<number>`0`.as('depth')])
        .where('api_keys.id', '=', p.keyId)
        .unionAll((up) =>
          up
            .selectFrom('chain')
            .innerJoin('api_keys', 'api_keys.id', 'chain.maker_id')
            .select(['api_keys.id', 'api_keys.maker_id', sql<number>`chain.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('chain')
    .innerJoin('api_keys', 'api_keys.id', 'chain.id')
    .selectAll('api_keys')
    .where('chain.depth', '>', 0)
    .orderBy('chain.depth'),
)

/** Returns the keys that made a key: its maker first, the one made by a person last. */
export function creatorsOf(db: Db, keyId: number): Promise<KeyRow[]> {
  return makers.all(db, { keyId })
}

const unrevokedDescendants = prepare((db, p: { keyId: number }) =>
  db
    .withRecursive('family', (family) =>
      family
        .selectFrom('api_keys')
        .select('api_keys.id')
        .where('api_keys.maker_id', '=', p.keyId)
        .unionAll((down) =>
          down
            .selectFrom('family')
            .innerJoin('api_keys', 'api_keys.maker_id', 'family.id')
            .select('api_keys.id'),
        ),
    )
    .selectFrom('family')
    .innerJoin('api_keys', 'api_keys.id', 'family.id')
    .selectAll('api_keys')
    .where('api_keys.revoked_at', 'is', null)
    .orderBy('api_keys.id'),
)

const family = prepare((db, p: { rootId: string }) =>
  db
    .withRecursive('family', (tree) =>
      tree
        .selectFrom('api_keys')
        .select('api_keys.id')
        .where('api_keys.public_id', '=', p.rootId)
        .unionAll((down) =>
          down
            .selectFrom('family')
            .innerJoin('api_keys', 'api_keys.maker_id', 'family.id')
            .select('api_keys.id'),
        ),
    )
    .selectFrom('family')
    .select('family.id'),
)

/** Returns the rows of a key and of all its descendants, including revoked ones. */
export async function keyFamily(db: Db, rootId: string): Promise<number[]> {
  return (await family.all(db, { rootId })).map(({ id }) => id)
}

/** Returns a key as callers see it. */
export function keyView(ctx: Ctx, row: KeyRow & { maker: ApiKey['maker'] }): ApiKey {
  const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    id: row.public_id,
    name: row.name,
    prefix: row.prefix,
    mode: ctx.book.mode,
    scopes: [...scopesOf(row)],
    approval: row.approval,
    assistant: row.assistant === 1,
    maker: row.maker,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: instant(row.last_used_at),
    expiresAt: instant(row.expires_at),
    limits: {
      ...(row.per_day === null ? {} : { perDay: row.per_day }),
      ...(row.cents_per_day === null ? {} : { eurPerDay: eurosFromCents(row.cents_per_day) }),
    },
  }
}

/** Converts the cap to cents; undefined if the euros have more than two decimals. */
export function capCents(eurPerDay: number | undefined): number | null | undefined {
  return eurPerDay === undefined ? null : (centsFromEuros(eurPerDay) ?? undefined)
}

/** Returns the valid keys of the book, newest first, each with its maker. */
export async function activeKeys(ctx: Ctx): Promise<(KeyRow & { maker: ApiKey['maker'] })[]> {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .leftJoin('api_keys as maker', 'maker.id', 'api_keys.maker_id')
    .selectAll('api_keys')
    .select(['maker.public_id as maker_public_id', 'maker.name as maker_name'])
    .where('api_keys.book_id', '=', ctx.book.id)
    .where('api_keys.revoked_at', 'is', null)
    .where((eb) =>
      eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', ctx.now().getTime())]),
    )
    .orderBy('api_keys.id', 'desc')
    .execute()
  return rows.map(({ maker_public_id: id, maker_name: name, ...row }) => ({
    ...row,
    maker: id === null || name === null ? null : { id, name },
  }))
}

/** Returns the row id and the identifier of each active key of the book, newest first. */
export async function activeKeyIds(ctx: Ctx): Promise<{ id: number; publicId: string }[]> {
  return (await activeKeys(ctx)).map(({ id, public_id: publicId }) => ({ id, publicId }))
}

/** Returns the row ids of all keys of the book, including invalid ones. */
export async function keyRowIds(ctx: Ctx): Promise<number[]> {
  const rows = await ctx.db.selectFrom('api_keys').select('id').where('book_id', '=', ctx.book.id).execute()
  return rows.map(({ id }) => id)
}

const rowIdOf = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('api_keys').select('id').where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

/** Returns the row id of a key of the book, valid or not. */
export async function keyRowId(ctx: Ctx, publicId: string): Promise<number | undefined> {
  return (await rowIdOf.first(ctx.db, { bookId: ctx.book.id, publicId }))?.id
}

/** Returns a key of the book that is not revoked, by one of its columns. */
export async function findUnrevoked(
  ctx: Ctx,
  column: 'public_id' | 'name',
  value: string,
): Promise<KeyRow | undefined> {
  return ctx.db
    .selectFrom('api_keys')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('revoked_at', 'is', null)
    .where(column, '=', value)
    .executeTakeFirst()
}

const revoke = prepare((db, p: { id: number; at: number }) =>
  db.updateTable('api_keys').set({ revoked_at: p.at }).where('id', '=', p.id),
)

/** Revokes a key and all its descendants; returns the descendants. Effective with the commit. */
export async function revokeWithDescendants(tx: Ctx, row: KeyRow): Promise<KeyRow[]> {
  const descendants = await unrevokedDescendants.all(tx.db, { keyId: row.id })
  for (const { id, public_id: publicId } of [row, ...descendants]) {
    await revoke.run(tx.db, { id, at: tx.now().getTime() })
    await sealKey(tx.db, tx.env.store.sealer, publicId)
  }
  forgetKeys(tx)
  return descendants
}

/** Clears the cached keys of this server. */
export function forgetCachedKeys({ store }: Pick<AppEnvironment, 'store'>): void {
  cachedKeys(store.reader).forget()
}

/** Clears the cached keys and books after the commit, here and on the other servers. Call it in the transaction that changes them. */
export function forgetKeys(tx: Ctx): void {
  tx.afterCommit(() => {
    forgetCachedKeys(tx.env)
    tx.env.servers?.tell('keys')
  })
}
