/** What each thing that asks for attention is called, and the one place its verb leads to. Pure. */
import type { RouteLocationRaw } from 'vue-router'
import type { OutputOf } from '../../server/contracts.ts'
import { icons } from '../icons.ts'
import type { IconName } from '../icons.ts'
import { quarterPeriod } from '../../server/core/dates.ts'

export type Attention = OutputOf<'dashboard.get'>['attention'][number]

export interface AttentionEntry {
  key: string
  icon: IconName
  tone: string
  /** Message key below `home.attention`, with `title`, `text` and `verb`. */
  words: string
  params: Record<string, string | number>
  /** Where the verb leads; `testBook` goes to the company's test book instead. */
  to: RouteLocationRaw | 'testBook'
}

/** First and last day of `3T 2026`, or null when it is not written like that. */
export function quarterSpan(period: string): { from: string; to: string } | null {
  const match = /^([1-4])T (\d{4})$/.exec(period)
  return match ? quarterPeriod(Number(match[2]), Number(match[1])) : null
}

const READINESS: Record<string, Pick<AttentionEntry, 'icon' | 'to'>> = {
  issuer_address_missing: { icon: icons.company, to: '/settings' },
  certificate_missing: { icon: icons.shieldBroken, to: 'testBook' },
  producer_missing: { icon: icons.shieldBroken, to: 'testBook' },
}

/** One entry of the card. A live book that cannot issue lacks several things at once: `attentionEntries` joins them. */
export function attentionEntry(item: Attention): AttentionEntry {
  const key = `${item.kind}-${item.id ?? item.title}`
  const { params } = item
  switch (item.kind) {
    case 'rejected':
      return {
        key,
        icon: icons.rejected,
        tone: 'text-error',
        words: 'rejected',
        params,
        to: `/invoices/${item.id ?? ''}`,
      }
    case 'queue':
      return { key, icon: icons.queued, tone: 'text-muted', words: 'queue', params, to: '/registry' }
    case 'proposal':
      return { key, icon: icons.bulb, tone: 'text-primary', words: 'proposal', params, to: '/inbox' }
    case 'recovery':
      return {
        key,
        icon: icons.recovery,
        tone: 'text-warning',
        words: 'recovery',
        params,
        to: '/settings/security',
      }
    case 'deadline': {
      const span = quarterSpan(String(params.period ?? ''))
      const to = { path: '/invoices', query: { state: 'issued', ...(span ?? {}) } }
      return { key, icon: icons.calendar, tone: 'text-muted', words: 'deadline', params, to }
    }
    case 'readiness': {
      const known = READINESS[item.title]
      const words = known ? item.title : 'readiness'
      return {
        key,
        icon: known?.icon ?? icons.warning,
        tone: 'text-warning',
        words,
        params,
        to: known?.to ?? '/settings',
      }
    }
  }
}

/** The entries of the card, in the server's order; what has the same way out is said once. */
export function attentionEntries(items: readonly Attention[]): AttentionEntry[] {
  const entries: AttentionEntry[] = []
  for (const entry of items.map(attentionEntry)) {
    if (entry.to === 'testBook' && entries.some((each) => each.to === 'testBook')) continue
    entries.push(entry)
  }
  return entries
}
