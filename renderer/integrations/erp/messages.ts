/** Values that the pages of the accounting connection derive from the server's: names, sums, links. Pure. */
import { formatAmount } from '../../format.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

export type Integration = OutputOf<'erp.status'>['integrations'][number]
export type Provider = Integration['provider']
export type Run = OutputOf<'erp.run'>
export type Quota = NonNullable<Integration['quota']>
export type Comparison = OutputOf<'erp.compareContacts'>['items'][number]
export type LinkField = Comparison['differences'][number]['field']
export type Side = OutputOf<'erp.document'>['side']
type Contact = OutputOf<'contacts.get'>

/** Returns the name of a connection: the one the user gave, its own, or its masked key. */
export function connectionName(of: Integration): string {
  return of.ownLabel ?? of.erpAccountName ?? of.erpAccountHint ?? of.label
}

/** The open connection, or null. */
export const openConnection = (all: readonly Integration[]): Integration | null =>
  all.find(({ state }) => state !== 'disconnected') ?? null

/** Earlier connections whose data still exist. */
export const earlierConnections = (all: readonly Integration[]): Integration[] =>
  all.filter(({ state, connectionId }) => state === 'disconnected' && connectionId !== null)

/** Returns the systems that can be connected, once each. */
export function systemsOf(all: readonly Integration[]): { id: Provider; label: string }[] {
  return [
    ...new Map(all.map(({ provider, label }) => [provider, { id: provider, label }])).values(),
  ].toSorted((a, b) => a.label.localeCompare(b.label))
}

/** Returns the connection that a list shows: the one in its address, the open one, or the previous one. */
export function shownConnection(all: readonly Integration[], wanted: string): Integration | null {
  return (
    all.find(({ connectionId }) => wanted !== '' && connectionId === wanted) ??
    openConnection(all) ??
    earlierConnections(all)[0] ??
    null
  )
}

const SUMMED = ['fetched', 'created', 'updated', 'unchanged', 'missing', 'rejected'] as const

/** Returns the sums of a reading over all its lists. */
export function runSums({ resources }: Pick<Run, 'resources'>): Record<(typeof SUMMED)[number], number> {
  const sums = { fetched: 0, created: 0, updated: 0, unchanged: 0, missing: 0, rejected: 0 }
  for (const resource of resources) for (const name of SUMMED) sums[name] += resource[name]
  return sums
}

/** Returns the progress of a reading in percent; null while it is unknown, or when it takes more calls than estimated. */
export function runPercent({
  calls,
  estimate,
  state,
}: Pick<Run, 'calls' | 'estimate' | 'state'>): number | null {
  if (state !== 'running') return 100
  return calls < estimate ? Math.round((100 * calls) / estimate) : null
}

/** Returns the parts of the month's budget in percent, and the calls that can be used without forcing. */
export function quotaParts(
  quota: Quota,
): { usedPct: number; reservePct: number; left: number; budget: number } | null {
  const { budget, used, reserve } = quota
  if (budget === null) return null
  const usedPct = Math.min(100, Math.round((100 * used) / budget))
  return {
    usedPct,
    reservePct: Math.min(100 - usedPct, Math.round((100 * reserve) / budget)),
    left: Math.max(0, budget - reserve - used),
    budget,
  }
}

/** Returns the list that a permission belongs to, whatever the system calls it; null for an unknown one. */
export function permissionList(scope: string): string | null {
  const lists: Record<string, string> = {
    'contacts:contacts.read': 'contacts',
    'sales:invoices.read': 'issued',
    'sales:receipts.read': 'receipts',
    'accounting:purchases.read': 'received',
    'accounting:taxes.read': 'taxes',
    'inventory:products.read': 'catalogue',
    'sales:services.read': 'services',
    'developers:usage.read': 'usage',
    'res.partner:read': 'contacts',
    'account.move:read': 'invoices',
    'account.move.line:read': 'lines',
    'account.tax:read': 'taxes',
    'product.product:read': 'catalogue',
  }
  return lists[scope] ?? null
}

const messageKeys = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/** Returns the permissions that an error names. */
export function refusedPermissions(details: Record<string, unknown>): {
  granted: string[]
  missing: string[]
} {
  const { granted, missing } = (details.permissions ?? {}) as Record<string, unknown>
  return { granted: messageKeys(granted), missing: messageKeys(missing) }
}

interface Company {
  id: string
  name: string
  taxId: string | null
}

/** Returns the companies that an error offers. */
export function offeredCompanies(details: Record<string, unknown>): Company[] {
  if (!Array.isArray(details.accounts)) return []
  return (details.accounts as Partial<Company>[]).flatMap(({ id, name, taxId }) =>
    id === undefined ? [] : [{ id: String(id), name: String(name ?? id), taxId: taxId ?? null }],
  )
}

/** Returns the previous values of the fields that a contact is about to take over, for undo. */
export function fieldsBefore(
  contact: Contact,
  take: readonly LinkField[],
): Omit<InputOf<'contacts.update'>, 'id' | 'expectedVersion'> {
  const { name, tradeName, nif, email, phone, iban, address } = contact
  const before = { name, tradeName, nif, email, phone, iban, address }
  return Object.fromEntries(take.map((field) => [field, before[field]]))
}

/** Returns an amount in its own currency, which is named only if it is not the euro. */
export function amountIn(currency: string, amount: number): string {
  return currency === 'EUR' ? formatAmount(amount) : `${formatAmount(amount)} ${currency}`
}

/** Splits the items into batches of one call. */
export function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
