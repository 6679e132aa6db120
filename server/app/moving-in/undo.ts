/** Takes a move back whole, stretch by stretch, last documents first. */
import { sql } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { removeMovedAccount } from '../../accounting/bank/index.ts'
import { assertOpenPeriod, dayText, dropEntry, removeAccountRow } from '../../accounting/ledger/index.ts'
import { removeHistoryPayment } from '../../accounting/payments/index.ts'
import { findContactByRow, isContactUnused, removeContact } from '../../catalog/contacts/index.ts'
import { filesOf, unlinkFile } from '../../platform/attachments/index.ts'
import { deleteHistoryReceived, RECEIVED_TARGET, setHistoryPayable } from '../../purchases/invoices/index.ts'
import { deleteHistoryInvoice, HISTORY_TARGET, setHistoryOpen } from '../../sales/invoices/index.ts'
import { dropHistory, lastOfRun } from '../../tax/history/index.ts'
import { dropEmptyTotals } from '../../tax/totals/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { importerOf } from '../imports/index.ts'
import { stateError } from './apply.ts'
import type { discardMoveContract, undoMoveContract } from './contract.ts'
import { takeBackAsset } from './balances/assets.ts'
import { dropFilings } from './proof/filings.ts'
import { changeRun, findRun, forgetRecord, recordsOf, STRETCH } from './rows.ts'
import type { RecordKind, RunRow } from './rows.ts'
import { moveView } from './view.ts'

/** Most documents that a refusal names. */
const SHOWN = 20

/**
 * Returns the documents of a run that something of these books refers to, with what that is. `from`: the first of them to
 * look at.
 */
async function usesOf(ctx: Ctx, run: RunRow, from: number): Promise<{ number: string; by: string }[]> {
  const paid = (column: 'invoice_id' | 'received_id') => sql`exists (select 1 from payment_allocations a
    where a.${sql.ref(column)} = h.${sql.ref(column)} and not exists (select 1 from moving_records m
      where m.run_id = h.run_id and m.kind = 'payment' and m.record_id = a.payment_id))`
  const { rows } = await sql<{ number: string; by: string }>`select u.number, u.used_by as by from (
    select h.id, coalesce(i.number, r.supplier_number, '') as number, case
      when ${paid('invoice_id')} or ${paid('received_id')} then 'payment'
      when exists (select 1 from remittance_items x where x.invoice_id = h.invoice_id)
        or exists (select 1 from remittance_items x where x.received_id = h.received_id) then 'remittance'
      when exists (select 1 from reminder_invoices x where x.invoice_id = h.invoice_id) then 'reminder'
      when exists (select 1 from invoice_references x join invoices own on own.id = x.invoice_id
        where x.target_id = h.invoice_id and own.state <> 'history') then 'invoice' end as used_by
    from history_documents h
      left join invoices i on i.id = h.invoice_id
      left join received_invoices r on r.id = h.received_id
    where h.run_id = ${run.id} and h.id >= ${from}) u
    where u.used_by is not null order by u.id limit ${SHOWN}`.execute(ctx.db)
  return rows
}

interface Noted {
  id: number
  version: number | null
}

/** Takes back what was open of a document that an earlier move took in. */
async function restoreOpen(tx: Ctx, { id, version }: Noted): Promise<void> {
  const row = await tx.db
    .selectFrom('history_documents')
    .select(['invoice_id', 'received_id'])
    .where('book_id', '=', tx.book.id)
    .where('id', '=', id)
    .executeTakeFirst()
  const change = { openCents: version ?? 0, dueDate: null }
  if (row?.invoice_id) await setHistoryOpen(tx, row.invoice_id, change)
  if (row?.received_id) await setHistoryPayable(tx, row.received_id, change)
}

