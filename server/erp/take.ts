/** Taking a page: records by the other side's identity, changed only where their content did, all in one transaction. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { canonicalJson, sha256Hex } from '../core/canonical.ts'
import { searchText } from '../core/text.ts'
import type { Ctx } from '../ctx.ts'
import { supplierNumberKey } from '../received/index.ts'
import { prepare } from '../store/query.ts'
import type { PreparedQuery } from '../store/query.ts'
import type { NeutralContact, NeutralDocument, NeutralItem, NeutralRecord } from './port.ts'

/** Stands first in a list by date: what has no day yet is what is being worked on. */
export const NO_DAY = '2999-12-31'

/** Records written at a stretch: a few milliseconds. */
const BREATH = 20

export interface Taken {
  created: number
  updated: number
  unchanged: number
  /** Seen before in this pass; the later one counts. */
  duplicates: number
}

interface Place {
  connectionId: number
  /** Which pass through the resource this is. */
  pass: number
}

type Table = 'erp_contacts' | 'erp_documents' | 'erp_items'
const TABLE: Readonly<Record<NeutralRecord['record'], Table>> = {
  contact: 'erp_contacts',
  document: 'erp_documents',
  item: 'erp_items',
}

interface Identity {
  connectionId: number
  kind: string
  externalId: string
}

