/**
 * Takes moves in, or back, stretch by stretch. It belongs to the window and not to a page: somebody who opens another page
 * meanwhile finds it further on. After the window is closed, the page offers to continue.
 */
import { shallowReactive } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { showMove } from './moves.ts'
import type { Move } from './wizard.ts'

interface Run {
  what: 'moving.apply' | 'moving.undo'
  stopping: boolean
}

const runs = shallowReactive(new Map<string, Run>())
const failures = shallowReactive(new Map<string, CallError>())

/** Returns what runs for a move in this window. */
export const runOf = (moveId: string): Run | null => runs.get(moveId) ?? null

/** Returns why the last run of a move ended early. */
export const failureOf = (moveId: string): CallError | null => failures.get(moveId) ?? null

/** Ends a run after its present stretch. */
export function stopRun(moveId: string): void {
  const run = runs.get(moveId)
  if (run) runs.set(moveId, { ...run, stopping: true })
}

const END: Record<Run['what'], Move['state']> = { 'moving.apply': 'applied', 'moving.undo': 'undone' }

/** Runs to the end, unless it is stopped or refused. Resolves with the last answer. */
export async function runMove(moveId: string, what: Run['what'], bookId: string): Promise<Move | null> {
  if (runs.has(moveId)) return null
  runs.set(moveId, { what, stopping: false })
  failures.delete(moveId)
  let move: Move | null = null
  try {
    do {
      ;({ move } = await call(what, { id: moveId }, { bookId }))
      showMove(move)
    } while (move.state !== END[what] && runs.get(moveId)?.stopping !== true)
  } catch (thrown) {
    failures.set(moveId, asCallError(thrown))
  } finally {
    runs.delete(moveId)
  }
  return move
}
