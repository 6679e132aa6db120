/** Where a document of an earlier program comes from: its move, its file and rows there, and what a person attached. */
import type { HistorySource } from '../../domain/history.ts'
import { businessDateOf } from '../../domain/dates.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { attachmentView, filesOf } from '../../platform/attachments/index.ts'
import { findReceived, RECEIVED_TARGET } from '../../purchases/invoices/index.ts'
import { HISTORY_TARGET, resolveInvoice } from '../../sales/invoices/index.ts'
import type { documentOriginContract } from './contract.ts'

/** Rows of a file that an answer names. */
const SHOWN_ROWS = 20

async function historyOfRow(ctx: Ctx, column: 'invoice_id' | 'received_id', rowId: number) {
  return ctx.db
    .selectFrom('history_documents')
    .innerJoin('moving_runs', 'moving_runs.id', 'history_documents.run_id')
    .select(['history_documents.source', 'history_documents.is_counted', 'history_documents.reception'])
    .select(['history_documents.last_number', 'moving_runs.public_id', 'moving_runs.first_day'])
    .select('moving_runs.created_at')
    .where('history_documents.book_id', '=', ctx.book.id)
    .where(`history_documents.${column}`, '=', rowId)
    .executeTakeFirst()
}

/** Returns where an issued or received document of an earlier program comes from. Throws `not_found` for any other. */
export const documentOrigin: UseCase<typeof documentOriginContract> = async (ctx, { type, id }) => {
  const isIssued = type === 'invoice'
  const document = isIssued ? await resolveInvoice(ctx, id) : orNotFound(await findReceived(ctx, id))
  const row = orNotFound(await historyOfRow(ctx, isIssued ? 'invoice_id' : 'received_id', document.id))
  const { file, sheet, rows } = JSON.parse(row.source) as HistorySource
  const files = await filesOf(ctx, { type: isIssued ? HISTORY_TARGET : RECEIVED_TARGET, id: document.id })
  return {
    moveId: row.public_id,
    movedOn: businessDateOf(new Date(row.created_at)),
    firstDay: row.first_day,
    // A document that only a list of open items names stands in no file of its own.
    file: file === '' ? null : { name: file, sheet, rows: rows.slice(0, SHOWN_ROWS) },
    counts: row.is_counted === 1,
    reception: row.reception,
    lastNumber: row.last_number,
    attachments: files.map(attachmentView),
  }
}
