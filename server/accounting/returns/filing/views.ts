/** Sendings as callers see them. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { filesOf } from '../../../platform/attachments/index.ts'
import type { ModelNumber } from '../contract.ts'
import type { Sending } from './contract.ts'
import type { SendingRow } from './rows.ts'

/** Owner of the receipts among the attachments. */
export const SENDING_TARGET = 'filing'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Returns a sending as callers see it. */
export async function sendingView(ctx: Ctx, row: SendingRow): Promise<Sending> {
  const [why = null, ...detail] = row.why?.split(': ') ?? []
  const documents = await filesOf(ctx, { type: SENDING_TARGET, id: row.id })
  return {
    id: row.public_id,
    model: row.model as ModelNumber,
    year: row.year,
    period: row.period,
    nature: row.nature,
    kind: row.kind === '' ? null : (row.kind as Sending['kind']),
    result: eurosFromCents(row.result_cents),
    state: row.state,
    why,
    detail: detail.length > 0 ? detail.join(': ') : null,
    errors: JSON.parse(row.answer) as string[],
    csv: row.csv,
    receipt: row.receipt,
    registerNumber: row.register_number,
    presentedAt: row.presented_at,
    hasDocument: documents.length > 0,
    approvedBy: row.approved_by,
    createdAt: new Date(row.created_at).toISOString(),
    settledAt: instant(row.settled_at),
  }
}
