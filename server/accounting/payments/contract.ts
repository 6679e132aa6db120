/**
 * Contracts of payments: money received and paid and the items it settles, open items and aging, statements, and bank
 * files.
 */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  BytesAnswer,
  decimal,
  euros,
  FaultShape,
  Instant,
  line,
  PathId,
} from '../../domain/contract/fields.ts'
import { INSTALMENTS } from '../../domain/tax/instalments.ts'
import { PaymentMethod, PaymentStatus } from '../../sales/invoices/contract.ts'
import { Direction, Side } from './shared-schemas.ts'

export { Side } from './shared-schemas.ts'

const PaymentKind = z.enum(['payment', 'compensation', 'write_off']).meta({
  description:
    'payment: money moved. compensation: one thing was set off against another. write_off: given up as uncollectible.',
})
const MAX_EUROS = 999_999_999_999.99
const amountOf = (description: string, min = 0) => decimal(2, { min, max: MAX_EUROS, description })
const positive = (description: string) => amountOf(description, 0.01)

/** Ledger account of the money. */
const MoneyAccount = z
  .string()
  .regex(/^57\d{1,10}$/)
  .meta({ description: 'Ledger account of the money: 570 cash, 572… a bank. Default: by the method.' })

const Allocation = z
  .strictObject({
    invoice: z
      .strictObject({ id: z.string(), number: z.string().nullable(), name: z.string() })
      .optional()
      .meta({ description: 'An issued invoice.' }),
    instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
    received: z
      .strictObject({ id: z.string(), number: z.string().nullable(), name: z.string() })
      .optional()
      .meta({ description: 'A received invoice.' }),
    advance: z
      .strictObject({ id: z.string() })
      .optional()
      .meta({ description: 'What a payment left on account.' }),
    amount: euros("Signed like what was due of it; at the invoice's own rate."),
  })
  .meta({ id: 'PaymentAllocation' })

const paymentFields = {
  id: z.string(),
  kind: PaymentKind,
  direction: Direction,
  date: businessDate(),
  amount: euros('Money that moved; 0 when none did.'),
  method: PaymentMethod.nullable(),
  account: z.string().nullable(),
  reference: z.string().nullable(),
  contact: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  allocations: z.array(Allocation),
  advance: euros('What stayed on account of the contact.'),
  advanceLeft: euros('What of it is not used yet.'),
  exchangeDifference: euros('Gain, or loss when negative, against the rate of the invoices.'),
  writtenOff: euros('Given up as uncollectible.'),
  fee: euros('What the bank kept or asked for.'),
  onBank: z.boolean().meta({ description: 'Matched with a movement of the bank.' }),
  remittanceId: z.string().nullable(),
  createdAt: Instant,
}
export const Payment = z.strictObject(paymentFields).meta({ id: 'Payment' })
export type Payment = z.infer<typeof Payment>

const Settled = z.strictObject({
  id: z.string(),
  number: z.string().nullable(),
  amountDue: euros('Still due.'),
  payment: z.strictObject({ status: PaymentStatus }),
})

const PaymentAnswer = z.strictObject({
  ...paymentFields,
  invoice: Settled.optional().meta({
    description: 'The issued invoice afterwards, when it was paid by its address.',
  }),
  received: Settled.omit({ payment: true }).optional(),
  warnings: z.array(FaultShape),
})

const moneyFields = {
  date: businessDate('Day the money moved; today at the latest.'),
  method: PaymentMethod,
  reference: line(140).optional(),
  account: MoneyAccount.optional(),
}

/** Of an issued invoice in instalments. */
const InstalmentNumber = z.int().min(1).max(INSTALMENTS.max).optional().meta({
  description: 'Of an issued invoice in instalments, which one, counted from 1. Default: the one due first.',
})

const oneInvoiceFields = {
  id: PathId,
  ...moneyFields,
  amount: positive('Euros that moved. A credit is paid back with a positive amount too.'),
  settles: positive(
    "Euros of the invoice that it settles, at the invoice's rate. Default: the amount. Only for invoices in another currency.",
  ).optional(),
  overpayment: z.enum(['refuse', 'advance']).optional().meta({
    description: 'What to do with more than is due: refuse (default), or keep it on account of the contact.',
  }),
}

const PAYING_ERRORS = [
  'not_found',
  'validation_failed',
  'invoice_not_issued',
  'invoice_cancelled',
  'invoice_uncollectible',
  'payment_exceeds_due',
  'period_locked',
] as const

export const payInvoiceContract = defineContract({
  name: 'payments.payInvoice',
  summary: 'Record that an issued invoice was paid, whole or in part.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/invoices/:id/payments', status: 201, location: '/payments/{id}' },
  input: z.strictObject({ ...oneInvoiceFields, instalment: InstalmentNumber }),
  output: PaymentAnswer,
  errors: [...PAYING_ERRORS, 'account_unknown', 'invoice_number_ambiguous'],
})

