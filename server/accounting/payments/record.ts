/** Records and removes payments: rows, settled items, ledger entry, audit and events, all or nothing. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import {
  instalmentsOfInvoice,
  markUncollectible,
  settleInvoice,
  spreadOverInstalments,
} from '../../sales/invoices/index.ts'
import type { InstalmentPart } from '../../sales/invoices/index.ts'
import { assertOpenPeriod, entryOfPayment, postEntry, removeEntry } from '../ledger/index.ts'
import { settleReceived } from '../../purchases/invoices/index.ts'
import type { StoredPaymentMethod } from '../../db/schema.ts'
import { cashWarning } from './cash-limit.ts'
import { payableAccount, releasedVat } from './booked.ts'
import { allocationsOf, deletePayment, findPaymentRow, insertPayment } from './rows.ts'
import { advanceTarget, advanceUsedCents, invoiceTarget, receivedTarget } from './targets.ts'
import type { Target } from './targets.ts'

/** One settled item: row ids, and euro cents with the sign of the amount due. */
export interface AllocationFacts {
  invoiceId?: number
  receivedId?: number
  /** A payment that left an advance; positive cents use it up. */
  advanceId?: number
  /** Of an invoice in instalments, which one. Default: the one due first. */
  instalment?: number | undefined
  cents: Cents
}

export interface PaymentInput {
  direction: 'in' | 'out'
  date: BusinessDate
  /** Money moved; 0 for a set-off. */
  amountCents: Cents
  /** Only when money moved. */
  method?: StoredPaymentMethod | null
  reference?: string | null | undefined
  /** Ledger account of the money; default 570 for cash, else 572. */
  account?: string | undefined
  /** Row of the contact; default that of the settled items. */
  contactId?: number | null | undefined
  allocations: readonly AllocationFacts[]
  /** Fee that the bank deducted from money received or added to money paid. */
  feeCents?: Cents
  /**
   * Treatment of money beyond the settled items: an advance (`advance`, the default), an exchange difference, or an
   * error.
   */
  rest?: 'advance' | 'exchange' | 'refuse' | undefined
  bankTransactionId?: number | null
  remittanceId?: number | null
  /** A returned debit: the payment of the invoice is open again. */
  takesBack?: boolean
  /** Writes off the invoice: no money moves, and the settled amount is a loss. */
  writesOff?: boolean
}

export interface RecordedPayment {
  rowId: number
  publicId: string
  warnings: Fault[]
}

interface Settling {
  target: Target
  cents: Cents
  /** Of an invoice in instalments: what of it settles which one. */
  parts: readonly InstalmentPart[]
}

const fault = (
  code: string,
  field: string,
  message: string,
  fix?: string,
  params?: Fault['params'],
): AppError =>
  validationFailed([
    { code, field, severity: 'error', message, ...(fix ? { fix } : {}), ...(params ? { params } : {}) },
  ])

async function targetOf(ctx: Ctx, { invoiceId, receivedId, advanceId }: AllocationFacts): Promise<Target> {
  if (invoiceId !== undefined) return invoiceTarget(ctx, invoiceId)
  if (receivedId !== undefined) return receivedTarget(ctx, receivedId)
  if (advanceId !== undefined) return advanceTarget(ctx, advanceId)
  throw new Error('An allocation names what it settles.')
}

/** Rejects an amount above what is due or with the opposite sign, which would create a debt. */
function assertWithinDue({ target, cents }: Settling, index: number, takesBack: boolean): void {
  const field = `allocations[${index}].amount`
  if (cents === 0) throw fault('zero_amount', field, 'Nothing would be settled.')
  if (takesBack && target.kind === 'invoice') {
    const paidCents = target.payableCents - target.dueCents
    if (cents < 0 && -cents <= paidCents) return
    throw new AppError('payment_exceeds_due', { field, details: { paid: eurosFromCents(paidCents) } })
  }
  const due = target.dueCents
  if (Math.sign(cents) === Math.sign(due) && Math.abs(cents) <= Math.abs(due)) return
  throw new AppError('payment_exceeds_due', {
    field,
    details: {
      id: target.publicId,
      number: target.number,
      due: eurosFromCents(due),
      amount: eurosFromCents(cents),
    },
  })
}

interface Grouped extends AllocationFacts {
  parts: InstalmentPart[]
  /** Place of the first of its allocations. */
  index: number
}

/** Puts the parts of an invoice together: it is settled once, and each of its instalments by its part. */
function byInvoice(allocations: readonly AllocationFacts[]): Grouped[] {
  const groups: Grouped[] = []
  allocations.forEach(({ instalment, ...facts }, index) => {
    const known =
      facts.invoiceId === undefined
        ? undefined
        : groups.find(({ invoiceId }) => invoiceId === facts.invoiceId)
    const group = known ?? { ...facts, cents: 0, parts: [], index }
    if (!known) groups.push(group)
    group.cents += facts.cents
    if (instalment !== undefined) group.parts.push({ instalment, cents: facts.cents })
  })
  return groups
}

