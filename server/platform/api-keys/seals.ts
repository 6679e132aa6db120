/** Seals over what keys were given: whoever changes a key past the program, but not with its master key at hand, is found out. */
import type { Selectable } from 'kysely'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import type { AppEnvironment } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import type { Sealer } from '../../db/keys/seal.ts'
import type { ApiKeysTable } from '../../db/schema.ts'

type KeyRow = Selectable<ApiKeysTable>

/** Changes with use, or is the seal itself. */
const UNSEALED: readonly string[] = ['id', 'last_used_at', 'facts_seal']
const WAITING = 'keys_unsealed'

/** Where the seal of a key lives: it opens nowhere else. */
export const factsSealContext = (publicId: string): string => `api-key|facts|${publicId}`

/** Each column of a key with its value as text that can be compared. */
function factsOf(row: KeyRow): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !UNSEALED.includes(column))
      .map(([column, value]) => [
        column,
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : (value as string | number | null),
      ]),
  )
}

/** Seals a key as its row stands now. In the transaction that changed it. */
export async function sealKey(db: Db, sealer: Sealer, publicId: string): Promise<void> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('public_id', '=', publicId)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('api_keys')
    .set({ facts_seal: sealer.seal(canonicalJson(factsOf(row)), factsSealContext(publicId)) })
    .where('id', '=', row.id)
    .execute()
}

/** Seals the keys of books that were brought up from an earlier version; later it does nothing. */
export async function sealOlderKeys({ store }: AppEnvironment): Promise<void> {
  const isWaiting = await store.reader
    .selectFrom('settings')
    .select('name')
    .where('name', '=', WAITING)
    .executeTakeFirst()
  if (!isWaiting) return
  await whereWritable(
    store.transaction(async (db) => {
      const rows = await db
        .selectFrom('api_keys')
        .select('public_id')
        .where('facts_seal', 'is', null)
        .execute()
      for (const { public_id } of rows) await sealKey(db, store.sealer, public_id)
      await db.deleteFrom('settings').where('name', '=', WAITING).execute()
    }),
  )
}

/** What is wrong with a key, or null. Columns that are younger than its seal are not compared. */
export function sealFault(row: KeyRow, sealer: Sealer): string | null {
  if (row.facts_seal === null) return `${row.public_id} has no seal.`
  let sealed: Record<string, string | number | null>
  try {
    sealed = JSON.parse(
      sealer.open(row.facts_seal, factsSealContext(row.public_id)).toString(),
    ) as typeof sealed
  } catch {
    return `The seal of ${row.public_id} does not open.`
  }
  const now = factsOf(row)
  const changed = Object.keys(sealed).filter((column) => sealed[column] !== now[column])
  return changed.length === 0 ? null : `${row.public_id} was changed: ${changed.join(', ')}.`
}
