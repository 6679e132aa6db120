/**
 * Stores a page: records by their external identity, changed only where their content changed, all in one
 * transaction.
 */
import { jsonText } from '../../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { searchText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import { supplierNumberKey } from '../../../purchases/invoices/index.ts'
import { prepare } from '../../../db/query.ts'
import type { PreparedQuery } from '../../../db/query.ts'
import type { ReadyRecord, Table, TaxPart } from './ready.ts'

/** Records written without interruption: a few milliseconds. */
const BREATH = 20

interface Taken {
  created: number
  updated: number
  unchanged: number
  /** Seen before in this pass; the later one applies. */
  duplicates: number
}

interface Place {
  connectionId: number
  /** Number of the pass through the resource. */
  pass: number
}

const TABLES = ['erp_contacts', 'erp_documents', 'erp_items'] as const satisfies readonly Table[]

interface Identity {
  connectionId: number
  kind: string
  externalId: string
}

const known = Object.fromEntries(
  TABLES.map((table) => [
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
  TABLES.map((table) => [
    table,
    prepare((db, p: { id: number; pass: number }) =>
      db.updateTable(table).set({ seen_pass: p.pass, missing_since: null }).where('id', '=', p.id),
    ),
  ]),
)

const taxIdOfParty = prepare((db, p: { connectionId: number; externalId: string }) =>
  db
    .selectFrom('erp_contacts')
    .select('tax_id')
    .where('connection_id', '=', p.connectionId)
    .where('external_id', '=', p.externalId)
    .where('tax_id', 'is not', null)
    .limit(1),
)

/**
 * Adds a party's tax number from its contact. Many systems store the number only on the contact, and contacts are
 * read first, so it is known by now.
 */
async function numberParty(tx: Ctx, connectionId: number, columns: ReadyRecord['columns']): Promise<void> {
  const { party_tax_id: taxId, party_external_id: externalId, search } = columns
  if (taxId !== null || typeof externalId !== 'string') return
  const known = (await taxIdOfParty.first(tx.db, { connectionId, externalId }))?.tax_id ?? null
  if (known === null) return
  columns.party_tax_id = known
  columns.search = `${search} ${searchText(known)}`
}

const renumberParty = prepare((db, p: { connectionId: number; externalId: string; taxId: string | null }) =>
  db
    .updateTable('erp_documents')
    .set({ party_tax_id: p.taxId })
    .where('connection_id', '=', p.connectionId)
    .where('party_external_id', '=', p.externalId)
    .where(sql<SqlBool>`${jsonText(sql.ref('record'), 'party', 'taxId')} is null`),
)

const clearTaxes = prepare((db, p: { id: number }) =>
  db.deleteFrom('erp_document_taxes').where('document_id', '=', p.id),
)
const addTax = prepare((db, p: { id: number; vatBp: number; base: number; tax: number }) =>
  db
    .insertInto('erp_document_taxes')
    .values({ document_id: p.id, vat_bp: p.vatBp, base_cents: p.base, tax_cents: p.tax }),
)

async function saveTaxes(tx: Ctx, id: number, taxes: readonly TaxPart[]): Promise<void> {
  await clearTaxes.run(tx.db, { id })
  for (const part of taxes) await addTax.run(tx.db, { id, ...part })
}

const PREFIX = { erp_contacts: 'eco', erp_documents: 'edo', erp_items: 'eit' } as const

type Writing = PreparedQuery<object, { id: number }>
const writings = new Map<string, Writing>()

/**
 * Adds or changes a row. A table always uses the same columns, so each statement is prepared once: composing its text
 * for fifty thousand rows would cost more than writing them.
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
async function takeOne(tx: Ctx, place: Place, record: ReadyRecord): Promise<keyof Taken> {
  const { connectionId, pass } = place
  const { table, externalKind: kind, externalId, hash, text, columns } = record
  const row = await known[table]!.first(tx.db, { connectionId, kind, externalId })
  const isSame = row !== undefined && Buffer.from(row.content_hash).toString('hex') === hash
  const isDuplicate = row?.seen_pass === pass
  if (row && isSame) {
    if (!isDuplicate || row.missing_since !== null) await seen[table]!.run(tx.db, { id: row.id, pass })
    return isDuplicate ? 'duplicates' : 'unchanged'
  }
  const now = tx.now().getTime()
  if (table === 'erp_documents') {
    columns.number_key = supplierNumberKey(columns.number as string | null)
    await numberParty(tx, connectionId, columns)
  }
  const values = {
    ...columns,
    content_hash: Buffer.from(hash, 'hex'),
    record: text,
    changed_at: now,
    seen_pass: pass,
    missing_since: null,
  }
  let id = row?.id ?? 0
  if (row) await writing('change', table, Object.keys(values)).run(tx.db, { ...values, id })
  else {
    const whole = {
      ...values,
      connection_id: connectionId,
      external_kind: kind,
      external_id: externalId,
      first_seen_at: now,
      public_id: tx.newId(PREFIX[table]),
    }
    id = (await writing('add', table, Object.keys(whole)).first(tx.db, whole))?.id ?? 0
  }
  if (table === 'erp_contacts')
    await renumberParty.run(tx.db, { connectionId, externalId, taxId: columns.tax_id as string | null })
  else if (table === 'erp_documents') await saveTaxes(tx, id, record.taxes)
  if (isDuplicate) return 'duplicates'
  return row ? 'updated' : 'created'
}

/** Writes a page's records and counts the outcomes. */
export async function storeRecords(tx: Ctx, place: Place, records: Iterable<ReadyRecord>): Promise<Taken> {
  const taken: Taken = { created: 0, updated: 0, unchanged: 0, duplicates: 0 }
  let written = 0
  for (const record of records) {
    // A large page must not block the window; other writers wait for the end of the transaction anyway.
    if (written > 0 && written % BREATH === 0) await new Promise((resolve) => setImmediate(resolve))
    taken[await takeOne(tx, place, record)] += 1
    written += 1
  }
  return taken
}

/** Marks records as seen of which only their existence is known. */
export async function markPresent(
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
