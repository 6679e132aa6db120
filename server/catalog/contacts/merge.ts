/**
 * Merges two entries of one contact, and separates them again. Issued documents keep their text: only references
 * move.
 */
import { elementsOf, jsonNumber } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { foldedColumns } from './change.ts'
import type { MERGE_FIELDS, mergeContactsContract, undoMergeContract } from './contract.ts'
import { contactView } from './list.ts'
import { findContact, findContactByRow } from './rows.ts'
import type { ContactRecord } from './rows.ts'

type MergeField = (typeof MERGE_FIELDS)[number]
type Column = keyof ContactRecord
type Value = string | number | null

/** Columns that belong together: an address made of two halves would be wrong. */
const COLUMNS: Record<MergeField, readonly Column[]> = {
  name: ['name'],
  tradeName: ['trade_name'],
  nif: ['nif', 'nif_written', 'id_type', 'kind', 'is_business'],
  address: ['street', 'postal_code', 'city', 'province', 'country'],
  email: ['email'],
  phone: ['phone'],
  iban: ['iban'],
  paymentMethod: ['payment_method'],
  paymentDays: ['payment_days'],
  paymentTerms: ['payment_terms'],
  withholdingPct: ['withholding_bp'],
  surcharge: ['surcharge'],
  vatDefault: ['tax_treatment', 'cause'],
  dir3: ['dir3_office', 'dir3_body', 'dir3_unit', 'dir3_proposing'],
  language: ['language'],
  notes: ['notes'],
}

/** Rows that refer to a contact. */
interface Link {
  table: string
  keys: readonly string[]
  called: string
  /** Which rows move; without it all. */
  only?: (to: number) => RawBuilder<unknown>
}

const LINKS: readonly Link[] = [
  { table: 'invoices', keys: ['id'], called: 'invoices' },
  { table: 'quotes', keys: ['id'], called: 'quotes' },
  { table: 'recurrences', keys: ['id'], called: 'recurrences' },
  { table: 'received_invoices', keys: ['id'], called: 'received' },
  { table: 'payments', keys: ['id'], called: 'payments' },
  { table: 'mandates', keys: ['id'], called: 'mandates' },
  { table: 'reminders', keys: ['id'], called: 'reminders' },
  { table: 'bank_parts', keys: ['transaction_id', 'position'], called: 'bankParts' },
  { table: 'bank_rules', keys: ['id'], called: 'bankRules' },
  { table: 'journal_lines', keys: ['entry_id', 'position'], called: 'journalLines' },
  { table: 'vat_number_checks', keys: ['id'], called: 'checks' },
  { table: 'census_checks', keys: ['id'], called: 'checks' },
  { table: 'erp_contacts', keys: ['id'], called: 'erpContacts' },
  {
    table: 'hand_on_accounts',
    keys: ['id'],
    called: 'officeAccounts',
    // A contact has one account of a kind in the office's program: its own stays, and that of the other is not used.
    only: (to) => sql`and retired_at is null and code not in
      (select own.code from hand_on_accounts own where own.contact_id = ${to} and own.retired_at is null)`,
  },
]

/** Returns true if a field is empty, by its first column; switches are never empty. */
function isEmpty(row: ContactRecord, field: MergeField): boolean {
  if (field === 'surcharge') return false
  const first = COLUMNS[field][0]
  return first === undefined || row[first] === null
}

function union(one: string, other: string): string {
  const words = [...(JSON.parse(one) as string[]), ...(JSON.parse(other) as string[])]
  const byFold = new Map(words.toReversed().map((word) => [word.toLowerCase(), word]))
  return JSON.stringify([...byFold.values()].toReversed().slice(0, 20))
}

/** Returns the columns that change on the contact that stays. */
function changesOf(
  kept: ContactRecord,
  other: ContactRecord,
  take: ReadonlySet<MergeField>,
): Partial<Record<Column, Value>> {
  const after: Partial<Record<Column, Value>> = {
    tags: union(kept.tags, other.tags),
    external_refs: union(kept.external_refs, other.external_refs),
    metadata: JSON.stringify({
      ...(JSON.parse(other.metadata) as object),
      ...(JSON.parse(kept.metadata) as object),
    }),
    is_customer: Math.max(kept.is_customer, other.is_customer),
    is_supplier: Math.max(kept.is_supplier, other.is_supplier),
    used_at: kept.used_at === null ? other.used_at : Math.max(kept.used_at, other.used_at ?? 0),
  }
  for (const field of Object.keys(COLUMNS) as MergeField[]) {
    if (!(take.has(field) || isEmpty(kept, field)) || (isEmpty(other, field) && !take.has(field))) continue
    for (const column of COLUMNS[field]) after[column] = other[column]
  }
  // A name is never replaced by none.
  if (after.name === null) delete after.name
  Object.assign(after, foldedColumns({ ...kept, ...after } as ContactRecord))
  return Object.fromEntries(
    Object.entries(after).filter(([column, value]) => kept[column as Column] !== value),
  )
}

type Moved = Record<string, (number | number[])[]>

