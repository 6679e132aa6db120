/**
 * Erases a person within the legal retention: the data shown before are erased in one transaction, and the contact is
 * blocked or deleted. Data held by the chain, the ledger and the audit log are never touched. The store overwrites
 * deleted data (secure_delete), and the write-ahead log is truncated after the commit, so that the bytes are gone
 * from the files too.
 */
import { sql } from 'kysely'
import { forgetCalls } from '../assistants/index.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { removeContent } from '../../platform/contents/index.ts'
import { eraseElsewhere } from './accounting.ts'
import { emptyAnswers } from './answers.ts'
import { emptyTrash } from '../../platform/trash/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { foldedColumns } from '../../catalog/contacts/index.ts'
import type { ContactRecord } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { isPointerSized } from '../../db/engine-sql.ts'
import type { Content } from '../../db/outside/objects.ts'
import { eraseIncoming } from '../../purchases/incoming/index.ts'
import { purgeSecret } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { deleteDraft } from '../../sales/invoices/index.ts'
import type { Area, erasePersonContract } from './contract.ts'
import { eraseAgreements } from './exchanged.ts'
import { eraseIssuers } from './issuers.ts'
import { personOf } from './person.ts'
import { listed } from './rows.ts'
import { standingOf } from './standing.ts'
import type { Standing } from './standing.ts'

type Keys = readonly (number | string)[]

async function removeFrom(tx: Ctx, table: string, keys: Keys): Promise<void> {
  await sql`delete from ${sql.table(table)} where id in ${listed(keys)}`.execute(tx.db)
}

async function eraseDrafts(tx: Ctx, ids: Keys): Promise<void> {
  for (const id of ids) await deleteDraft(tx, { id: String(id) })
}

async function eraseQuotes(tx: Ctx, keys: Keys): Promise<void> {
  await sql`delete from quote_conversions where quote_id in ${listed(keys)}`.execute(tx.db)
  await removeFrom(tx, 'quotes', keys)
}

async function eraseMandates(tx: Ctx, keys: Keys): Promise<void> {
  await sql`update remittance_items set mandate_id = null where mandate_id in ${listed(keys)}`.execute(tx.db)
  await removeFrom(tx, 'mandates', keys)
}

/**
 * Empties mails; the fact that one was sent stays, and an unsent one is cancelled. Returns the attachments that rows
 * only pointed to.
 */
async function emptyMails(tx: Ctx, keys: Keys): Promise<Content[]> {
  const at = tx.now().getTime()
  await sql`update mails set emptied_at = ${at}, recipients = '[]', copies = '[]', blind_copy = null, subject = '', body = '',
    consequence = null, refused = '[]', reason = null, detail = null,
    state = case when state in ('queued', 'failed', 'unknown') then 'discarded' else state end,
    settled_at = case when state in ('queued', 'failed', 'unknown') then ${at} else settled_at end,
    next_attempt_at = null where id in ${listed(keys)}`.execute(tx.db)
  const { rows: pointers } = await sql<Content>`select bytes as cell, sha256 from mail_attachments
    where ${isPointerSized(sql.ref('bytes'))} and mail_id in ${listed(keys)}`.execute(tx.db)
  await sql`delete from mail_attachments where bytes is not null and mail_id in ${listed(keys)}`.execute(
    tx.db,
  )
  return pointers
}

/** Keys of one kind of an area whose keys name a kind and a row. */
const rowsOfKind = (keys: Keys, kind: string): number[] =>
  keys.flatMap((key) => (String(key).startsWith(`${kind} `) ? [Number(String(key).split(' ')[1])] : []))

async function eraseChecks(tx: Ctx, keys: Keys): Promise<void> {
  for (const [kind, table] of [
    ['vat', 'vat_number_checks'],
    ['census', 'census_checks'],
  ] as const) {
    await removeFrom(tx, table, rowsOfKind(keys, kind))
  }
}

async function eraseNotes(tx: Ctx, keys: Keys): Promise<void> {
  const notes = rowsOfKind(keys, 'note')
  await sql`delete from note_mentions where note_id in ${listed(notes)}`.execute(tx.db)
  await removeFrom(tx, 'notes', notes)
  await removeFrom(tx, 'tasks', rowsOfKind(keys, 'task'))
}

async function eraseWages(tx: Ctx, keys: Keys): Promise<void> {
  for (const key of keys) {
    const [year, position, mention] = String(key).split(' ')
    const one = { year: Number(year), position: Number(position) }
    if (mention === undefined)
      await tx.db
        .deleteFrom('wage_recipients')
        .where('book_id', '=', tx.book.id)
        .where('year', '=', one.year)
        .where('position', '=', one.position)
        .execute()
    else await eraseMention(tx, one, mention)
  }
}

