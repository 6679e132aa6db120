/** State of the list of invoices in its address: saved view, filters and order. Pure. */
import type { InputOf } from '../../../../server/api/contracts.ts'
import { isBusinessDate } from '../../../../server/domain/dates.ts'

type WindowInput = InputOf<'invoices.window'>

export type InvoiceFilter = Pick<
  WindowInput,
  | 'view'
  | 'state'
  | 'kind'
  | 'registryStatus'
  | 'paymentStatus'
  | 'from'
  | 'to'
  | 'client'
  | 'series'
  | 'text'
>
type InvoiceSort = NonNullable<WindowInput['sort']>
type SavedView = NonNullable<WindowInput['view']>

export const VIEWS: readonly SavedView[] = [
  'all',
  'drafts',
  'owed',
  'overdue',
  'trouble',
  'unsigned',
  'history',
]
export const STATES = ['draft', 'issued'] as const
export const REGISTRY_STATUSES = [
  'not_issued',
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
  'unknown',
  'cancelled',
] as const
export const KINDS = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'] as const
export const PAYMENT_STATUSES = [
  'open',
  'unpaid',
  'partial',
  'paid',
  'overdue',
  'credit',
  'uncollectible',
  'cancelled',
] as const
const SORTS: readonly InvoiceSort[] = ['issueDate', '-issueDate', 'number', '-number', 'total', '-total']
const DEFAULT_SORT: InvoiceSort = '-issueDate'

/** Parameter names of the address, in the order of the chips. */
export const CHIP_KEYS = ['state', 'kind', 'registry', 'payment', 'from', 'to', 'series', 'client'] as const
export type ChipKey = (typeof CHIP_KEYS)[number]

const LONGEST_TEXT = 100

/** A query as vue-router gives it: it may contain anything the user typed into the address. */
type Query = Readonly<Record<string, unknown>>

function text(query: Query, key: string): string | undefined {
  const value = query[key]
  const trimmed = typeof value === 'string' ? value.trim().slice(0, LONGEST_TEXT) : ''
  return trimmed === '' ? undefined : trimmed
}

function oneOf<T extends string>(query: Query, key: string, allowed: readonly T[]): T | undefined {
  const value = text(query, key)
  return allowed.find((each) => each === value)
}

function day(query: Query, key: string): string | undefined {
  const value = text(query, key)
  return value !== undefined && isBusinessDate(value) ? value : undefined
}

/** Returns the filter of an address; invalid parts are ignored, so that an old link still opens a list. */
export function filterOfQuery(query: Query): InvoiceFilter {
  const view = oneOf(query, 'view', VIEWS)
  const [from, to] = [day(query, 'from'), day(query, 'to')]
  // Two dates in the wrong order are swapped.
  const turned = from !== undefined && to !== undefined && from > to
  const parts: Record<string, string | undefined> = {
    view: view === 'all' ? undefined : view,
    state: oneOf(query, 'state', STATES),
    kind: oneOf(query, 'kind', KINDS),
    registryStatus: oneOf(query, 'registry', REGISTRY_STATUSES),
    paymentStatus: oneOf(query, 'payment', PAYMENT_STATUSES),
    from: turned ? to : from,
    to: turned ? from : to,
    client: text(query, 'client'),
    series: text(query, 'series'),
    text: text(query, 'q'),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as InvoiceFilter
}

/** Returns the sort order of an address. */
export function sortOfQuery(query: Query): InvoiceSort {
  return oneOf(query, 'sort', SORTS) ?? DEFAULT_SORT
}

/** Returns the address after one change: null, or the default value, removes the parameter. */
export function changedQuery(query: Query, changes: Record<string, string | null>): Record<string, string> {
  const next: Record<string, string> = {}
  for (const [key, value] of Object.entries(query))
    if (typeof value === 'string' && value !== '') next[key] = value
  for (const [key, value] of Object.entries(changes)) {
    if (
      value === null ||
      value === '' ||
      (key === 'view' && value === 'all') ||
      (key === 'sort' && value === DEFAULT_SORT)
    )
      delete next[key]
    else next[key] = value
  }
  return next
}

/** Returns whether no filter narrows the list: an empty list then means that there are no invoices at all. */
export function showsAll(filter: InvoiceFilter): boolean {
  return Object.keys(filter).length === 0
}