async function moveLinks(tx: Ctx, from: number, to: number): Promise<Moved> {
  const moved: Moved = {}
  for (const { table, keys, only } of LINKS) {
    const which = only?.(to) ?? sql``
    const { rows } = await sql<
      Record<string, number>
    >`select ${sql.raw(keys.join(', '))} from ${sql.table(table)}
      where contact_id = ${from} ${which}`.execute(tx.db)
    if (rows.length === 0) continue
    moved[table] = rows.map((row) =>
      keys.length === 1 ? (row[keys[0] ?? ''] ?? 0) : keys.map((key) => row[key] ?? 0),
    )
    await sql`update ${sql.table(table)} set contact_id = ${to}
      where contact_id = ${from} ${which}`.execute(tx.db)
  }
  return moved
}

/** Moves references back that still lead to the contact that stayed. */
async function moveBack(tx: Ctx, moved: Moved, kept: number, restored: number): Promise<void> {
  for (const { table, keys } of LINKS) {
    const rows = moved[table]
    if (!rows) continue
    const value = sql.ref('each.value')
    const match = keys.map((key, index) => {
      const number = keys.length === 1 ? sql`cast(${value} as bigint)` : jsonNumber(value, index)
      return sql`${sql.ref(`t.${key}`)} = ${number}`
    })
    await sql`update ${sql.table(table)} as t set contact_id = ${restored}
      where contact_id = ${kept}
        and exists (select 1 from ${elementsOf(JSON.stringify(rows))} where ${sql.join(match, sql` and `)})`.execute(
      tx.db,
    )
  }
}

async function setColumns(
  tx: Ctx,
  row: ContactRecord,
  columns: Partial<Record<Column, Value>>,
): Promise<void> {
  await tx.db
    .updateTable('contacts')
    .set({ ...columns, version: row.version + 1, updated_at: tx.now().getTime() } as Partial<ContactRecord>)
    .where('id', '=', row.id)
    .execute()
}

/** Merges two contacts in one transaction. */
export const mergeContacts: UseCase<typeof mergeContactsContract> = (ctx, { id, otherId, take = [] }) =>
  ctx.transaction(async (tx) => {
    const kept = orNotFound(await findContact(tx, id))
    const other = orNotFound(await findContact(tx, otherId))
    if (kept.id === other.id)
      throw validationFailed([
        {
          code: 'merge_same',
          field: 'otherId',
          severity: 'error',
          message: 'Both are the same contact.',
          fix: 'Name two different ones.',
        },
      ])
    const after = changesOf(kept, other, new Set(take))
    const before = Object.fromEntries(Object.keys(after).map((column) => [column, kept[column as Column]]))
    const moved = await moveLinks(tx, other.id, kept.id)
    await setColumns(tx, kept, after)
    await setColumns(tx, other, { merged_into: kept.id })
    const mergeId = tx.newId('mrg')
    await tx.db
      .insertInto('contact_merges')
      .values({
        book_id: tx.book.id,
        public_id: mergeId,
        kept_id: kept.id,
        merged_id: other.id,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        moved: JSON.stringify(moved),
        merged_at: tx.now().getTime(),
      })
      .execute()
    await recordAudit(tx, {
      action: 'contact.merged',
      target: { type: 'contact', id: kept.public_id, label: `${other.name} → ${kept.name}` },
    })
    await emitEvent(tx, 'contact.changed', { contactId: kept.public_id })
    const counts: Record<string, number> = {}
    for (const { table, called } of LINKS) {
      const count = moved[table]?.length ?? 0
      if (count > 0) counts[called] = (counts[called] ?? 0) + count
    }
    return { contact: contactView(orNotFound(await findContact(tx, kept.public_id))), mergeId, moved: counts }
  })

/** Undoes a merge. Fields that a person has changed since keep their current values. */
export const undoMerge: UseCase<typeof undoMergeContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const merge = orNotFound(
      await tx.db
        .selectFrom('contact_merges')
        .selectAll()
        .where('book_id', '=', tx.book.id)
        .where('public_id', '=', id)
        .executeTakeFirst(),
    )
    const kept = orNotFound(await findContactByRow(tx, merge.kept_id))
    const other = orNotFound(await findContactByRow(tx, merge.merged_id))
    if (merge.undone_at !== null || kept.merged_into !== null || other.merged_into !== kept.id)
      throw new AppError('merge_superseded', { details: { mergeId: id } })
    await moveBack(tx, JSON.parse(merge.moved) as Moved, kept.id, other.id)
    const before = JSON.parse(merge.before) as Partial<Record<Column, Value>>
    const after = JSON.parse(merge.after) as Partial<Record<Column, Value>>
    const columns = Object.fromEntries(
      Object.entries(before).filter(([column]) => kept[column as Column] === after[column as Column]),
    )
    await setColumns(tx, kept, {
      ...columns,
      ...foldedColumns({ ...kept, ...columns } as ContactRecord),
    })
    await setColumns(tx, other, { merged_into: null })
    await tx.db
      .updateTable('contact_merges')
      .set({ undone_at: tx.now().getTime() })
      .where('id', '=', merge.id)
      .execute()
    await recordAudit(tx, {
      action: 'contact.merge_undone',
      target: { type: 'contact', id: kept.public_id, label: `${other.name} ↔ ${kept.name}` },
    })
    await emitEvent(tx, 'contact.changed', { contactId: kept.public_id })
    return {
      kept: contactView(orNotFound(await findContactByRow(tx, kept.id))),
      restored: contactView(orNotFound(await findContactByRow(tx, other.id))),
    }
  })
