/** Contracts of the inbox: proposals by assistants, decided by a person. */
import { z } from 'zod'
import { Contact, updateContactContract } from '../../catalog/contacts/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  decimal,
  euros,
  Instant,
  line,
  paragraph,
  PathId,
} from '../../domain/contract/fields.ts'
import { ModelNumber } from '../../accounting/returns/contract.ts'
import { rectifyInvoiceContract } from '../../sales/invoices/correct/rectify-contract.ts'
import { MailAddress } from '../../documents/mail/contract.ts'
import { PaymentMethod } from '../../sales/invoices/contract.ts'
import { ReceivedInput } from '../../purchases/invoices/contract.ts'

export const ProposedAction = z.enum([
  'issue_invoice',
  'correct_invoice',
  'cancel_registration',
  'retry_rejected',
  'send_invoice_copy',
  'sync_erp',
  'renew_certificate',
  'prepare_return',
  'fix_client_data',
  'discard_draft',
  'record_payment',
  'send_reminder',
  'create_quote',
  'record_received_invoice',
])
export type ProposedAction = z.infer<typeof ProposedAction>

const contact = updateContactContract.input.shape
const rectify = rectifyInvoiceContract.input.shape

/** Contact fields that an assistant may propose to change. Never the account to be debited, which a person must type. */
const ContactChanges = z.strictObject({
  name: contact.name,
  tradeName: contact.tradeName,
  nif: contact.nif,
  idType: contact.idType,
  address: contact.address,
  email: contact.email,
  phone: contact.phone,
  language: contact.language,
  paymentDays: contact.paymentDays,
})
export type ContactChanges = z.infer<typeof ContactChanges>

const NewLine = z.strictObject({
  description: line(500),
  quantity: decimal(6, { max: 999_999_999 }),
  unitPrice: decimal(6, { max: 999_999_999 }),
  vatRate: decimal(2, { min: 0, max: 100 }).optional(),
})

const NONE = z.strictObject({})

/** Parameters of each action besides its target; other members are rejected. */
export const PARAMS = {
  issue_invoice: NONE,
  correct_invoice: z.strictObject({
    cause: rectify.cause.optional(),
    method: rectify.method,
    text: rectify.reason,
    percent: rectify.percent,
    amount: rectify.amount,
    newLines: z.array(NewLine).min(1).max(100).optional(),
    clientName: rectify.clientName,
    clientNif: rectify.clientNif,
  }),
  cancel_registration: NONE,
  retry_rejected: NONE,
  send_invoice_copy: z.strictObject({ to: MailAddress.optional() }),
  sync_erp: NONE,
  renew_certificate: NONE,
  prepare_return: z.strictObject({
    form: ModelNumber.optional(),
    year: z.int().min(2015).max(2100).optional(),
    quarter: z.int().min(1).max(4).optional(),
    month: z.int().min(1).max(12).optional(),
  }),
  fix_client_data: ContactChanges,
  discard_draft: NONE,
  record_payment: z.strictObject({
    amount: decimal(2, { min: 0.01, max: 999_999_999 }).optional(),
    date: businessDate().optional(),
    method: PaymentMethod.optional(),
    reference: line(140).optional(),
  }),
  send_reminder: NONE,
  create_quote: z.strictObject({
    clientName: line(120),
    clientNif: line(20).optional(),
    lines: z.array(NewLine).min(1).max(100),
    notes: paragraph(2000).optional(),
  }),
  /** Of an incoming document what is not sent is as it was read; without one it is needed. */
  record_received_invoice: ReceivedInput.pick({
    kind: true,
    supplierName: true,
    supplierNif: true,
    supplierId: true,
    supplier: true,
    supplierNumber: true,
    issueDate: true,
    receptionDate: true,
    operationDate: true,
    dueDate: true,
    taxLines: true,
    withholding: true,
    concept: true,
    account: true,
    paymentMethod: true,
    rectifies: true,
    notes: true,
  }).partial(),
} as const satisfies Record<ProposedAction, z.ZodObject>

/**
 * Untyped here, because all tools together must fit the context of a small model: the description lists the
 * parameters, and the schema of the action validates them and reports every fault with its path.
 */
const ProposalParams = z.record(z.string().max(40), z.unknown()).meta({
  description:
    'fix_client_data: what to change of name, tradeName, nif, idType, address, email, phone, language, paymentDays. correct_invoice: cause, method, text, percent, amount, newLines, clientName, clientNif. send_invoice_copy: to. prepare_return: form, year, quarter or month. record_payment: amount, date, method. create_quote: clientName, clientNif, lines. record_received_invoice: supplierName, supplierNif, supplierNumber, issueDate, taxLines[{base, vatRate}].',
})

const Params = z.record(z.string(), z.union([z.string(), z.number()]))

export const ProposalPoint = z
  .strictObject({ code: z.string(), message: z.string(), params: Params.optional() })
  .meta({ id: 'ProposalPoint' })
export type ProposalPoint = z.infer<typeof ProposalPoint>

const PointMessages = z.array(ProposalPoint.pick({ code: true, message: true }))

