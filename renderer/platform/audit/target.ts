/** What an event of the history was about, in words: names as they were, and nothing that only programs understand. Pure. */
import { formatEuros } from '../../format.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type ListedEvent = OutputOf<'audit.window'>['items'][number]

/** A text of the locales by its key; null when there is none. */
type Say = (key: string, params?: Record<string, string>) => string | null

/** Things with a page of their own, by their kind. */
const PAGES: Readonly<Record<string, string>> = {
  invoice: '/invoices/',
  quote: '/quotes/',
  received: '/received/',
  contact: '/contacts/',
  document: '/invoices/',
}

/** What is named by its amount. */
const MONEY: ReadonlySet<string> = new Set(['payment', 'remittance'])

export function targetLabel({ action, target }: Pick<ListedEvent, 'action' | 'target'>, say: Say): string {
  if (!target) return '—'
  const { type, label = '' } = target
  const kind = say(`histories.target.${type}`) ?? '—'
  const named = say(`histories.label.${label}`)
  if (type === 'proposal' || type === 'book') return named ?? kind
  if (action === 'privacy.erased') {
    const [, erased, kept] = /^-(\d+) =(\d+)$/.exec(label) ?? []
    return erased && kept ? (say('histories.erased', { erased, kept }) ?? kind) : kind
  }
  // Kept as programs write it (`1234.50 EUR`); shown as people do.
  const [, euros, rest = ''] = /^(-?\d+\.\d{2}) EUR(.*)$/s.exec(label) ?? []
  if (euros !== undefined && MONEY.has(type)) return `${formatEuros(Number(euros))}${rest}`
  return label === '' ? kind : label
}

/** Where it is now; null for what is gone, or never had a page. */
export function targetAddress({ action, target }: Pick<ListedEvent, 'action' | 'target'>): string | null {
  const page = target && PAGES[target.type]
  return page && !action.endsWith('.deleted') && target.id !== 'none' ? `${page}${target.id}` : null
}
