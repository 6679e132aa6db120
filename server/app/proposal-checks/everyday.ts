/** Checks of everyday proposals: payments, reminders, quotes, and received invoices. */
import { faultsOf } from '../../domain/contract/define-contract.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { ActionRequestOf, Assessment, Outcome, ProposedChange } from '../approvals/index.ts'
import { deleteDraft } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { payInvoice } from '../../accounting/payments/index.ts'
import { createQuote } from '../../sales/quotes/index.ts'
import { createOfDocument, enterIncoming, getIncoming } from '../../purchases/incoming/index.ts'
import { ReceivedInput } from '../../purchases/invoices/contract.ts'
import { previewReceived } from '../../purchases/invoices/index.ts'
import { startInvoiceAssessment } from './invoice.ts'
import { emptyAssessment, point, splitFaults, runCheck } from './points.ts'

/** Returns new values as changes from nothing. */
const fresh = (values: Readonly<Record<string, string | number | null | undefined>>): ProposedChange[] =>
  Object.entries(values).flatMap(([field, to]) =>
    to === undefined || to === null ? [] : [{ field, from: null, to }],
  )

function paymentOf(ctx: Ctx, { params }: ActionRequestOf<'record_payment'>, row: InvoiceRow) {
  return {
    amount: params.amount ?? eurosFromCents(row.due_cents ?? 0),
    date: params.date ?? ctx.today(),
    method: params.method ?? ('transfer' as const),
    ...(params.reference === undefined ? {} : { reference: params.reference }),
  }
}

export async function checkPayment(ctx: Ctx, asked: ActionRequestOf<'record_payment'>): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Record a payment of ${name}`)
  const outline = { ...base, impact: null }
  if (!row) return outline
  if (row.state !== 'issued' || row.is_owed !== 1)
    return { ...outline, blockers: [point('payment_nothing_due', 'Nothing is owed of this invoice.')] }
  const payment = paymentOf(ctx, asked, row)
  const due = row.due_cents ?? 0
  // Fixed now, so that accepting tomorrow applies to what was proposed today.
  const judged = {
    ...outline,
    asked: { ...asked, targetId: row.public_id, params: payment },
    changes: fresh(payment),
  }
  if ((centsFromEuros(payment.amount) ?? 0) > due)
    return {
      ...judged,
      blockers: [
        point('payment_exceeds_due', `Only ${eurosFromCents(due)} EUR are due.`, {
          amount: eurosFromCents(due),
        }),
      ],
    }
  if (payment.date > ctx.today())
    return {
      ...judged,
      blockers: [point('payment_in_future', 'The day of a payment is today at the latest.')],
    }
  const left = due - (centsFromEuros(payment.amount) ?? 0)
  return {
    ...judged,
    effects: [
      left === 0
        ? point('payment_settles', 'The invoice is paid in full.')
        : point('payment_leaves', `${eurosFromCents(left)} EUR stay due.`, { amount: eurosFromCents(left) }),
    ],
  }
}

/** Records the payment on behalf of the person who accepted it; it can be removed like any other. */
export async function acceptPayment(
  tx: Ctx,
  { targetId, params }: ActionRequestOf<'record_payment'>,
): Promise<Outcome> {
  const { amount, date, method, reference } = params
  if (targetId === null || amount === undefined || date === undefined || method === undefined)
    throw new Error('A payment that was judged has its amount, its day and its way.')
  await payInvoice(tx, {
    id: targetId,
    amount,
    date,
    method,
    ...(reference === undefined ? {} : { reference }),
  })
  return { step: 'payment', invoiceId: targetId }
}

export async function checkDiscard(ctx: Ctx, asked: ActionRequestOf<'discard_draft'>): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Discard ${name}`)
  if (!row) return base
  if (row.state !== 'draft')
    return { ...base, blockers: [point('discard_issued', 'An issued invoice is not discarded.')] }
  return {
    ...base,
    impact: null,
    effects: [point('discard_draft', 'The draft is deleted; it can be brought back for a day.')],
  }
}

/** Deletes the draft on behalf of the person who accepted it. */
export async function acceptDiscard(
  tx: Ctx,
  { targetId }: ActionRequestOf<'discard_draft'>,
): Promise<Outcome> {
  await deleteDraft(tx, { id: targetId ?? '' })
  return { step: 'discarded' }
}