/**
 * Divides what is settled of an invoice in instalments: as it is named, else the one due first. A credit that is set off
 * takes off what would be due last, since what is due now is still owed.
 */
async function partsOf(
  tx: Ctx,
  input: PaymentInput,
  { target, cents, parts }: Settling,
  index: number,
): Promise<readonly InstalmentPart[]> {
  if (!target.inInstalments || input.writesOff) return []
  const instalments = await instalmentsOfInvoice(tx, target.rowId)
  if (parts.length === 0) {
    const isCredit =
      input.amountCents === 0 && input.allocations.some((one) => one.invoiceId !== undefined && one.cents < 0)
    return spreadOverInstalments(instalments, cents, { fromLast: isCredit })
  }
  for (const part of parts) {
    const one = instalments[part.instalment - 1]
    const most = part.cents < 0 ? one?.paidCents : one?.openCents
    if (one === undefined)
      throw fault(
        'instalment_unknown',
        `allocations[${index}].instalment`,
        'The invoice has no such instalment.',
        'Leave it out to pay the one due first.',
      )
    if (Math.abs(part.cents) > (most ?? 0))
      throw new AppError('payment_exceeds_due', {
        field: `allocations[${index}].amount`,
        details: {
          id: target.publicId,
          number: target.number,
          instalment: part.instalment,
          due: eurosFromCents(one.openCents),
          amount: eurosFromCents(part.cents),
        },
      })
  }
  return parts
}

/** Returns what a payment settles: each invoice once, with its instalments. Throws when something is not due so. */
async function settlingOf(tx: Ctx, input: PaymentInput): Promise<Settling[]> {
  const settled: Settling[] = []
  for (const { index, parts, cents, ...facts } of byInvoice(input.allocations)) {
    const target = await targetOf(tx, { ...facts, cents })
    if (parts.length > 0 && !target.inInstalments)
      throw fault(
        'instalment_unknown',
        `allocations[${index}].instalment`,
        'The invoice has no such instalment.',
        'Leave it out.',
      )
    const one = { target, cents, parts }
    assertWithinDue(one, index, input.takesBack === true)
    settled.push({ ...one, parts: await partsOf(tx, input, one, index) })
  }
  return settled
}

/** Returns the effect of a settled item in cents: positive reduces a customer's debt, negative reduces ours. */
function effectOf({ target, cents }: Settling): Cents {
  if (target.kind === 'invoice') return cents
  if (target.kind === 'received') return -cents
  return target.direction === 'in' ? -cents : cents
}

/** Returns the contact shared by all settled items, else null. */
function contactOf(input: PaymentInput, settled: readonly Settling[]): number | null {
  if (input.contactId !== undefined) return input.contactId
  const contacts = new Set(settled.map(({ target }) => target.contactId))
  const [only] = contacts
  return contacts.size === 1 ? (only ?? null) : null
}

function warningsOf(input: PaymentInput, settled: readonly Settling[]): Fault[] {
  const warnings: Fault[] = []
  settled.forEach(({ target }, index) => {
    if (target.kind === 'advance') return
    if (input.date < target.date && input.amountCents > 0)
      warnings.push({
        code: 'payment_before_issue',
        field: 'date',
        severity: 'warning',
        message: 'The payment is dated before the invoice.',
        fix: 'Check the date; money that came before it is an advance, which needs its own invoice.',
        params: { number: target.number ?? target.publicId },
      })
    if (input.method !== 'cash') return
    const warning = cashWarning({
      date: input.date,
      operationCents: target.payableCents,
      payerNif: target.kind === 'invoice' ? target.nif : null,
      payerCountry: 'ES',
    })
    if (warning) warnings.push({ ...warning, field: index === 0 ? 'method' : `allocations[${index}]` })
  })
  return warnings
}

function assertShape(ctx: Ctx, input: PaymentInput): void {
  if (input.date > ctx.today())
    throw fault(
      'date_in_future',
      'date',
      'A payment cannot be dated in the future.',
      'Record it on the day it happens.',
    )
  if (input.amountCents > 0 && !input.method) throw fault('required', 'method', 'This field is required.')
  if (input.amountCents === 0 && input.allocations.length === 0)
    throw fault('payment_empty', 'allocations', 'No money moved and nothing is settled.')
  const seen = new Set<string>()
  input.allocations.forEach(({ invoiceId, receivedId, advanceId, instalment = 0 }, index) => {
    const key = `${invoiceId ?? ''}/${receivedId ?? ''}/${advanceId ?? ''}`
    const isNamed = instalment > 0 && !seen.has(`${key}#0`)
    if (seen.has(`${key}#${instalment}`) || (seen.has(key) && !isNamed))
      throw fault(
        'repeated',
        `allocations[${index}]`,
        'It is named twice.',
        'Give it once, with the whole amount.',
      )
    seen.add(key)
    seen.add(`${key}#${instalment}`)
  })
}

