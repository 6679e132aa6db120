/** Shared parts of proposals about an invoice: the invoice itself, and the facts on which they depend. */
import { eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { ActionRequest, Assessment, ProposedAction } from '../approvals/index.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { emptyAssessment, point } from './points.ts'

/** Assesses an action without its alternatives, which are assessed in the same way. */
export type CheckAction = (ctx: Ctx, asked: ActionRequest) => Promise<Assessment>

const nameOf = (row: InvoiceRow): string => row.number ?? `the draft for ${row.client_name}`

/**
 * Returns the properties of an invoice whose change requires a new decision. A draft depends on its version, because
 * any field may be edited.
 */
function factsOf(row: InvoiceRow): Assessment['facts'] {
  const facts = {
    state: row.cancelled_at === null ? row.state : 'cancelled',
    clientName: row.client_name,
    total: eurosFromCents(row.total_cents),
  }
  return row.state === 'draft'
    ? { ...facts, version: row.version }
    : { ...facts, registry: row.registry_status, due: eurosFromCents(row.due_cents ?? 0) }
}

/** Starts the assessment of an action about an invoice; returns null when none is named. */
export async function startInvoiceAssessment(
  ctx: Ctx,
  asked: ActionRequest,
  titleOf: (name: string) => string,
): Promise<{ row: InvoiceRow | null; base: Assessment }> {
  if (asked.targetId === null)
    return {
      row: null,
      base: {
        ...emptyAssessment(asked, titleOf('an invoice')),
        blockers: [point('target_missing', 'The action is about an invoice: name it in targetId.')],
      },
    }
  const row = await resolveInvoice(ctx, asked.targetId)
  return {
    row,
    base: {
      ...emptyAssessment({ ...asked, targetId: row.public_id }, titleOf(nameOf(row))),
      invoice: {
        id: row.public_id,
        number: row.number,
        clientName: row.client_name,
        total: eurosFromCents(row.total_cents),
      },
      facts: factsOf(row),
      impact: { base: eurosFromCents(row.base_cents), tax: eurosFromCents(row.tax_cents) },
    },
  }
}

/** Returns another action on the same invoice, when it can be done. */
export async function alternativeAction(
  ctx: Ctx,
  judge: CheckAction,
  action: Extract<ProposedAction, 'correct_invoice' | 'issue_invoice'>,
  row: InvoiceRow,
  why: string,
): Promise<Assessment['alternatives']> {
  const { blockers } = await judge(ctx, { action, targetId: row.public_id, period: null, params: {} })
  return blockers.length > 0 ? [] : [{ action, targetId: row.public_id, why }]
}
