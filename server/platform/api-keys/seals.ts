/** Seals over the permissions of keys: they reveal changes made to a key in the database without the master key. */
import type { Selectable } from 'kysely'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import type { AppEnvironment } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import type { Sealer } from '../../db/seal.ts'
import type { ApiKeysTable } from '../../db/schema.ts'

type KeyRow = Selectable<ApiKeysTable>

/** Columns that change with use, the seal itself, and the column that only an office has. */
const UNSEALED: readonly string[] = ['id', 'last_used_at', 'facts_seal', 'company_id']
const WAITING = 'keys_unsealed'

/** Returns the location of a key's seal, which cannot be opened elsewhere. */
export const factsSealContext = (publicId: string): string => `api-key|facts|${publicId}`

/** Returns each column of a key with its value as comparable text. */
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

/** Seals a key with its current row. Call it in the transaction that changed the row. */
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

/** Seals the keys of books upgraded from an earlier version; afterwards it does nothing. */
export async function sealOlderKeys({ store }: AppEnvironment): Promise<void> {
  const isWaiting = await store.reader
    .selectFrom('settings')
    .select('name')
    .where('name', '=', WAITING)
    .executeTakeFirst()
  if (!isWaiting) return
  await whereWritable(
    store.transaction(null, async (db) => {
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

/** Returns the fault of a key, or null. Columns added after its seal are not compared. */
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
