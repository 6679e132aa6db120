/** The readings under way in this process. */
import type { AppEnvironment } from '../../../context.ts'

export interface ActiveRun {
  connectionId: number
  /** Which key it reads with, sealed. */
  sealedKey: string | null
  abort: AbortController
  ended: Promise<void>
}

/** Readings under way in this process, by store. */
const active = new WeakMap<object, Map<number, ActiveRun>>()

/** By the row of the run. */
export function activeIn(env: AppEnvironment): Map<number, ActiveRun> {
  const runs = active.get(env.store) ?? new Map<number, ActiveRun>()
  active.set(env.store, runs)
  return runs
}

/** Why a reading was stopped from here. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly by: 'person' | 'closing'
  constructor(by: 'person' | 'closing') {
    super(by)
    this.by = by
  }
}

/** Ends all readings under way because the books are closed; the next one goes on where they stopped. */
export async function stopErpRuns(env: AppEnvironment): Promise<void> {
  const runs = [...activeIn(env).values()]
  for (const run of runs) run.abort.abort(new Stopped('closing'))
  await Promise.all(runs.map(({ ended }) => ended))
}