/** A payment of an invoice is identified by its id, or by its properties when only one payment matches. */
const unpayFields = {
  id: PathId,
  paymentId: PathId.optional().meta({ description: 'Default: the only payment that fits the other fields.' }),
  date: businessDate().optional(),
  amount: positive('Euros.').optional(),
  method: PaymentMethod.optional(),
  reference: line(140).optional(),
}
const Removed = z.strictObject({ deleted: z.literal(true), paymentId: z.string() })

export const unpayInvoiceContract = defineContract({
  name: 'payments.unpayInvoice',
  summary: 'Take back a payment of an invoice: the invoice is owed again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/invoices/:id/payments' },
  input: z.strictObject(unpayFields),
  output: Removed,
  errors: ['not_found', 'payment_ambiguous', 'payment_in_use', 'period_locked', 'invoice_number_ambiguous'],
})

export const invoicePaymentsContract = defineContract({
  name: 'payments.ofInvoice',
  summary: 'The payments of one issued invoice.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/payments' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ items: z.array(Payment), amountDue: euros('Still due.') }),
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const payReceivedContract = defineContract({
  name: 'payments.payReceived',
  summary: 'Record that a received invoice was paid, whole or in part.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/received-invoices/:id/payments', status: 201, location: '/payments/{id}' },
  input: z.strictObject(oneInvoiceFields),
  output: PaymentAnswer,
  errors: [
    'not_found',
    'validation_failed',
    'account_unknown',
    'payment_exceeds_due',
    'period_locked',
    'received_void',
  ],
})

export const unpayReceivedContract = defineContract({
  name: 'payments.unpayReceived',
  summary: 'Take back a payment of a received invoice.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/received-invoices/:id/payments' },
  input: z.strictObject(unpayFields),
  output: Removed,
  errors: ['not_found', 'payment_ambiguous', 'payment_in_use', 'period_locked'],
})

export const receivedPaymentsContract = defineContract({
  name: 'payments.ofReceived',
  summary: 'The payments of one received invoice.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices/:id/payments' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ items: z.array(Payment), amountDue: euros('Still due.') }),
  errors: ['not_found'],
})

export const listPaymentsContract = defineContract({
  name: 'payments.list',
  summary: 'Payments, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/payments' },
  input: z.strictObject({
    direction: Direction.optional(),
    kind: PaymentKind.optional(),
    method: PaymentMethod.optional(),
    from: businessDate().optional(),
    to: businessDate().optional(),
    contactId: PathId.optional(),
    onAccount: z.boolean().optional().meta({ description: 'Only those with something left on account.' }),
    limit: z.int().min(1).max(200).optional().meta({ description: 'Default 50.' }),
    cursor: z.string().max(400).optional(),
    totals: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(Payment),
    nextCursor: z.string().nullable(),
    totals: z.strictObject({ count: z.int(), in: euros('Collected.'), out: euros('Paid.') }).optional(),
  }),
  errors: ['validation_failed'],
})

export const windowPaymentsContract = defineContract({
  name: 'payments.window',
  summary: 'A stretch of the list of payments by position, for the window.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    direction: Direction.optional(),
    onAccount: z.boolean().optional(),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({
    items: z.array(Payment),
    count: z.int(),
    in: euros('Collected.'),
    out: euros('Paid.'),
  }),
  errors: [],
})

export const getPaymentContract = defineContract({
  name: 'payments.get',
  summary: 'One payment and what it settles.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/payments/:id' },
  input: z.strictObject({ id: PathId }),
  output: Payment,
  errors: ['not_found'],
})

const AllocationInput = z
  .strictObject({
    invoiceId: PathId.optional(),
    receivedId: PathId.optional(),
    instalment: InstalmentNumber,
    advanceId: PathId.optional().meta({ description: 'A payment with something left on account.' }),
    amount: decimal(2, {
      max: MAX_EUROS,
      description: 'Euros, signed like what is due: negative for a credit. At the rate of the invoice.',
    }),
  })
  .meta({ id: 'PaymentAllocationInput' })

export const createPaymentContract = defineContract({
  name: 'payments.create',
  summary: 'Record money that settles several things, or set one off against another.',
  description:
    'Exactly one of `invoiceId`, `receivedId` and `advanceId` in each allocation. The signed sum of what is settled must equal `amount`; the rest of a payment stays on account with `rest: "advance"`, and in another currency the difference is booked with `rest: "exchange"`. With `amount` 0 nothing moves: a credit pays its invoice, an advance pays another.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/payments', status: 201 },
  input: z.strictObject({
    ...moneyFields,
    direction: Direction,
    method: PaymentMethod.optional().meta({ description: 'Required when money moved.' }),
    amount: amountOf('Euros that moved; 0 for a set-off.'),
    contactId: PathId.optional().meta({ description: 'Default: the contact of what is settled.' }),
    rest: z.enum(['refuse', 'advance', 'exchange']).optional(),
    allocations: z.array(AllocationInput).max(200),
  }),
  output: PaymentAnswer,
  errors: [...PAYING_ERRORS, 'account_unknown', 'invoice_number_ambiguous', 'received_void'],
})

