/** Use cases that record payments (of one invoice, of several, of any items) and remove them. */
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type {
  collectInvoicesContract,
  createPaymentContract,
  deletePaymentContract,
  payInvoiceContract,
  payReceivedContract,
  unpayInvoiceContract,
  unpayReceivedContract,
  writeOffContract,
} from './contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import { instalmentsOfInvoice, invoiceView, resolveInvoice } from '../../sales/invoices/index.ts'
import type { OpenInstalment } from '../../sales/invoices/index.ts'
import { resolveReceived } from '../../purchases/invoices/index.ts'
import { recordPaymentWithWarnings, removePayment } from './record.ts'
import type { PaymentInput, RecordedPayment } from './record.ts'
import { invoiceTarget, paymentRowId, receivedTarget, resolveTarget } from './targets.ts'
import type { Target } from './targets.ts'
import { paymentViews } from './view.ts'

type OnePayment = ContractInput<typeof payInvoiceContract>

function cents(euros: number): Cents {
  const value = centsFromEuros(euros)
  if (value === null) throw new Error('The contract lets no such amount through.')
  return value
}

function dueOf(target: Target, named: OpenInstalment | null): Cents {
  return named === null ? target.dueCents : named.openCents
}

/** Returns the named instalment of an invoice. Throws when it has no such one. */
async function namedInstalment(
  tx: Ctx,
  target: Target,
  number: number | undefined,
): Promise<OpenInstalment | null> {
  if (number === undefined) return null
  const found = target.inInstalments ? await instalmentsOfInvoice(tx, target.rowId) : []
  const named = found[number - 1]
  if (named) return named
  throw validationFailed([
    {
      code: 'instalment_unknown',
      field: 'instalment',
      severity: 'error',
      message: 'The invoice has no such instalment.',
      fix: 'Leave it out to pay the one due first.',
    },
  ])
}

/** Converts the payment of one item: up to the amount due, with the rest as an advance only when requested. */
function paymentOf(target: Target, input: OnePayment, named: OpenInstalment | null = null): PaymentInput {
  const amountCents = cents(input.amount)
  const isForeign = target.currency !== 'EUR'
  const wanted = isForeign && input.settles !== undefined ? cents(input.settles) : amountCents
  const due = dueOf(target, named)
  if (due === 0) throw new AppError('payment_exceeds_due', { field: 'amount', details: { due: 0 } })
  const over = wanted > Math.abs(due)
  if (over && input.overpayment !== 'advance')
    throw new AppError('payment_exceeds_due', {
      field: 'amount',
      details: { due: eurosFromCents(Math.abs(due)), amount: eurosFromCents(wanted) },
    })
  const settled = Math.sign(due) * Math.min(wanted, Math.abs(due))
  const usual = target.kind === 'invoice' ? 'in' : 'out'
  const against = target.kind === 'invoice' ? 'out' : 'in'
  return {
    direction: due > 0 ? usual : against,
    date: input.date,
    amountCents,
    method: input.method,
    reference: input.reference,
    account: input.account,
    contactId: target.contactId,
    allocations: [
      target.kind === 'invoice'
        ? { invoiceId: target.rowId, cents: settled, ...(named && { instalment: named.number }) }
        : { receivedId: target.rowId, cents: settled },
    ],
    rest: isForeign && input.settles !== undefined ? 'exchange' : input.overpayment,
  }
}

async function answerOf(tx: Ctx, { rowId, warnings }: RecordedPayment) {
  const [payment] = await paymentViews(tx, [rowId])
  return { ...orNotFound(payment), warnings }
}

async function settledInvoice(tx: Ctx, publicId: string) {
  const { id, number, amountDue, payment } = await invoiceView(tx, await resolveInvoice(tx, publicId))
  return { id, number, amountDue, payment }
}

/** Records the payment of one issued invoice. */
export const payInvoice: UseCase<typeof payInvoiceContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const invoice = await resolveInvoice(tx, input.id)
    const target = await invoiceTarget(tx, invoice.id)
    const named = await namedInstalment(tx, target, input.instalment)
    const recorded = await recordPaymentWithWarnings(tx, paymentOf(target, input, named))
    return { ...(await answerOf(tx, recorded)), invoice: await settledInvoice(tx, target.publicId) }
  })

/** Records the payment of one received invoice. */
export const payReceived: UseCase<typeof payReceivedContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const target = await receivedTarget(tx, (await resolveReceived(tx, input.id)).id)
    const recorded = await recordPaymentWithWarnings(tx, paymentOf(target, input))
    const after = await receivedTarget(tx, target.rowId)
    return {
      ...(await answerOf(tx, recorded)),
      received: { id: after.publicId, number: after.number, amountDue: eurosFromCents(after.dueCents) },
    }
  })

