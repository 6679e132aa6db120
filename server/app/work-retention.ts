/**
 * How long work over many companies is kept after its end. By itself: what deletes in time runs on every desk, also on one
 * that never opens the console.
 */
import type { AppEnvironment } from '../context.ts'

/** How long the outcome and the files of a work are kept. */
export const RETENTION_MS = 7 * 24 * 3_600_000

/** Deletes the outcomes and files of works that ended a while ago. */
export async function pruneWorks({ store, now }: AppEnvironment): Promise<void> {
  const before = now().getTime() - RETENTION_MS
  await store.transaction(null, (db) => db.deleteFrom('bulk_units').where('ended_at', '<', before).execute())
}