/** Takes back an entry, unless it is gone. Throws `period_locked` if its day is closed. */
async function removeEntryOf(tx: Ctx, id: number): Promise<void> {
  const row = await tx.db
    .selectFrom('journal_entries')
    .select(['id', 'day'])
    .where('book_id', '=', tx.book.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return
  await assertOpenPeriod(tx, dayText(row.day))
  await dropEntry(tx, row.id)
  await emitEvent(tx, 'ledger.changed', { entryId: '' })
}

/** A contact or an item that a person changed or used since is theirs. */
const REMOVALS: Partial<Record<RecordKind, (tx: Ctx, noted: Noted) => Promise<void>>> = {
  open: restoreOpen,
  bank: (tx, { id, version }) => removeMovedAccount(tx, { rowId: id, version }),
  entry: (tx, { id }) => removeEntryOf(tx, id),
  account: async (tx, { id }) => {
    await removeAccountRow(tx, id)
  },
  item: async (tx, { id, version }) => {
    await (await importerOf('items')).undo(tx, { id, version: version ?? 0 })
  },
  contact: async (tx, { id, version }) => {
    const row = await findContactByRow(tx, id)
    const isOurs = row?.version === version && row.merged_into === null && (await isContactUnused(tx, id))
    if (isOurs) await removeContact(tx, id)
  },
}
/** Accounts after what is booked on them. */
const REMOVAL_ORDER: readonly RecordKind[] = ['open', 'bank', 'entry', 'account', 'item', 'contact']

/** Removes what a run made besides documents; returns true once nothing of it is left. */
async function removeRecords(tx: Ctx, run: RunRow): Promise<boolean> {
  for (const kind of REMOVAL_ORDER) {
    const records = await recordsOf(tx, run.id, kind, STRETCH)
    for (const { record_id: id, version } of records) {
      await REMOVALS[kind]?.(tx, { id, version })
      await forgetRecord(tx, run.id, kind, id)
    }
    if (records.length === STRETCH) return false
  }
  return true
}

/** Throws `moving_in_use` with the documents that something refers to. */
async function assertUnused(ctx: Ctx, run: RunRow, from: number): Promise<void> {
  const uses = await usesOf(ctx, run, from)
  if (uses.length > 0) throw new AppError('moving_in_use', { details: { uses } })
}

/** Takes the files off a document; those of nothing else are deleted. */
async function unlinkAll(tx: Ctx, target: { type: string; id: number }): Promise<void> {
  for (const file of await filesOf(tx, target)) await unlinkFile(tx, file.id, target)
}

/** Takes back the next stretch: payments first, then documents, then contacts. Returns how many documents. */
async function takeBack(tx: Ctx, run: RunRow): Promise<{ removed: number; isDone: boolean }> {
  // Assets refer to the documents with which they were bought.
  const assets = await recordsOf(tx, run.id, 'asset', STRETCH)
  for (const { record_id: id } of assets) {
    await takeBackAsset(tx, id)
    await forgetRecord(tx, run.id, 'asset', id)
  }
  if (assets.length > 0) return { removed: 0, isDone: false }
  const payments = await recordsOf(tx, run.id, 'payment', STRETCH)
  for (const { record_id: id } of payments) {
    await removeHistoryPayment(tx, id)
    await forgetRecord(tx, run.id, 'payment', id)
  }
  if (payments.length > 0) return { removed: 0, isDone: false }
  const documents = await lastOfRun(tx, run.id, STRETCH)
  await assertUnused(tx, run, documents.at(-1)?.id ?? 0)
  for (const row of documents) {
    await dropHistory(tx, row)
    if (row.invoiceId !== null) {
      await unlinkAll(tx, { type: HISTORY_TARGET, id: row.invoiceId })
      await deleteHistoryInvoice(tx, row.invoiceId)
    }
    if (row.receivedId !== null) {
      await unlinkAll(tx, { type: RECEIVED_TARGET, id: row.receivedId })
      await deleteHistoryReceived(tx, row.receivedId)
    }
  }
  if (documents.length > 0) return { removed: documents.length, isDone: false }
  const isDone = await removeRecords(tx, run)
  if (isDone) await dropEmptyTotals(tx)
  return { removed: 0, isDone }
}

export const undoMove: UseCase<typeof undoMoveContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    let run = await findRun(tx, id)
    if (run.state === 'undone') return { move: await moveView(tx, run) }
    if (run.state === 'draft') throw stateError(run)
    if (run.state !== 'undoing') {
      await assertUnused(tx, run, 0)
      await recordAudit(tx, {
        action: 'moving.undone',
        target: { type: 'moving', id, label: run.first_day },
      })
    }
    await dropFilings(tx, run)
    const { removed, isDone } = await takeBack(tx, run)
    // What was read goes as well: after an undo nothing of the files is left.
    if (isDone) await tx.db.deleteFrom('moving_files').where('run_id', '=', run.id).execute()
    run = await changeRun(tx, run, {
      removed: run.removed + removed,
      state: isDone ? 'undone' : 'undoing',
      ...(isDone ? { proof: '[]', documents: 0 } : {}),
      ...(isDone ? { finished_at: tx.now().getTime() } : {}),
    })
    return { move: await moveView(tx, run) }
  })

export const discardMove: UseCase<typeof discardMoveContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const run = await findRun(tx, id)
    if (run.state !== 'draft' && run.state !== 'undone') throw stateError(run)
    await tx.db.deleteFrom('moving_runs').where('id', '=', run.id).execute()
    return { deleted: true }
  })