/** Takes the tax number of a spouse or representative out of the wages of somebody else. */
async function eraseMention(
  tx: Ctx,
  { year, position }: { year: number; position: number },
  mention: string,
): Promise<void> {
  const row = await tx.db
    .selectFrom('wage_recipients')
    .select('facts')
    .where('book_id', '=', tx.book.id)
    .where('year', '=', year)
    .where('position', '=', position)
    .executeTakeFirst()
  // The row itself may have been erased just before.
  if (!row?.facts) return
  const { [mention]: _erased, ...facts } = JSON.parse(row.facts) as Record<string, unknown>
  await tx.db
    .updateTable('wage_recipients')
    .set({ facts: JSON.stringify(facts) })
    .where('book_id', '=', tx.book.id)
    .where('year', '=', year)
    .where('position', '=', position)
    .execute()
}

async function erasePremises(tx: Ctx, keys: Keys): Promise<void> {
  await sql`delete from rent_bases where premises_id in ${listed(keys)}`.execute(tx.db)
  await removeFrom(tx, 'rented_premises', keys)
}

/** Takes the supplier out of fixed assets, which stay. */
async function eraseSuppliers(tx: Ctx, keys: Keys): Promise<void> {
  await sql`update assets set supplier_name = null, supplier_nif = null, supplier_id_type = null,
    supplier_country = null where id in ${listed(keys)}`.execute(tx.db)
}

/** Empties what files of a move show of their cells; their sums stay. */
async function eraseMovedFile(tx: Ctx, id: number): Promise<void> {
  const file = await tx.db
    .selectFrom('moving_files')
    .select(['recognition', 'summary'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const recognition = JSON.parse(file.recognition) as { tables?: { columns: object[] }[] }
  const tables = (recognition.tables ?? []).map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, samples: [] })),
  }))
  const summary = JSON.parse(file.summary) as object
  await tx.db
    .updateTable('moving_files')
    .set({
      recognition: JSON.stringify({ ...recognition, tables }),
      summary: JSON.stringify({ ...summary, questions: [], skippedRows: [], faults: [] }),
      // Questions are asked by the name or number of a party.
      answers: '{}',
    })
    .where('id', '=', id)
    .execute()
}

async function eraseImports(
  tx: Ctx,
  { rows, chunks, runs, moved, movedFiles }: Standing['imports'],
): Promise<void> {
  for (const { fileId, position } of moved)
    await tx.db
      .deleteFrom('moving_rows')
      .where('file_id', '=', fileId)
      .where('position', '=', position)
      .execute()
  for (const id of new Set(moved.map(({ fileId }) => fileId)))
    await tx.db
      .updateTable('moving_files')
      .set((eb) => ({
        waiting: eb
          .selectFrom('moving_rows')
          .select((rows) => rows.fn.countAll<number>().as('n'))
          .where('file_id', '=', id)
          .where('outcome', 'is', null),
      }))
      .where('id', '=', id)
      .execute()
  for (const id of movedFiles) await eraseMovedFile(tx, id)
  for (const { runId, row } of rows)
    await tx.db.deleteFrom('import_rows').where('run_id', '=', runId).where('row', '=', row).execute()
  for (const { runId, position, cells } of chunks)
    await tx.db
      .updateTable('import_chunks')
      .set({ cells })
      .where('run_id', '=', runId)
      .where('position', '=', position)
      .execute()
  for (const id of runs) {
    const { titles } = await tx.db
      .selectFrom('import_runs')
      .select('titles')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const bare = (JSON.parse(titles) as object[]).map((column) => ({ ...column, samples: [] }))
    await tx.db
      .updateTable('import_runs')
      .set({ titles: JSON.stringify(bare) })
      .where('id', '=', id)
      .execute()
  }
}

async function eraseMemory(tx: Ctx, keys: Keys): Promise<void> {
  await sql`delete from supplier_memory where book_id = ${tx.book.id} and nif in ${listed(keys)}`.execute(
    tx.db,
  )
}

async function eraseReplies(tx: Ctx, keys: Keys): Promise<void> {
  await sql`delete from idempotency_keys
    where scope || ${'\u001f'} || idempotency_key in ${listed(keys)}`.execute(tx.db)
}

/** Erases rows of an area. Returns their content outside the store, if any: it is removed after the commit. */
type Eraser = (tx: Ctx, keys: Keys, standing: Standing) => Promise<Content[] | void>

/** Eraser of each area, in an order that removes references before their targets. */
const ERASERS: readonly (readonly [Area, Eraser])[] = [
  ['drafts', eraseDrafts],
  ['quotes', eraseQuotes],
  ['recurrences', (tx, keys) => removeFrom(tx, 'recurrences', keys)],
  ['templates', (tx, keys) => removeFrom(tx, 'templates', keys)],
  ['mandates', eraseMandates],
  ['mails', emptyMails],
  ['answers', (tx, keys) => emptyAnswers(tx, keys)],
  ['reminders', (tx, keys) => removeFrom(tx, 'reminders', keys)],
  ['checks', eraseChecks],
  ['imports', (tx, _keys, { imports }) => eraseImports(tx, imports)],
  ['erp', (tx, keys) => eraseElsewhere(tx, keys)],
  ['proposals', (tx, keys) => removeFrom(tx, 'proposals', keys)],
  ['notes', eraseNotes],
  ['wages', eraseWages],
  ['premises', erasePremises],
  ['assets', eraseSuppliers],
  ['issuers', eraseIssuers],
  ['agreements', eraseAgreements],
  ['bankRules', (tx, keys) => removeFrom(tx, 'bank_rules', keys)],
  ['supplierMemory', eraseMemory],
  ['incoming', (tx, keys) => eraseIncoming(tx, keys as number[])],
  ['replies', eraseReplies],
]