export const Proposal = z
  .strictObject({
    proposalId: z.string(),
    status: z.enum(['pending_user', 'not_applicable', 'accepted', 'rejected', 'expired']),
    action: ProposedAction,
    targetId: z.string().optional(),
    title: z.string(),
    effects: PointMessages,
    blockers: PointMessages,
    warnings: PointMessages,
    reversible: z.boolean(),
    estimatedImpact: z
      .strictObject({ base: euros('Taxable base.'), tax: euros('VAT and surcharge.') })
      .optional(),
    alternatives: z.array(
      z.strictObject({ action: ProposedAction, targetId: z.string().optional(), why: z.string() }),
    ),
    expiresAt: Instant,
    openInApp: z.string(),
  })
  .meta({ id: 'Proposal' })
export type Proposal = z.infer<typeof Proposal>

export const proposeActionContract = defineContract({
  name: 'inbox.propose',
  summary:
    "Propose a fiscal action to the owner. It lands in the app's inbox and is never executed by itself.",
  description: 'One that waits already with the same action, target and params is answered again.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  tool: 'svc_propose_action',
  input: z.strictObject({
    action: ProposedAction,
    targetId: PathId.optional().meta({
      description: 'Identifier or number of the invoice; a contact or document found.',
    }),
    period: z.strictObject({ from: businessDate(), to: businessDate() }).optional(),
    params: ProposalParams.optional(),
    reason: paragraph(500, 1).meta({ description: 'Why, in one or two sentences, for the owner to read.' }),
  }),
  output: Proposal,
  errors: ['not_found', 'invoice_number_ambiguous', 'validation_failed', 'proposals_full'],
})

const Value = z.union([z.string(), z.number(), z.null()])

export const ProposedChange = z.strictObject({
  field: z.string().meta({ description: 'Dotted path, such as address.city or lines[0].quantity.' }),
  from: Value,
  to: Value,
})
export type ProposedChange = z.infer<typeof ProposedChange>

/** Result of accepting: what was done, or where the person continues. */
export const Outcome = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.enum(['issue', 'draft', 'rectify', 'annul', 'amend', 'payment', 'reminder']),
    invoiceId: z.string(),
  }),
  z.strictObject({ step: z.literal('mail'), invoiceId: z.string(), to: z.string().nullable() }),
  z.strictObject({ step: z.literal('quote'), quoteId: z.string() }),
  z.strictObject({ step: z.literal('received'), receivedId: z.string() }),
  z.strictObject({ step: z.enum(['sync', 'certificate', 'discarded']) }),
  z.strictObject({
    step: z.literal('return'),
    form: ModelNumber,
    year: z.int(),
    quarter: z.int().nullable(),
    month: z.int().optional(),
  }),
  z.strictObject({
    step: z.literal('contact'),
    contactId: z.string(),
    version: z.int(),
    before: ContactChanges.meta({ description: 'What takes the change back.' }),
  }),
])
export type Outcome = z.infer<typeof Outcome>

export const InboxItem = z.strictObject({
  ...Proposal.shape,
  effects: z.array(ProposalPoint),
  blockers: z.array(ProposalPoint),
  warnings: z.array(ProposalPoint),
  reason: z.string(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
  decisionNote: z.string().nullable(),
  key: z.strictObject({ id: z.string(), name: z.string(), prefix: z.string() }).nullable(),
  invoice: z
    .strictObject({
      id: z.string(),
      number: z.string().nullable(),
      clientName: z.string(),
      total: euros('Total.'),
    })
    .nullable(),
  contact: Contact.pick({ id: true, name: true }).nullable(),
  taxReturn: z
    .strictObject({
      form: ModelNumber,
      year: z.int(),
      quarter: z.int().nullable(),
      month: z.int().optional(),
    })
    .nullable(),
  changes: z.array(ProposedChange).meta({ description: 'What would be another: before and after.' }),
  drift: z
    .array(ProposedChange)
    .meta({ description: 'What of its target has changed since it was proposed.' }),
  seen: z.string().meta({ description: 'What is shown, to be sent along with a yes.' }),
  outcome: Outcome.nullable(),
})
export type InboxItem = z.infer<typeof InboxItem>

export const listInboxContract = defineContract({
  name: 'inbox.list',
  summary: 'What waits for a decision, and what was decided, as it was proposed.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
  output: z.strictObject({
    waiting: z.array(InboxItem),
    decided: z.array(InboxItem),
    count: z.int().meta({ description: 'How many wait.' }),
  }),
  errors: [],
})

export const openInboxContract = defineContract({
  name: 'inbox.open',
  summary: 'One proposal as it stands now. One whose ground is gone is closed as not applicable.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: InboxItem,
  errors: ['not_found'],
})

export const decideInboxContract = defineContract({
  name: 'inbox.decide',
  summary: 'Accept or reject a proposal. What cannot be undone is left to its own dialog.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    decision: z.enum(['accept', 'reject']),
    note: line(300, 0).optional(),
    seen: z.string().max(64).optional().meta({ description: 'Of the proposal as it was shown.' }),
  }),
  output: InboxItem,
  errors: ['not_found', 'proposal_decided', 'proposal_expired', 'proposal_changed'],
})
