/** Lists the records of the chain, newest first. */
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { listRecordsContract } from '../contract.ts'
import type { UseCase } from '../../context.ts'
import { recordIdOf } from '../chain/append.ts'
import { nextSendAt } from '../queue/flow.ts'
import { findFlow, inStatus, needsAction, isUnsettled } from '../queue/rows.ts'
import { systemOf } from '../systems/index.ts'
import { actionFor } from './registrations.ts'
import { hexOf } from '../chain/rows.ts'

type Listed = ContractOutput<typeof listRecordsContract>

const DEFAULT_RECORDS = 50

const iso = (at: number) => new Date(at).toISOString()

/** Returns the records of the chain, newest first. */
export const listRecords: UseCase<typeof listRecordsContract> = async (ctx, input) => {
  const limit = input.limit ?? DEFAULT_RECORDS
  let query = ctx.db
    .selectFrom('registry_records')
    .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.turn',
      'registry_records.hash',
      'registry_records.generated_at',
      'registry_submissions.status',
      'registry_submissions.answered_at',
      'registry_submissions.csv',
      'registry_submissions.authority_code',
      'registry_submissions.message',
      'registry_submissions.conflict',
      'registry_submissions.closed',
      'invoices.public_id',
      'invoices.number',
    ])
    .where('registry_records.book_id', '=', ctx.book.id)
  if (input.before !== undefined) query = query.where('registry_records.sequence', '<', input.before)
  if (input.status) query = query.where(inStatus(input.status))
  if (input.attention) query = query.where(needsAction())
  const rows = await query
    .orderBy('registry_records.sequence', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const nextAt = nextSendAt(await findFlow(ctx), 1, ctx.now().getTime(), systemOf(ctx.book).wire.maxRecords)
  return {
    items: shown.map((row) => ({
      recordId: recordIdOf(row.sequence),
      sequence: row.sequence,
      kind: row.kind,
      turn: row.turn as Listed['items'][number]['turn'],
      invoiceId: row.public_id,
      number: row.number ?? '',
      status: row.status,
      generatedAt: iso(row.generated_at),
      answeredAt: row.answered_at === null ? null : iso(row.answered_at),
      hash: hexOf(row.hash),
      csv: row.csv,
      authorityCode: row.authority_code,
      message: row.message,
      nextAttemptAt: isUnsettled(row.status) && nextAt !== null ? iso(nextAt) : null,
      conflict: row.conflict === 1,
      closed: row.closed === 1,
      action: actionFor(ctx, row),
    })),
    next: rows.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
  }
}