const known = Object.fromEntries(
  Object.values(TABLE).map((table) => [
    table,
    prepare((db, p: Identity) =>
      db
        .selectFrom(table)
        .select(['id', 'content_hash', 'seen_pass', 'missing_since'])
        .where('connection_id', '=', p.connectionId)
        .where('external_kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    ),
  ]),
)

const seen = Object.fromEntries(
  Object.values(TABLE).map((table) => [
    table,
    prepare((db, p: { id: number; pass: number }) =>
      db.updateTable(table).set({ seen_pass: p.pass, missing_since: null }).where('id', '=', p.id),
    ),
  ]),
)

const flag = (value: boolean | null): number => (value ? 1 : 0)

function contactColumns(record: NeutralContact) {
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

const taxIdOfParty = prepare((db, p: { connectionId: number; externalId: string }) =>
  db
    .selectFrom('erp_contacts')
    .select('tax_id')
    .where('connection_id', '=', p.connectionId)
    .where('external_id', '=', p.externalId)
    .where('tax_id', 'is not', null)
    .limit(1),
)

/** Many systems keep the tax number on the contact alone: contacts are read first, so it is known by now. */
async function partyTaxId(tx: Ctx, connectionId: number, { party }: NeutralDocument): Promise<string | null> {
  if (party.taxId !== null || party.externalId === null) return party.taxId
  return (await taxIdOfParty.first(tx.db, { connectionId, externalId: party.externalId }))?.tax_id ?? null
}

const renumberParty = prepare((db, p: { connectionId: number; externalId: string; taxId: string | null }) =>
  db
    .updateTable('erp_documents')
    .set({ party_tax_id: p.taxId })
    .where('connection_id', '=', p.connectionId)
    .where('party_external_id', '=', p.externalId)
    .where(sql<SqlBool>`json_extract(record, '$.party.taxId') is null`),
)

function documentColumns(record: NeutralDocument, taxId: string | null) {
  const number = record.side === 'received' ? (record.supplierNumber ?? record.number) : record.number
  return {
    side: record.side,
    doc_kind: record.docKind,
    number,
    number_key: supplierNumberKey(number),
    list_date: record.issueDate ?? NO_DAY,
    due_date: record.dueDate,
    party_external_id: record.party.externalId,
    party_name: record.party.name,
    party_tax_id: taxId,
    currency: record.currency,
    total_cents: record.totalCents,
    pending_cents: record.pendingCents,
    eur_net_cents: record.eur?.netCents ?? null,
    eur_tax_cents: record.eur?.taxCents ?? null,
    eur_total_cents: record.eur?.totalCents ?? null,
    state: record.state,
    payment_state: record.paymentState,
    amount_check: record.amountCheck,
    search: searchText(`${number ?? ''} ${record.party.name} ${taxId ?? ''}`),
  }
}

function itemColumns(record: NeutralItem) {
  return {
    name: record.name,
    sku: record.sku,
    archived: flag(record.archived),
    search: searchText(`${record.name} ${record.sku ?? ''} ${record.barcode ?? ''}`),
  }
}

const clearTaxes = prepare((db, p: { id: number }) =>
  db.deleteFrom('erp_document_taxes').where('document_id', '=', p.id),
)
const addTax = prepare((db, p: { id: number; vatBp: number; base: number; tax: number }) =>
  db
    .insertInto('erp_document_taxes')
    .values({ document_id: p.id, vat_bp: p.vatBp, base_cents: p.base, tax_cents: p.tax }),
)

/**
 * Bases and VAT by rate in euros, as far as the lines tell; they add up to the document, whose own sums count. Shares are
 * given to the largest rate last, so that no cent is lost.
 */
export function taxesByRate(record: NeutralDocument): { vatBp: number; base: number; tax: number }[] {
  const { eur, lines, netCents, warnings } = record
  if (eur === null) return []
  const bases = new Map<number, number>()
  const usable = !warnings.includes('lines_unreconciled') && lines.every(({ vatBp }) => vatBp !== null)
  if (usable) for (const { vatBp, netCents: net } of lines) bases.set(vatBp!, (bases.get(vatBp!) ?? 0) + net)
  const rates = [...bases].filter(([, base]) => base !== 0)
  if (rates.length === 0) return [{ vatBp: -1, base: eur.netCents, tax: eur.taxCents }]
  const weight = rates.reduce((sum, [rate, base]) => sum + rate * base, 0)
  // Without tax at any rate that could have made it, the lines say nothing.
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

async function saveTaxes(tx: Ctx, id: number, record: NeutralDocument): Promise<void> {
  await clearTaxes.run(tx.db, { id })
  if (record.side === 'issued' || record.state !== 'approved') return
  for (const part of taxesByRate(record)) await addTax.run(tx.db, { id, ...part })
}

const PREFIX = { contact: 'eco', document: 'edo', item: 'eit' } as const

type Writing = PreparedQuery<object, { id: number }>
const writings = new Map<string, Writing>()

/**
 * Adds or changes a row. The columns of a table are always the same ones, so each is prepared once: composing the text for
 * every one of fifty thousand rows would cost more than writing them.
 */
function writing(how: 'add' | 'change', table: Table, columns: readonly string[]): Writing {
  const name = `${how} ${table}`
  const known = writings.get(name)
  if (known) return known
  const made: Writing = prepare((db, p: Record<string, never>) => {
    const values = Object.fromEntries(columns.map((column) => [column, p[column]]))
    return how === 'add'
      ? db
          .insertInto(table)
          .values(values as never)
          .returning('id')
      : db
          .updateTable(table)
          .set(values as never)
          .where('id', '=', p.id as never)
          .returning('id')
  })
  writings.set(name, made)
  return made
}

/** Writes one record. */
async function takeOne(tx: Ctx, place: Place, record: NeutralRecord): Promise<keyof Taken> {
  const table = TABLE[record.record]
  const { connectionId, pass } = place
  const { externalKind: kind, externalId } = record
  const text = canonicalJson(record)
  const hash = Buffer.from(sha256Hex(text), 'hex')
  const row = await known[table]!.first(tx.db, { connectionId, kind, externalId })
  const isSame = row !== undefined && hash.equals(row.content_hash)
  const isDuplicate = row?.seen_pass === pass
  if (row && isSame) {
    if (!isDuplicate || row.missing_since !== null) await seen[table]!.run(tx.db, { id: row.id, pass })
    return isDuplicate ? 'duplicates' : 'unchanged'
  }
  const now = tx.now().getTime()
  const head = { content_hash: hash, record: text, changed_at: now, seen_pass: pass, missing_since: null }
  const birth = {
    connection_id: connectionId,
    external_kind: kind,
    external_id: externalId,
    first_seen_at: now,
  }
  const columns =
    record.record === 'contact'
      ? contactColumns(record)
      : record.record === 'item'
        ? itemColumns(record)
        : documentColumns(record, await partyTaxId(tx, connectionId, record))
  const values = { ...head, ...columns }
  let id = row?.id ?? 0
  if (row) await writing('change', table, Object.keys(values)).run(tx.db, { ...values, id })
  else {
    const whole = { ...birth, ...values, public_id: tx.newId(PREFIX[record.record]) }
    id = (await writing('add', table, Object.keys(whole)).first(tx.db, whole))?.id ?? 0
  }
  if (record.record === 'contact')
    await renumberParty.run(tx.db, { connectionId, externalId, taxId: record.taxId })
  else if (record.record === 'document') await saveTaxes(tx, id, record)
  if (isDuplicate) return 'duplicates'
  return row ? 'updated' : 'created'
}

/** Writes a page's records and counts what became of them. */
export async function takeRecords(tx: Ctx, place: Place, records: readonly NeutralRecord[]): Promise<Taken> {
  const taken: Taken = { created: 0, updated: 0, unchanged: 0, duplicates: 0 }
  for (const [index, record] of records.entries()) {
    // A large page must not keep the window waiting; other writers wait for the transaction's end anyway.
    if (index > 0 && index % BREATH === 0) await new Promise((resolve) => setImmediate(resolve))
    taken[await takeOne(tx, place, record)] += 1
  }
  return taken
}

/** Notes records as seen of which nothing more is known than that they are there. */
export async function notePresent(
  tx: Ctx,
  place: Place,
  table: Table,
  present: readonly { externalKind: string; externalId: string }[],
): Promise<void> {
  const { connectionId, pass } = place
  for (const { externalKind: kind, externalId } of present) {
    const row = await known[table]!.first(tx.db, { connectionId, kind, externalId })
    if (row && (row.seen_pass !== pass || row.missing_since !== null))
      await seen[table]!.run(tx.db, { id: row.id, pass })
  }
}