/** Splits the money that is not settled. Throws when money is missing, or when the excess has no treatment. */
function restOf(
  input: PaymentInput,
  settled: readonly Settling[],
  contactId: number | null,
): { advanceCents: Cents; exchangeCents: Cents } {
  const sign = input.direction === 'in' ? 1 : -1
  const effect = settled.reduce((sum, one) => sum + effectOf(one), 0)
  // In the direction of the money: the settled items, with the bank's fee on the matching side.
  const settledCents =
    sign * effect + (input.direction === 'out' ? (input.feeCents ?? 0) : -(input.feeCents ?? 0))
  const restCents = input.amountCents - settledCents
  if (restCents === 0) return { advanceCents: 0, exchangeCents: 0 }
  const params = { amount: eurosFromCents(input.amountCents), settled: eurosFromCents(settledCents) }
  if (input.rest === 'exchange') {
    if (settled.some(({ target }) => target.currency !== 'EUR'))
      return { advanceCents: 0, exchangeCents: sign * restCents }
    throw fault('no_currency', 'rest', 'Everything settled is in euros: there is no difference of exchange.')
  }
  if (restCents < 0)
    throw fault(
      'payment_not_balanced',
      'amount',
      'What is settled is more than the money.',
      'Lower the amounts settled, or raise the amount.',
      params,
    )
  if (input.rest === 'refuse')
    throw fault(
      'payment_not_balanced',
      'amount',
      'Money is left that settles nothing.',
      'Send rest: "advance" to keep it on account of the contact, or settle more.',
      params,
    )
  if (input.amountCents === 0)
    throw fault('payment_not_balanced', 'amount', 'A set-off leaves nothing over.', undefined, params)
  if (contactId === null)
    throw fault(
      'advance_without_contact',
      'contactId',
      'Money on account needs to be of somebody.',
      'Name the contact, or settle what is due exactly.',
    )
  return { advanceCents: restCents, exchangeCents: 0 }
}

function moneyAccount(input: PaymentInput): string | null {
  if (input.amountCents === 0) return null
  return input.account ?? (input.method === 'cash' ? '570' : '572')
}

async function book(
  tx: Ctx,
  rowId: number,
  input: PaymentInput,
  settled: readonly Settling[],
  facts: { account: string | null; contactId: number | null; advanceCents: Cents; exchangeCents: Cents },
): Promise<void> {
  const sign = input.direction === 'in' ? 1 : -1
  const lines = []
  const released = []
  for (const one of settled) {
    const { target } = one
    const account =
      target.kind === 'received'
        ? await payableAccount(tx, target.rowId)
        : target.kind === 'advance'
          ? target.direction === 'in'
            ? '438'
            : '407'
          : '430'
    lines.push({ kind: target.kind, cents: sign * effectOf(one), contactId: target.contactId, account })
    if (target.kind !== 'advance' && !input.writesOff)
      released.push(...(await releasedVat(tx, target, one.cents)))
  }
  if (facts.advanceCents > 0)
    lines.push({ kind: 'advance' as const, cents: facts.advanceCents, contactId: facts.contactId })
  const writtenOffCents = input.writesOff ? settled.reduce((sum, { cents }) => sum + cents, 0) : 0
  await postEntry(tx, {
    date: input.date,
    source: { type: 'payment', id: rowId },
    lines: entryOfPayment({
      date: input.date,
      direction: input.direction,
      moneyCents: input.amountCents,
      ...(facts.account === null ? {} : { moneyAccount: facts.account }),
      settled: lines,
      differences: [
        { kind: 'exchange', costCents: -facts.exchangeCents },
        { kind: 'fee', costCents: input.feeCents ?? 0 },
        { kind: 'bad_debt', costCents: writtenOffCents },
      ],
      released,
    }),
  })
}

async function settle(
  tx: Ctx,
  { target, cents, parts }: Settling,
  times: 1 | -1,
  payment: { id: number; date: BusinessDate },
): Promise<void> {
  if (target.kind === 'invoice')
    await settleInvoice(
      tx,
      target.rowId,
      times * cents,
      payment,
      parts.map((part) => ({ ...part, cents: times * part.cents })),
    )
  if (target.kind === 'received') await settleReceived(tx, target.rowId, times * cents, payment)
}

/**
 * Records a payment or a set-off with everything it settles, in the caller's transaction or its own. Amounts in
 * cents. Throws `payment_exceeds_due`, `validation_failed` (does not balance), `period_locked`, `invoice_not_issued`,
 * `invoice_cancelled`, `invoice_uncollectible`, `received_void`.
 */
