/** The moves that this window has loaded: pages, uploads and runs show and change the same one. */
import { shallowReactive } from 'vue'
import type { Move } from './wizard.ts'

const known = shallowReactive(new Map<string, Move>())

export const knownMove = (id: string): Move | null => known.get(id) ?? null

/** Shows the latest answer about a move. */
export function showMove(move: Move): void {
  known.set(move.id, move)
}
