/**
 * Kind of a file dropped on the window, its possible destinations, and the slot in which it waits until that page
 * takes it. Knows names and first bytes only.
 */
import { shallowRef } from 'vue'

export type Destination = 'received' | 'bank' | 'import'

/** Enough bytes to distinguish a statement from an invoice. */
const HEAD_BYTES = 4096

const DOCUMENTS = new Set(['pdf', 'png', 'jpg', 'jpeg', 'webp', 'heic', 'xsig', 'eml'])
const STATEMENT = /urn:iso:std:iso:20022:tech:xsd:camt\.|<OFX>/
const INVOICE =
  /facturae\.gob\.es|CrossIndustryInvoice|CrossIndustryDocument|oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)/i
/** The first record of a statement in the banks' own format (AEB norma 43): an 11, bank, branch, account, two days. */
const NORMA_43 = /^11\d{18}\d{12}/

/** Returns the possible destinations of a file, the most likely first; none for an unsupported one. */
export async function destinationsOf(file: File): Promise<readonly Destination[]> {
  const extension = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  if (DOCUMENTS.has(extension)) return ['received']
  if (extension === 'n43') return ['bank']
  if (extension === 'csv' || extension === 'xlsx') return ['bank', 'import', 'received']
  if (extension !== 'xml' && extension !== 'txt') return []
  const head = await file.slice(0, HEAD_BYTES).text()
  if (STATEMENT.test(head) || NORMA_43.test(head)) return ['bank']
  if (INVOICE.test(head) || extension === 'txt') return ['received']
  return ['received', 'bank']
}

const held = shallowRef<{ to: 'bank' | 'import'; file: File } | null>(null)

/** Stores a file for the page that opens next. */
export function storeDropped(to: 'bank' | 'import', file: File): void {
  held.value = { to, file }
}

/** Takes the stored file of that page, once. */
export function takeDropped(to: 'bank' | 'import'): File | null {
  const it = held.value
  if (it?.to !== to) return null
  held.value = null
  return it.file
}
