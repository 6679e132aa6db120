/** Status of the registry as one sentence: the most severe condition first. Pure. */
import type { OutputOf } from '../../server/api/contracts.ts'
import { actionItemsOf } from './action-items.ts'

type State = OutputOf<'registry.status'>

interface Headline {
  /** Message key below `registryPage.headline`. */
  words:
    | 'broken'
    | 'restored'
    | 'stopped'
    | 'refused'
    | 'clock'
    | 'help'
    | 'down'
    | 'certificate'
    | 'unknown'
    | 'stranded'
    | 'queued'
    | 'empty'
    | 'warnings'
    | 'fine'
  tone: 'error' | 'warning' | 'info' | 'success' | 'muted'
  /** Number of affected records. */
  count: number
}

type Facts = Pick<State, 'chain' | 'service' | 'queue' | 'counts' | 'certificate' | 'simulated' | 'attention'>

/** Returns the sentence for a state of the registry. */
export function headlineOf(state: Facts): Headline {
  const { chain, service, queue, counts } = state
  if (!chain.ok) return { words: 'broken', tone: 'error', count: 0 }
  if (chain.held) return { words: 'restored', tone: 'error', count: 0 }
  if (queue.stopped) return { words: 'stopped', tone: 'error', count: queue.pending }
  const asks = (code: string) => state.attention.some((item) => item.code === code)
  if (asks('message_refused')) return { words: 'refused', tone: 'error', count: queue.pending }
  if (asks('clock_wrong')) return { words: 'clock', tone: 'error', count: 0 }
  const troubled = actionItemsOf(state).filter((matter) => matter.invoiceId !== undefined)
  const invoices = (tone: 'error' | 'warning') =>
    new Set(troubled.filter((matter) => matter.tone === tone).map((matter) => matter.invoiceId)).size
  if (invoices('error') > 0) return { words: 'help', tone: 'error', count: invoices('error') }
  const { status } = state.certificate
  // Applies with an empty queue too: the next issued invoice would not be sent. Unused books have not reached this
  // point.
  if (
    !state.simulated &&
    (status === 'expired' || (status === 'missing' && queue.pending + chain.records > 0))
  )
    return { words: 'certificate', tone: 'error', count: queue.pending }
  if (service.status === 'down') return { words: 'down', tone: 'warning', count: queue.pending }
  if (counts.unknown > 0) return { words: 'unknown', tone: 'warning', count: counts.unknown }
  if (asks('no_stand_in')) return { words: 'stranded', tone: 'info', count: queue.pending }
  if (queue.pending > 0) return { words: 'queued', tone: 'info', count: queue.pending }
  if (chain.records === 0) return { words: 'empty', tone: 'muted', count: 0 }
  if (invoices('warning') > 0) return { words: 'warnings', tone: 'warning', count: invoices('warning') }
  return { words: 'fine', tone: 'success', count: chain.records }
}

const SHOWN = 4

/** Shortens a hash for comparison by eye: `9B1E 44D0 … 7F0A C3D2`. */
export function shortHash(hash: string): string {
  const groups = hash.match(/.{1,4}/g) ?? []
  return groups.length <= SHOWN
    ? groups.join(' ')
    : [...groups.slice(0, 2), '…', ...groups.slice(-2)].join(' ')
}

/** Returns the time until an instant as `m:ss`, or null if it is past or more than an hour away. */
export function countdown(until: string, nowMs: number): string | null {
  const seconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (!(seconds > 0 && seconds < 3600)) return null
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