/** Returns a contact reduced to name, number, and whether it is a customer or supplier. */
function bare(row: ContactRecord): Partial<ContactRecord> {
  const { name, nif } = row
  return {
    trade_name: null,
    street: null,
    postal_code: null,
    city: null,
    province: null,
    email: null,
    phone: null,
    iban: null,
    payment_method: null,
    tax_treatment: null,
    cause: null,
    dir3_office: null,
    dir3_body: null,
    dir3_unit: null,
    dir3_proposing: null,
    tags: '[]',
    external_refs: '[]',
    metadata: '{}',
    surcharge: 0,
    withholding_bp: null,
    payment_days: null,
    payment_terms: null,
    enclosed_formats: null,
    language: null,
    notes: null,
    used_at: null,
    ...foldedColumns({ name, nif, trade_name: null, email: null, phone: null }),
  }
}

async function settleContacts(
  tx: Ctx,
  contacts: readonly ContactRecord[],
  until: BusinessDate | null | undefined,
): Promise<void> {
  const rowIds = contacts.map(({ id }) => id)
  await sql`delete from contact_merges where kept_id in ${listed(rowIds)} or merged_id in ${listed(rowIds)}`.execute(
    tx.db,
  )
  await sql`delete from contacts_apart where first_id in ${listed(rowIds)} or second_id in ${listed(rowIds)}`.execute(
    tx.db,
  )
  // Merged entries are always deleted: their references moved to the first entry at the merge.
  const going =
    until === undefined
      ? rowIds
      : contacts.flatMap(({ id, merged_into: into }) => (into === null ? [] : [id]))
  await sql`update contacts set merged_into = null where id in ${listed(going)}`.execute(tx.db)
  await removeFrom(tx, 'contacts', going)
  if (until === undefined) return
  const at = tx.now().getTime()
  for (const row of contacts.filter(({ id }) => !going.includes(id)))
    await tx.db
      .updateTable('contacts')
      .set({
        ...bare(row),
        blocked_at: row.blocked_at ?? at,
        keep_until: until,
        updated_at: at,
        version: row.version + 1,
      })
      .where('id', '=', row.id)
      .execute()
  // A blocked person must not be debited under a mandate.
  await sql`update mandates set state = 'cancelled' where contact_id in ${listed(rowIds)}`.execute(tx.db)
}

/** Erases the rows of the data shown before. Returns their content outside the store with the answer. */
async function eraseRows(tx: Ctx, { subject, hash }: ContractInput<typeof erasePersonContract>) {
  const outside: Content[] = []
  const standing = await standingOf(tx, await personOf(tx, subject))
  if (standing.hash !== hash) throw new AppError('erasure_stale')
  const { person, findings, erasable, blockUntil } = standing
  for (const [area, erase] of ERASERS) {
    const keys = erasable.get(area)
    if (keys) outside.push(...((await erase(tx, keys, standing)) ?? []))
  }
  await forgetCalls(tx, person.needles)
  // Data deleted earlier, or just now, must not be restorable.
  await emptyTrash(tx)
  if (person.contacts.length > 0) await settleContacts(tx, person.contacts, blockUntil)
  const sum = (fate: 'erase' | 'keep') =>
    findings.filter((finding) => finding.fate === fate).reduce((total, { count }) => total + count, 0)
  const [erased, kept] = [sum('erase'), sum('keep')]
  // Counts only, never content, because the audit log outlives the data.
  await recordAudit(tx, {
    action: 'privacy.erased',
    target: { type: 'contact', id: person.contactIds[0] ?? 'none', label: `-${erased} =${kept}` },
  })
  await emitEvent(tx, 'contact.changed', { contactId: person.contactIds[0] ?? null })
  for (const [area, type] of [
    ['quotes', 'quote.changed'],
    ['recurrences', 'recurrence.changed'],
    ['mails', 'mail.changed'],
    ['bankRules', 'bank.changed'],
  ] as const)
    if (erasable.has(area)) await emitEvent(tx, type, {})
  return { outside, answer: { erased, kept, blockedUntil: blockUntil ?? null } }
}

/** Erases the data shown before. Throws `erasure_stale` when they have changed since. */
export const erasePerson: UseCase<typeof erasePersonContract> = async (ctx, input) => {
  const { outside, answer } = await purgeSecret(ctx, (tx) => eraseRows(tx, input))
  await removeContent(ctx, outside, { forGood: true })
  return answer
}