export function recordPaymentWithWarnings(ctx: Ctx, input: PaymentInput): Promise<RecordedPayment> {
  return ctx.transaction(async (tx) => {
    assertShape(tx, input)
    await assertOpenPeriod(tx, input.date)
    const settled = await settlingOf(tx, input)
    const contactId = contactOf(input, settled)
    const writtenOffCents = input.writesOff ? settled.reduce((sum, { cents }) => sum + cents, 0) : 0
    const rest = input.writesOff ? { advanceCents: 0, exchangeCents: 0 } : restOf(input, settled, contactId)
    const account = moneyAccount(input)
    const publicId = tx.newId('pay')
    const rowId = await insertPayment(tx, {
      publicId,
      kind: input.writesOff ? 'write_off' : input.amountCents > 0 ? 'payment' : 'compensation',
      direction: input.direction,
      date: input.date,
      amountCents: input.amountCents,
      ...rest,
      writtenOffCents,
      feeCents: input.feeCents ?? 0,
      method: input.amountCents > 0 ? (input.method ?? null) : null,
      account,
      reference: input.reference?.trim() || null,
      contactId,
      bankTransactionId: input.bankTransactionId ?? null,
      remittanceId: input.remittanceId ?? null,
      allocations: settled.flatMap(({ target: { kind, rowId: row }, cents, parts }) =>
        (parts.length > 0 ? parts : [{ cents, instalment: 0 }]).map((part) => ({
          kind,
          rowId: row,
          ...part,
        })),
      ),
    })
    await book(tx, rowId, input, settled, { account, contactId, ...rest })
    for (const one of settled) {
      if (input.writesOff) await markUncollectible(tx, one.target.rowId, true)
      else await settle(tx, one, 1, { id: rowId, date: input.date })
    }
    await recordAudit(tx, {
      action: input.writesOff ? 'invoice.written_off' : 'payment.recorded',
      target: { type: 'payment', id: publicId, label: labelOf(settled, input.amountCents) },
    })
    await emitEvent(tx, 'payment.changed', { paymentId: publicId })
    return { rowId, publicId, warnings: warningsOf(input, settled) }
  })
}

/** Records a payment for other slices; like `recordPaymentWithWarnings`, but returns only the payment's row id. */
export async function recordPayment(ctx: Ctx, input: PaymentInput): Promise<number> {
  return (await recordPaymentWithWarnings(ctx, input)).rowId
}

function labelOf(settled: readonly Settling[], amountCents: Cents): string {
  const numbers = settled.map(({ target }) => target.number ?? target.publicId)
  const named = numbers.length > 3 ? `${numbers.slice(0, 3).join(', ')}…` : numbers.join(', ')
  return `${eurosFromCents(amountCents).toFixed(2)} EUR${named ? ` (${named})` : ''}`
}

/**
 * Removes a payment by row id: its items are open again and its entry is deleted. Throws `not_found`,
 * `period_locked`, and `payment_in_use` while its advance or its remittance depends on it.
 */
export function removePayment(
  ctx: Ctx,
  rowId: number,
  options: { ofRemittance?: boolean } = {},
): Promise<void> {
  return ctx.transaction(async (tx) => {
    const row = await findPaymentRow(tx, rowId)
    if (!row) throw new AppError('not_found')
    await assertOpenPeriod(tx, row.date)
    const usedCents = await advanceUsedCents(tx, rowId)
    if (usedCents > 0)
      throw new AppError('payment_in_use', { details: { by: 'advance', used: eurosFromCents(usedCents) } })
    if (row.remittance_id !== null && !options.ofRemittance)
      throw new AppError('payment_in_use', { details: { by: 'remittance' } })
    const settled: Settling[] = []
    for (const allocation of byInvoice(await allocationsOf(tx, rowId))) {
      if (row.kind === 'write_off') {
        await markUncollectible(tx, allocation.invoiceId ?? 0, false)
        continue
      }
      const target =
        allocation.invoiceId === undefined
          ? await targetOf(tx, allocation)
          : await invoiceTarget(tx, allocation.invoiceId, { annulledToo: true })
      const one = { target, cents: allocation.cents, parts: allocation.parts }
      settled.push(one)
      await settle(tx, one, -1, { id: row.id, date: row.date })
    }
    await removeEntry(tx, { type: 'payment', id: rowId })
    await deletePayment(tx, rowId)
    await recordAudit(tx, {
      action: 'payment.removed',
      target: { type: 'payment', id: row.public_id, label: labelOf(settled, row.amount_cents) },
    })
    await emitEvent(tx, 'payment.changed', { paymentId: row.public_id })
  })
}
