/** Operations by which a person steers the queue: retry now, resume after a suspension, mark as handled. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { closeRecordContract, resumeSendingContract, sendNowContract } from '../contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { sequenceOf } from '../chain/append.ts'
import { changeFlow, isUnsettled, queueCounts } from './rows.ts'
import { retryNow } from './sender.ts'

/** Retries the queue now, within the pace that the authority asked for. */
export const sendNow: UseCase<typeof sendNowContract> = async (ctx) => {
  await retryNow(ctx)
  return { pending: (await queueCounts(ctx)).pending }
}

/** Resumes sending after a suspension, once a person has spoken with the authority. */
export const resumeSending: UseCase<typeof resumeSendingContract> = async (ctx) => {
  await ctx.transaction(async (tx) => {
    await changeFlow(tx, {
      stopped: 0,
      fault_code: null,
      fault_message: null,
      failures: 0,
      next_attempt_at: 0,
    })
    await recordAudit(tx, { action: 'registry.resumed' })
    await emitEvent(tx, 'registry.changed', {})
    tx.wake('sender')
  })
  return { pending: (await queueCounts(ctx)).pending }
}

/** Marks a settled record as handled. */
export const closeRecord: UseCase<typeof closeRecordContract> = (ctx, { recordId, note }) =>
  ctx.transaction(async (tx) => {
    const record = await tx.db
      .selectFrom('registry_records')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
      .select(['registry_records.id', 'registry_submissions.status', 'invoices.public_id', 'invoices.number'])
      .where('registry_records.book_id', '=', tx.book.id)
      .where('registry_records.sequence', '=', sequenceOf(recordId))
      .executeTakeFirst()
    if (!record) throw new AppError('not_found', { field: 'recordId' })
    if (isUnsettled(record.status)) throw new AppError('record_open')
    await tx.db
      .updateTable('registry_submissions')
      .set({ closed: 1 })
      .where('record_id', '=', record.id)
      .execute()
    const label = [record.number, note].filter(Boolean).join(': ')
    await recordAudit(tx, {
      action: 'registry.record_closed',
      target: { type: 'invoice', id: record.public_id, ...(label ? { label } : {}) },
    })
    await emitEvent(tx, 'registry.changed', { invoiceId: record.public_id, recordId })
    return { closed: true as const }
  })
