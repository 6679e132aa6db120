/** Lists of each resource, in each API version, and the position that a cursor names. */
import type { Resource } from '../port.ts'
import { isObject } from '../reading/untrusted-values.ts'
import type { DocumentKind } from './documents.ts'

export interface List {
  path: string
  /** The provider's own kind of its records. */
  kind: DocumentKind | 'contact' | 'product' | 'service'
  scope: string
  /** Skipped where the account does not offer it or the key may not read it. */
  optional: boolean
}

export const SCOPES = {
  contacts: 'contacts:contacts.read',
  invoices: 'sales:invoices.read',
  receipts: 'sales:receipts.read',
  purchases: 'accounting:purchases.read',
  taxes: 'accounting:taxes.read',
  products: 'inventory:products.read',
  services: 'sales:services.read',
  usage: 'developers:usage.read',
} as const

export const REQUIRED_SCOPES: readonly string[] = [
  SCOPES.contacts,
  SCOPES.invoices,
  SCOPES.purchases,
  SCOPES.taxes,
  SCOPES.products,
]
export const USEFUL_SCOPES: readonly string[] = [SCOPES.services, SCOPES.receipts, SCOPES.usage]

export const V2 = '/api/v2'
export const V1 = '/api/invoicing/v1'

const list = (path: string, kind: List['kind'], scope: string, optional = false): List => ({
  path,
  kind,
  scope,
  optional,
})

export const V2_LISTS: Readonly<Record<Resource, readonly List[]>> = {
  contacts: [list(`${V2}/contacts`, 'contact', SCOPES.contacts)],
  issued: [
    list(`${V2}/invoices`, 'invoice', SCOPES.invoices),
    list(`${V2}/sales-receipts`, 'salesreceipt', SCOPES.receipts, true),
    list(`${V2}/credit-notes`, 'creditnote', SCOPES.invoices),
    list(`${V2}/receipt-notes`, 'receiptnote', SCOPES.invoices, true),
  ],
  received: [
    list(`${V2}/purchases`, 'purchase', SCOPES.purchases),
    // Not documented: where it is missing, refunds are negative purchases.
    list(`${V2}/purchase-refunds`, 'purchaserefund', SCOPES.purchases, true),
  ],
  catalogue: [
    list(`${V2}/products`, 'product', SCOPES.products),
    list(`${V2}/services`, 'service', SCOPES.services, true),
  ],
}

/** The kind of document must be in the path: as a parameter it is ignored. */
export const V1_LISTS: Readonly<Record<Resource, readonly List[]>> = {
  contacts: [list(`${V1}/contacts`, 'contact', SCOPES.contacts)],
  issued: [
    list(`${V1}/documents/invoice`, 'invoice', SCOPES.invoices),
    list(`${V1}/documents/salesreceipt`, 'salesreceipt', SCOPES.receipts, true),
    list(`${V1}/documents/creditnote`, 'creditnote', SCOPES.invoices),
    list(`${V1}/documents/receiptnote`, 'receiptnote', SCOPES.invoices, true),
  ],
  received: [
    list(`${V1}/documents/purchase`, 'purchase', SCOPES.purchases),
    list(`${V1}/documents/purchaserefund`, 'purchaserefund', SCOPES.purchases, true),
  ],
  catalogue: [
    list(`${V1}/products`, 'product', SCOPES.products),
    list(`${V1}/services`, 'service', SCOPES.services, true),
  ],
}

/** More pages than any small business fills: a longer list does not end. */
export const MAX_PAGES = 2000

/** A position in the lists of a resource. */
export interface ListPosition {
  path: string
  /** From 1. */
  page: number
  /** Newer API: its own cursor, sent back unchanged. */
  at: string | null
  /** Older API: the part of a long window, from 0, and the number of rows of its first page. */
  part: number
  firstRows: number
}

export function startOf(path: string, part = 0): ListPosition {
  return { path, page: 1, at: null, part, firstRows: 0 }
}

export function cursorTo(place: ListPosition | null): string | null {
  return place === null ? null : JSON.stringify(place)
}

/** Parses a cursor of ours; null for any other (of another version, or of the other API). */
export function listPositionIn(cursor: string, lists: readonly List[]): ListPosition | null {
  let value: unknown
  try {
    value = JSON.parse(cursor)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const { path, page, at, part, firstRows } = value
  const isKnown = typeof path === 'string' && lists.some((entry) => entry.path === path)
  if (!isKnown || !(at === null || typeof at === 'string')) return null
  return isCount(page) && isCount(part) && isCount(firstRows) ? { path, page, at, part, firstRows } : null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