export const collectInvoicesContract = defineContract({
  name: 'payments.collect',
  summary: 'Mark several invoices as paid, each with what is due of it.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/collections' },
  input: z.strictObject({ ...moneyFields, invoiceIds: z.array(PathId).min(1).max(200) }),
  output: z.strictObject({
    paymentIds: z.array(z.string()),
    total: euros('Collected.'),
    warnings: z.array(FaultShape),
  }),
  errors: [...PAYING_ERRORS, 'account_unknown', 'invoice_number_ambiguous', 'invoice_settled'],
})

export const deletePaymentContract = defineContract({
  name: 'payments.delete',
  summary: 'Take back a payment and everything it settled.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/payments/:id' },
  input: z.strictObject({ id: PathId }),
  output: Removed,
  errors: ['not_found', 'payment_in_use', 'period_locked'],
})

export const writeOffContract = defineContract({
  name: 'payments.writeOff',
  summary:
    'Give up what is left of an invoice as uncollectible. The VAT is put right by a rectifying invoice (R3).',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/invoices/:id/write-off', status: 201, location: '/payments/{id}' },
  input: z.strictObject({ id: PathId, date: businessDate(), reference: line(140).optional() }),
  output: PaymentAnswer,
  errors: [...PAYING_ERRORS, 'invoice_number_ambiguous', 'invoice_settled'],
})

const OpenItem = z
  .strictObject({
    type: z.enum(['invoice', 'received', 'advance']),
    id: z.string(),
    instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
    number: z.string().nullable(),
    name: z.string(),
    contactId: z.string().nullable(),
    date: businessDate(),
    dueDate: businessDate().nullable(),
    daysLate: z.int().meta({ description: 'Days after the due date; 0 when it is not late.' }),
    total: euros('Payable in all.'),
    amount: euros('Open: negative for a credit.'),
    currency: z.string(),
  })
  .meta({ id: 'OpenItem' })
export type OpenItem = z.infer<typeof OpenItem>

export const openItemsContract = defineContract({
  name: 'payments.open',
  summary: 'What is open: invoices to collect or to pay, credits, and what is on account.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/open-items' },
  input: z.strictObject({
    side: Side,
    contactId: PathId.optional(),
    text: line(100).optional(),
    limit: z.int().min(1).max(500).optional().meta({ description: 'Default 200; the longest due first.' }),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(OpenItem),
    nextCursor: z.string().nullable(),
    count: z.int().meta({ description: 'Open in all.' }),
    amount: euros('Open in all.'),
  }),
  errors: ['not_found'],
})

const Buckets = z.strictObject({
  notDue: euros('Not due yet, or without a due date.'),
  upTo30: euros('1 to 30 days late.'),
  upTo60: euros('31 to 60 days late.'),
  upTo90: euros('61 to 90 days late.'),
  over90: euros('More than 90 days late.'),
  total: euros('In all.'),
})
export type Buckets = z.infer<typeof Buckets>

export const agingContract = defineContract({
  name: 'payments.aging',
  summary: 'Who owes what and how late, or what is owed to whom.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/open-items/aging' },
  input: z.strictObject({ side: Side }),
  output: z.strictObject({
    date: businessDate(),
    items: z.array(
      z.strictObject({
        contactId: z.string().nullable(),
        name: z.string(),
        nif: z.string().nullable(),
        ...Buckets.shape,
      }),
    ),
    totals: Buckets,
  }),
  errors: [],
})

const Movement = z.strictObject({
  date: businessDate(),
  type: z.enum(['invoice', 'rectifying', 'received', 'payment', 'compensation', 'write_off']),
  id: z.string(),
  number: z.string().nullable(),
  text: z.string().nullable(),
  debit: euros('Adds to what the customer owes.'),
  credit: euros('Takes from it.'),
  balance: euros('After this movement; positive: the contact owes.'),
})

const Statement = z
  .strictObject({
    contact: z.strictObject({ id: z.string(), name: z.string(), nif: z.string().nullable() }),
    side: Side,
    from: businessDate(),
    to: businessDate(),
    opening: euros('Balance before the first day.'),
    movements: z.array(Movement),
    debit: euros('Sum.'),
    credit: euros('Sum.'),
    closing: euros('Balance after the last day.'),
    aging: Buckets.meta({ description: 'Of what is open today.' }),
    open: z.array(OpenItem),
  })
  .meta({ id: 'Statement' })
export type Statement = z.infer<typeof Statement>

const statementFields = {
  id: PathId,
  side: Side.optional().meta({ description: 'Default: receivable.' }),
  from: businessDate('Default: 1 January.').optional(),
  to: businessDate('Default: today.').optional(),
}

export const statementContract = defineContract({
  name: 'payments.statement',
  summary: "A contact's statement: opening balance, movements, running balance, and what is open by age.",
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/:id/statement' },
  input: z.strictObject(statementFields),
  output: Statement,
  errors: ['not_found', 'validation_failed'],
})

export const statementFileContract = defineContract({
  name: 'payments.statementFile',
  summary: "A contact's statement as CSV (semicolons, decimal comma).",
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/contacts/:id/statement/csv' },
  media: 'text/csv',
  input: z.strictObject(statementFields),
  output: BytesAnswer,
  errors: ['not_found', 'validation_failed'],
})
