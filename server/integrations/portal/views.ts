/** Submissions as callers see them. */
import type { Dir3 } from '../../catalog/contacts/contract.ts'
import type { Ctx } from '../../context.ts'
import type { PortalSubmission } from './contract.ts'
import { cancellationsOf, statesOf } from './rows.ts'
import type { SubmissionRow } from './rows.ts'
import { mayCancel } from './states.ts'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** States of a cancellation that waits for the portal. */
const OPEN_CANCELLATIONS = ['waiting', 'sent', 'unknown']

/** Returns the printed number of an invoice and its public identifier. */
async function invoiceOf(ctx: Ctx, id: number): Promise<{ public_id: string; number: string | null }> {
  return ctx.db
    .selectFrom('invoices')
    .select(['public_id', 'number'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Returns true if a person can say what became of a submission. */
export const maySettle = ({ state, why }: Pick<SubmissionRow, 'state' | 'why'>): boolean =>
  state === 'unknown' || (state === 'refused' && why === 'duplicate')

/** Returns a submission as callers see it. */
export async function submissionView(ctx: Ctx, row: SubmissionRow): Promise<PortalSubmission> {
  const invoice = await invoiceOf(ctx, row.invoice_id)
  const states = await statesOf(ctx, row.id)
  const cancellations = await cancellationsOf(ctx, row.id)
  const codes = { processing: row.processing_code, cancellation: row.cancellation_code }
  const isAsking = cancellations.some(({ state }) => OPEN_CANCELLATIONS.includes(state))
  return {
    id: row.public_id,
    invoiceId: invoice.public_id,
    invoiceNumber: invoice.number,
    environment: row.environment,
    units: JSON.parse(row.units) as Dir3,
    state: row.state,
    isOpen: row.is_open === 1,
    registryNumber: row.registry_number,
    receivedAt: row.received_at,
    trackingCode: row.tracking_code,
    why: row.why,
    detail: row.detail,
    ...codes,
    states: states.map(({ kind, code, description, reason, seen_at }) => ({
      kind,
      code,
      description,
      reason,
      seenAt: new Date(seen_at).toISOString(),
    })),
    cancellations: cancellations.map((one) => ({
      id: one.public_id,
      reason: one.reason,
      state: one.state,
      why: one.why,
      detail: one.detail,
      requestedBy: one.requested_by,
      createdAt: new Date(one.created_at).toISOString(),
      settledAt: instant(one.settled_at),
    })),
    fileName: row.file_name,
    sha256: Buffer.from(row.sha256).toString('hex'),
    email: row.email,
    requestedBy: row.requested_by,
    createdAt: new Date(row.created_at).toISOString(),
    sentAt: instant(row.sent_at),
    settledAt: instant(row.settled_at),
    nextAttemptAt: instant(row.next_attempt_at),
    nextQueryAt: instant(row.next_query_at),
    can: {
      cancel:
        (row.state === 'waiting' && row.lease_until === null) ||
        (row.state === 'registered' && !isAsking && mayCancel(codes)),
      refresh: (row.state === 'registered' && row.next_query_at !== null) || row.state === 'waiting',
      settle: maySettle(row),
    },
  }
}