export async function checkReminder(ctx: Ctx, asked: ActionRequestOf<'send_reminder'>): Promise<Assessment> {
  const { row, base } = await startInvoiceAssessment(ctx, asked, (name) => `Remind the customer of ${name}`)
  const outline = { ...base, reversible: false, impact: null }
  if (!row) return outline
  if (row.is_owed !== 1 || row.due_date === null || row.due_date >= ctx.today())
    return { ...outline, blockers: [point('reminder_not_late', 'Nothing of this invoice is overdue.')] }
  const due = eurosFromCents(row.due_cents ?? 0)
  return {
    ...outline,
    effects: [
      point('reminder_letter', `A reminder of ${due} EUR is prepared for you to send.`, { amount: due }),
    ],
  }
}

export async function checkQuote(_ctx: Ctx, asked: ActionRequestOf<'create_quote'>): Promise<Assessment> {
  const { clientName, clientNif, lines } = asked.params
  const outline = { ...emptyAssessment({ ...asked, targetId: null }, `Make a quote for ${clientName}`) }
  const base =
    lines.reduce((sum, { quantity, unitPrice }) => sum + Math.round(quantity * unitPrice * 100), 0) / 100
  return {
    ...outline,
    changes: fresh({
      clientName,
      clientNif,
      ...Object.fromEntries(
        lines.flatMap(({ description, quantity, unitPrice }, at) => [
          [`lines[${at}].description`, description],
          [`lines[${at}].quantity`, quantity],
          [`lines[${at}].unitPrice`, unitPrice],
        ]),
      ),
    }),
    effects: [point('quote_draft', `A draft of ${base} EUR before tax, for you to send.`, { amount: base })],
  }
}

/** Makes the draft; nothing is sent. */
export async function acceptQuote(tx: Ctx, { params }: ActionRequestOf<'create_quote'>): Promise<Outcome> {
  const { id } = await createQuote(tx, params)
  return { step: 'quote', quoteId: id }
}

/** Returns the values of an entry. Throws `validation_failed` for what it lacks. */
function receivedInputOf(params: ActionRequestOf<'record_received_invoice'>['params']): ReceivedInput {
  const parsed = ReceivedInput.safeParse(params)
  if (parsed.success) return parsed.data
  throw validationFailed(
    faultsOf(parsed.error).map((fault) => ({ ...fault, field: `params.${fault.field ?? ''}` })),
  )
}

export async function checkReceived(
  ctx: Ctx,
  asked: ActionRequestOf<'record_received_invoice'>,
): Promise<Assessment> {
  const document = asked.targetId === null ? null : await getIncoming(ctx, { id: asked.targetId })
  const params = receivedInputOf({ ...document?.input, ...asked.params })
  const { supplierName, supplierNif, supplierNumber, issueDate } = params
  // Fixed now, so that accepting tomorrow enters what was proposed today.
  const fixed = { ...asked, targetId: document?.id ?? null, params }
  const outline = { ...emptyAssessment(fixed, `Enter an invoice of ${supplierName}`) }
  const changes = fresh({ supplierName, supplierNif, supplierNumber, issueDate })
  if (document?.decidedAt != null)
    return {
      ...outline,
      changes,
      blockers: [point('incoming_decided', 'The document is entered or rejected already.')],
    }
  const outcome = await runCheck(() => previewReceived(ctx, params))
  if ('blockers' in outcome) return { ...outline, changes, ...outcome }
  const { total, warnings, duplicate } = outcome.answer
  const told = splitFaults(warnings)
  const unproven = (document?.doubts ?? []).filter((field) => !(field in asked.params))
  if (unproven.length > 0)
    told.warnings.push(
      point('incoming_unproven', `Nothing in the document proves: ${unproven.join(', ')}.`, {
        count: unproven.length,
      }),
    )
  return {
    ...outline,
    ...told,
    blockers: duplicate ? [point('received_duplicate', 'It stands in the books already.')] : told.blockers,
    changes: [...changes, ...fresh({ total })],
    effects: [
      point('received_entered', `An invoice of ${total} EUR is entered, to be checked.`, { amount: total }),
    ],
  }
}

/** Records the received invoice on behalf of the person who accepted it; it can be voided like any other. */
export async function acceptReceived(
  tx: Ctx,
  { targetId, params }: ActionRequestOf<'record_received_invoice'>,
): Promise<Outcome> {
  const input = receivedInputOf(params)
  if (targetId === null) return { step: 'received', receivedId: (await createOfDocument(tx, input)).id }
  const { received } = await enterIncoming(tx, { id: targetId, input })
  return { step: 'received', receivedId: received.id }
}
