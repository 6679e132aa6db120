/** The running syncs of this process. */
import type { AppEnvironment } from '../../../context.ts'

interface ActiveRun {
  connectionId: number
  /** The sealed key that the sync uses. */
  sealedKey: string | null
  abort: AbortController
  ended: Promise<void>
}

/** Running syncs of this process, by store. */
const active = new WeakMap<object, Map<number, ActiveRun>>()

/** Returns the running syncs by the row of the run. */
export function activeIn(env: AppEnvironment): Map<number, ActiveRun> {
  const runs = active.get(env.store) ?? new Map<number, ActiveRun>()
  active.set(env.store, runs)
  return runs
}

/** Reason of a sync that this process stopped. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly by: 'person' | 'closing'
  constructor(by: 'person' | 'closing') {
    super(by)
    this.by = by
  }
}

/** Stops all running syncs because the books are being closed; the next sync continues where they stopped. */
export async function stopErpRuns(env: AppEnvironment): Promise<void> {
  const runs = [...activeIn(env).values()]
  for (const run of runs) run.abort.abort(new Stopped('closing'))
  await Promise.all(runs.map(({ ended }) => ended))
}
