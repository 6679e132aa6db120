/** Text of the object of an event: names as they were then, and no internal identifiers. Pure. */
import { isBusinessDate } from '../../../server/domain/dates.ts'
import { formatDate, formatEuros } from '../../format.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type ListedEvent = OutputOf<'audit.window'>['items'][number]

/** A text of the locales by its key; null when there is none. */
type Say = (key: string, params?: Record<string, string>) => string | null

/** Kinds of objects with a page of their own. */
const PAGES: Readonly<Record<string, string>> = {
  invoice: '/invoices/',
  quote: '/quotes/',
  received: '/received/',
  contact: '/contacts/',
  document: '/invoices/',
}

/** Kinds named by their amount. */
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
  if (type === 'request' && isBusinessDate(label)) return formatDate(label)
  // Stored in the format `1234.50 EUR`; shown in the local format.
  const [, euros, rest = ''] = /^(-?\d+\.\d{2}) EUR(.*)$/s.exec(label) ?? []
  if (euros !== undefined && MONEY.has(type)) return `${formatEuros(Number(euros))}${rest}`
  return label === '' ? kind : label
}

/** Returns the current address of the object; null if it is gone or never had a page. */
export function targetAddress({ action, target }: Pick<ListedEvent, 'action' | 'target'>): string | null {
  const page = target && PAGES[target.type]
  return page && !action.endsWith('.deleted') && target.id !== 'none' ? `${page}${target.id}` : null
}