/** Records a payment that settles several items, or a set-off. */
export const createPayment: UseCase<typeof createPaymentContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const allocations = []
    for (const [index, one] of input.allocations.entries()) {
      const named = [one.invoiceId, one.receivedId, one.advanceId].filter((id) => id !== undefined)
      if (named.length !== 1)
        throw validationFailed([
          {
            code: 'wrong_shape',
            field: `allocations[${index}]`,
            severity: 'error',
            message: 'Exactly one of invoiceId, receivedId and advanceId is needed.',
          },
        ])
      allocations.push({
        ...(await resolveTarget(tx, one)),
        instalment: one.instalment,
        cents: cents(one.amount),
      })
    }
    const contactId =
      input.contactId === undefined ? undefined : orNotFound(await findContact(tx, input.contactId)).id
    const recorded = await recordPaymentWithWarnings(tx, {
      direction: input.direction,
      date: input.date,
      amountCents: cents(input.amount),
      method: input.method ?? null,
      reference: input.reference,
      account: input.account,
      contactId,
      allocations,
      rest: input.rest ?? 'refuse',
    })
    return answerOf(tx, recorded)
  })

/** Records one payment for each invoice, for its full amount due. */
export const collectInvoices: UseCase<typeof collectInvoicesContract> = (ctx, { invoiceIds, ...money }) =>
  ctx.transaction(async (tx) => {
    const paymentIds: string[] = []
    const warnings: ContractOutput<typeof collectInvoicesContract>['warnings'] = []
    let total = 0
    for (const id of new Set(invoiceIds)) {
      const target = await invoiceTarget(tx, (await resolveInvoice(tx, id)).id)
      if (target.dueCents <= 0)
        throw new AppError('invoice_settled', { field: 'invoiceIds', details: { id } })
      const recorded = await recordPaymentWithWarnings(tx, {
        direction: 'in',
        date: money.date,
        amountCents: target.dueCents,
        method: money.method,
        reference: money.reference,
        account: money.account,
        allocations: [{ invoiceId: target.rowId, cents: target.dueCents }],
      })
      total += target.dueCents
      paymentIds.push(recorded.publicId)
      warnings.push(...recorded.warnings)
    }
    return { paymentIds, total: eurosFromCents(total), warnings }
  })

/** Writes off the rest of an invoice. */
export const writeOff: UseCase<typeof writeOffContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const target = await invoiceTarget(tx, (await resolveInvoice(tx, input.id)).id)
    if (target.dueCents <= 0) throw new AppError('invoice_settled', { details: { id: target.publicId } })
    const recorded = await recordPaymentWithWarnings(tx, {
      direction: 'in',
      date: input.date,
      amountCents: 0,
      reference: input.reference,
      allocations: [{ invoiceId: target.rowId, cents: target.dueCents }],
      writesOff: true,
    })
    return { ...(await answerOf(tx, recorded)), invoice: await settledInvoice(tx, target.publicId) }
  })

/** Removes a payment. */
export const deletePaymentByPerson: UseCase<typeof deletePaymentContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const rowId = await paymentRowId(tx, id)
    await assertNotOnBank(tx, rowId)
    await removePayment(tx, rowId)
    return { deleted: true, paymentId: id }
  })

/**
 * Throws for a payment matched to a bank movement: only the bank slice removes it, otherwise the movement would lose
 * its match.
 */
async function assertNotOnBank(tx: Ctx, rowId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('payments')
    .select('bank_transaction_id')
    .where('id', '=', rowId)
    .executeTakeFirst()
  if (row && row.bank_transaction_id !== null)
    throw new AppError('payment_in_use', { details: { by: 'bank' } })
}

type Unpay = ContractInput<typeof unpayInvoiceContract>

async function unpay(
  ctx: Ctx,
  column: 'invoice_id' | 'received_id',
  rowIdOf: (tx: Ctx) => Promise<number>,
  input: Unpay,
): Promise<ContractOutput<typeof unpayInvoiceContract>> {
  return ctx.transaction(async (tx) => {
    let query = tx.db
      .selectFrom('payment_allocations')
      .innerJoin('payments', 'payments.id', 'payment_allocations.payment_id')
      .select(['payments.id', 'payments.public_id'])
      // A payment of several instalments has an allocation for each.
      .distinct()
      .where('payments.book_id', '=', tx.book.id)
      .where(`payment_allocations.${column}`, '=', await rowIdOf(tx))
    if (input.paymentId !== undefined) query = query.where('payments.public_id', '=', input.paymentId)
    if (input.date !== undefined) query = query.where('payments.date', '=', input.date)
    if (input.amount !== undefined) query = query.where('payments.amount_cents', '=', cents(input.amount))
    if (input.method !== undefined) query = query.where('payments.method', '=', input.method)
    if (input.reference !== undefined) query = query.where('payments.reference', '=', input.reference)
    const fitting = await query.orderBy('payments.id').limit(20).execute()
    if (fitting.length > 1)
      throw new AppError('payment_ambiguous', {
        field: 'paymentId',
        details: { candidates: fitting.map((row) => row.public_id) },
      })
    const only = orNotFound(fitting[0])
    await assertNotOnBank(tx, only.id)
    await removePayment(tx, only.id)
    return { deleted: true, paymentId: only.public_id }
  })
}

/** Removes a payment of an issued invoice. */
export const unpayInvoice: UseCase<typeof unpayInvoiceContract> = (ctx, input) =>
  unpay(ctx, 'invoice_id', async (tx) => (await resolveInvoice(tx, input.id)).id, input)

/** Removes a payment of a received invoice. */
export const unpayReceived: UseCase<typeof unpayReceivedContract> = (ctx, input) =>
  unpay(ctx, 'received_id', async (tx) => (await resolveReceived(tx, input.id)).id, input)
