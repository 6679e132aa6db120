/** How the registry stands, as one sentence: the worst thing first. Pure. */
import type { OutputOf } from '../../server/contracts.ts'

type State = OutputOf<'registry.status'>

export interface Headline {
  /** Message key below `registryPage.headline`. */
  words: 'broken' | 'rejected' | 'down' | 'unknown' | 'queued' | 'warnings' | 'empty' | 'fine'
  tone: 'error' | 'warning' | 'info' | 'success' | 'muted'
  /** How many it is about. */
  count: number
}

/** The sentence for a state of the registry. */
export function headlineOf(state: Pick<State, 'chain' | 'service' | 'queue' | 'counts'>): Headline {
  const { chain, service, queue, counts } = state
  if (!chain.ok) return { words: 'broken', tone: 'error', count: 0 }
  if (counts.rejected > 0) return { words: 'rejected', tone: 'error', count: counts.rejected }
  if (service.status === 'down') return { words: 'down', tone: 'warning', count: queue.pending }
  if (counts.unknown > 0) return { words: 'unknown', tone: 'warning', count: counts.unknown }
  if (queue.pending > 0) return { words: 'queued', tone: 'info', count: queue.pending }
  if (chain.records === 0) return { words: 'empty', tone: 'muted', count: 0 }
  if (counts.acceptedWithErrors > 0)
    return { words: 'warnings', tone: 'warning', count: counts.acceptedWithErrors }
  return { words: 'fine', tone: 'success', count: chain.records }
}

const SHOWN = 4

/** A hash short enough to compare by eye: `9B1E 44D0 … 7F0A C3D2`. */
export function shortHash(hash: string): string {
  const groups = hash.match(/.{1,4}/g) ?? []
  return groups.length <= SHOWN
    ? groups.join(' ')
    : [...groups.slice(0, 2), '…', ...groups.slice(-2)].join(' ')
}

/** What is left until an instant as `m:ss`, or null when it is past or more than an hour away. */
export function countdown(until: string, nowMs: number): string | null {
  const seconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (!(seconds > 0 && seconds < 3600)) return null
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
