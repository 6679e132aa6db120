/**
 * Prepares a record for writing: its columns, its text and the hash that shows changes. Pure, without database
 * access.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { searchText } from '../../../domain/text.ts'
import type { NeutralContact, NeutralDocument, NeutralItem, NeutralRecord, Page } from '../port.ts'

/** Sorts first in a list by date: a document without a date is still being edited. */
const NO_DAY = '2999-12-31'

export type Table = 'erp_contacts' | 'erp_documents' | 'erp_items'

export interface TaxPart {
  /** -1 where the rate is unknown. */
  vatBp: number
  base: number
  tax: number
}

export interface ReadyRecord {
  table: Table
  externalKind: string
  externalId: string
  /** SHA-256 of `text`, in hexadecimal. */
  hash: string
  /** Canonical JSON of the neutral record. */
  text: string
  columns: Record<string, string | number | null>
  /** Of a received document that counts: the amounts that the fiscal summary adds up. */
  taxes: TaxPart[]
}

/**
 * A page with its records packed one after another: as objects they would outlive the young generation and
 * accumulate.
 */
export interface ReadyPage extends Omit<Page, 'records'> {
  count: number
  /** Lines of JSON in UTF-8, each a `ReadyRecord`. */
  packed: Uint8Array<ArrayBuffer>
}

const flag = (value: boolean | null): number => (value ? 1 : 0)

function contactColumns(record: NeutralContact): ReadyRecord['columns'] {
  return {
    name: record.name,
    tax_id: record.taxId,
    email: record.email,
    is_client: flag(record.isClient),
    is_supplier: flag(record.isSupplier),
    archived: flag(record.archived),
    search: searchText(
      `${record.name} ${record.tradeName ?? ''} ${record.taxId ?? ''} ${record.email ?? ''}`,
    ),
  }
}

function documentColumns(record: NeutralDocument): ReadyRecord['columns'] {
  const number = record.side === 'received' ? (record.supplierNumber ?? record.number) : record.number
  return {
    side: record.side,
    doc_kind: record.docKind,
    number,
    list_date: record.issueDate ?? NO_DAY,
    due_date: record.dueDate,
    party_external_id: record.party.externalId,
    party_name: record.party.name,
    party_tax_id: record.party.taxId,
    currency: record.currency,
    total_cents: record.totalCents,
    pending_cents: record.pendingCents,
    eur_net_cents: record.eur?.netCents ?? null,
    eur_tax_cents: record.eur?.taxCents ?? null,
    eur_total_cents: record.eur?.totalCents ?? null,
    state: record.state,
    payment_state: record.paymentState,
    amount_check: record.amountCheck,
    search: searchText(`${number ?? ''} ${record.party.name} ${record.party.taxId ?? ''}`),
  }
}

function itemColumns(record: NeutralItem): ReadyRecord['columns'] {
  return {
    name: record.name,
    sku: record.sku,
    archived: flag(record.archived),
    search: searchText(`${record.name} ${record.sku ?? ''} ${record.barcode ?? ''}`),
  }
}

/**
 * Returns bases and VAT by rate in euros, as far as the lines show them; they add up to the document, whose own sums
 * decide. The largest rate gets the remainder, so that no cent is lost.
 */
export function taxesByRate(record: NeutralDocument): TaxPart[] {
  const { eur, lines, netCents, warnings } = record
  if (eur === null) return []
  const bases = new Map<number, number>()
  const usable = !warnings.includes('lines_unreconciled') && lines.every(({ vatBp }) => vatBp !== null)
  if (usable) for (const { vatBp, netCents: net } of lines) bases.set(vatBp!, (bases.get(vatBp!) ?? 0) + net)
  const rates = [...bases].filter(([, base]) => base !== 0)
  if (rates.length === 0) return [{ vatBp: -1, base: eur.netCents, tax: eur.taxCents }]
  const weight = rates.reduce((sum, [rate, base]) => sum + rate * base, 0)
  // If no line has a rate that could give the tax, the lines prove nothing.
  if (weight === 0 && eur.taxCents !== 0) return [{ vatBp: -1, base: eur.netCents, tax: eur.taxCents }]
  const parts = rates
    .toSorted(([, a], [, b]) => Math.abs(a) - Math.abs(b))
    .map(([vatBp, base]) => ({
      vatBp,
      base: netCents === 0 ? 0 : Math.round((eur.netCents * base) / netCents),
      tax: weight === 0 ? 0 : Math.round((eur.taxCents * vatBp * base) / weight),
    }))
  const largest = parts.at(-1)!
  largest.base += eur.netCents - parts.reduce((sum, { base }) => sum + base, 0)
  const taxed = parts.findLast(({ vatBp }) => vatBp > 0) ?? largest
  taxed.tax += eur.taxCents - parts.reduce((sum, { tax }) => sum + tax, 0)
  return parts
}

function ready(record: NeutralRecord): ReadyRecord {
  const { externalKind, externalId } = record
  const text = canonicalJson(record)
  const head = { externalKind, externalId, text, hash: createHash('sha256').update(text).digest('hex') }
  switch (record.record) {
    case 'contact':
      return { ...head, table: 'erp_contacts', columns: contactColumns(record), taxes: [] }
    case 'item':
      return { ...head, table: 'erp_items', columns: itemColumns(record), taxes: [] }
    case 'document': {
      const counts = record.side === 'received' && record.state === 'approved'
      const taxes = counts ? taxesByRate(record) : []
      return { ...head, table: 'erp_documents', columns: documentColumns(record), taxes }
    }
  }
}

/** Prepares a page's records for writing; `packed` owns its buffer and may be transferred. */
export function readyPage({ records, ...page }: Page): ReadyPage {
  const packed = new TextEncoder().encode(
    records.map((record) => `${JSON.stringify(ready(record))}\n`).join(''),
  )
  return { ...page, count: records.length, packed }
}

/** Yields the records of a page, each created when it is needed. */
export function* recordsOf({ packed }: Pick<ReadyPage, 'packed'>): Generator<ReadyRecord> {
  const decoder = new TextDecoder()
  for (let from = 0; from < packed.length;) {
    const end = packed.indexOf(0x0a, from)
    yield JSON.parse(decoder.decode(packed.subarray(from, end))) as ReadyRecord
    from = end + 1
  }
}
