/** Contracts of invoices: drafts, their validation, their issue, and reading. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  euros,
  FaultShape,
  Instant,
  line,
  MetadataOutput,
  PathId,
  Untrusted,
  UpdatedSince,
} from '../../domain/contract/fields.ts'
import { hideFromTools, textAnswers } from '../../domain/contract/text-fields.ts'
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import { Address, Environment } from '../../company/contract.ts'
import { Dir3, IdType } from '../../catalog/contacts/contract.ts'
import { FieldChange, RecordTurn, RegistryDetail, RegistryStatus } from '../../registry/contract.ts'
import { AmendableFacts, AmendChanges } from './correct/amend-contract.ts'
import { HEADER } from './fields.ts'
import { ISSUED_BY } from './limits.ts'
import {
  DraftUpdate,
  InvoiceKind,
  KindCode,
  MissingFigures,
  NewDraft,
  PaymentMethod,
  RectificationCause,
  Supply,
  TreatmentCode,
} from './draft/draft-input.ts'

export {
  DraftChanges,
  DraftInput,
  InvoiceKind,
  InvoiceLineInput,
  InvoiceReferenceInput,
  PaymentMethod,
  quoteFields,
  RectificationCause,
  recurringFields,
} from './draft/draft-input.ts'

export { AmendableFacts, AmendChanges } from './correct/amend-contract.ts'

const InvoiceState = z.enum(['draft', 'issued', 'history']).meta({
  description: 'history: of an earlier program; listed only when asked for.',
})
/** `cancelled`: the invoice was annulled, so nothing of it is owed. */
export const PaymentStatus = z
  .enum(['draft', 'unpaid', 'partial', 'paid', 'overdue', 'uncollectible', 'credit', 'cancelled'])
  .meta({
    description:
      'draft: not issued, so nothing is owed yet. credit: money the customer gets back and has not got yet.',
  })
export type PaymentStatus = z.infer<typeof PaymentStatus>
export const InvoiceLine = z
  .strictObject({
    description: z.string(),
    quantity: z.number(),
    unit: z.string().optional(),
    unitPrice: z.number(),
    discountPct: z.number(),
    discountAmount: euros("In the document's currency.").optional(),
    vatRate: z.number().nullable(),
    taxTreatment: TreatmentCode,
    regimeKey: z.string(),
    surcharge: z.number().nullable(),
    withholdable: z.boolean(),
    isDisbursement: z.boolean(),
    cost: euros('Under a margin scheme: what it cost.').optional(),
    cause: z.string().optional(),
    itemId: z.string().optional(),
    account: z.string().optional(),
    supply: Supply.optional(),
    missing: MissingFigures.optional(),
    net: euros('Rounded for display; sums start from exact values.'),
  })
  .meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const TaxBreakdown = z
  .strictObject({
    taxTreatment: TreatmentCode,
    regimeKey: z.string(),
    vatRate: z.number().nullable(),
    base: euros('Taxable base.'),
    tax: euros('VAT without surcharge.'),
    surchargeRate: z.number().optional(),
    surcharge: euros('Equivalence surcharge.').optional(),
    outside: euros("Beside base and tax: the cost under a margin scheme, another country's VAT.").optional(),
  })
  .meta({ id: 'TaxBreakdown' })
export type TaxBreakdown = z.infer<typeof TaxBreakdown>

export const Party = z
  .strictObject({
    name: z.string(),
    nif: z.string().nullable(),
    idType: IdType.optional().meta({ description: 'As in a draft.' }),
    country: z.string(),
    address: Address.optional(),
    email: z.string().optional(),
    dir3: Dir3.optional(),
  })
  .meta({ id: 'Party' })
export type Party = z.infer<typeof Party>

export const InvoiceReference = z
  .strictObject({
    id: z.string().optional().meta({ description: 'Absent for an invoice made elsewhere.' }),
    number: z.string(),
    issueDate: businessDate(),
    kind: InvoiceKind.optional(),
    total: euros('Its total.').optional(),
  })
  .meta({ id: 'InvoiceReference' })
export type InvoiceReference = z.infer<typeof InvoiceReference>

const InvoiceInstalment = z
  .strictObject({
    number: z.int().meta({ description: 'Counted from 1.' }),
    dueDate: businessDate(),
    percent: z.number().optional().meta({ description: 'As agreed.' }),
    fixed: z.number().optional().meta({ description: "Amount as agreed, in the document's currency." }),
    amount: euros('What it comes to.'),
    inCurrency: z.number().optional().meta({ description: "The same in the document's currency." }),
    amountDue: euros('Still to be paid of it.'),
    status: z.enum(['draft', 'open', 'overdue', 'remitted', 'paid', 'uncollectible', 'cancelled']),
    paidOn: businessDate('Day of its last payment.').optional(),
    remittanceId: z.string().optional().meta({ description: 'File that waits for the bank.' }),
  })
  .meta({ id: 'InvoiceInstalment' })

const IssuedBy = z
  .strictObject({
    kind: z.enum(ISSUED_BY),
    name: z.string().nullable(),
    nif: z.string().nullable(),
    idType: z.enum(IdType.options).nullable(),
    country: z.string().nullable(),
    street: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    province: z.string().nullable(),
  })
  .meta({
    id: 'IssuedBy',
    description: "Who issued it in the company's name; a third party is identified, the customer is client.",
  })

const { notes, externalRef, ...addedTexts } = textAnswers(HEADER)

const summaryFields = {
  id: z.string(),
  number: z.string().nullable().meta({ description: 'Null while a draft.' }),
  series: z.string().nullable(),
  kind: InvoiceKind,
  state: InvoiceState,
  issueDate: businessDate().nullable(),
  dueDate: businessDate().nullable().meta({ description: 'In instalments: of the next open one.' }),
  clientName: z.string(),
  clientNif: z.string().nullable(),
  base: euros('Sum of taxable bases.'),
  tax: euros('VAT plus surcharge.'),
  total: euros('base + tax + disbursements, before withholding.'),
  amountDue: euros('After withholding and payments; 0 once annulled.'),
  currency: z.string().meta({ description: "The document's; the amounts here are euros." }),
  registry: z.strictObject({ status: RegistryStatus, simulated: z.literal(true).optional() }),
  payment: z.strictObject({ status: PaymentStatus }),
  /** An annulled invoice keeps its number and counts in no total. */
  cancelledAt: Instant.optional().meta({ description: 'When it was annulled.' }),
  version: z.int().meta({ description: 'Grows with every change of a draft.' }),
  externalRef,
  createdAt: Instant,
  updatedAt: Instant,
  untrusted: Untrusted,
}

export const InvoiceSummary = z.strictObject(summaryFields).meta({ id: 'InvoiceSummary' })
export type InvoiceSummary = z.infer<typeof InvoiceSummary>

const InvoiceAction = z.enum([
  'edit',
  'delete',
  'validate',
  'issue',
  'pdf',
  'duplicate',
  'cancel',
  'amend',
  'rectify',
  'substitute',
  'pay',
])

export const Invoice = z
  .strictObject({
    ...summaryFields,
    lines: z.array(InvoiceLine),
    taxBreakdown: z.array(TaxBreakdown),
    surcharge: euros('Equivalence surcharge, part of tax.'),
    outside: euros("Charged beside base and tax: the cost under a margin scheme, another country's VAT."),
    disbursements: euros("Paid in the customer's name, outside the base."),
    replaced: euros('What the invoices in whose place it stands asked for already: taken off what is due.'),
    discount: z
      .strictObject({ pct: z.number(), amount: z.number(), base: euros('What it takes off the bases.') })
      .optional()
      .meta({ description: "The document's discount." }),
    inCurrency: z
      .strictObject({
        currency: z.string(),
        fxRate: z.number().meta({ description: 'Units for 1 EUR.' }),
        fxDate: businessDate().nullable(),
        fxSource: z.string().nullable(),
        base: z.number(),
        tax: z.number(),
        total: z.number(),
        amountDue: z.number(),
      })
      .optional()
      .meta({ description: 'The same sums in the currency of the document, when it is not the euro.' }),
    withholding: z
      .strictObject({
        rate: z.number(),
        base: euros('Withholdable base.'),
        amount: euros('Kept back by the customer.'),
      })
      .optional(),
    priceMode: z.enum(['net', 'gross']),
    client: Party,
    clientId: z.string().nullable(),
    issuer: Party.optional().meta({ description: 'As issued; only on issued invoices.' }),
    operationDate: businessDate().nullable(),
    instalments: hideFromTools(
      z.array(InvoiceInstalment).optional().meta({ description: 'Its due dates, when there are several.' }),
    ),
    simplifiedArt7273: z.boolean(),
    taxName: z.enum(['IVA', 'IPSI', 'IGIC']),
    rectification: z
      .strictObject({
        method: z.enum(['S', 'I']),
        cause: RectificationCause.nullable(),
        reason: z.string().nullable(),
        base: euros('With S: base of what was rectified.').optional(),
        tax: euros('With S: its VAT.').optional(),
        surcharge: euros('With S: its surcharge.').optional(),
      })
      .optional(),
    rectifies: z.array(InvoiceReference),
    rectifiedBy: z.array(InvoiceReference),
    rectified: z
      .enum(['no', 'partly', 'fully'])
      .meta({ description: 'Whether anything of it is left after its rectifications.' }),
    substitutes: z.array(InvoiceReference),
    substitutedBy: z.array(InvoiceReference),
    property: z.strictObject({ situation: z.string(), cadastralRef: z.string().optional() }).nullable(),
    notes,
    language: z.enum(DOCUMENT_LANGUAGES),
    paymentMethod: PaymentMethod.nullable(),
    metadata: MetadataOutput,
    customerReferences: z
      .strictObject({
        order: z.string().nullable(),
        contract: z.string().nullable(),
        file: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'What the customer calls it by: order, contract, file of the tender.' }),
    issuedBy: hideFromTools(IssuedBy.optional()),
    ...addedTexts,
    legalMentions: z.array(z.string()),
    contentHash: z.string().meta({ description: 'SHA-256 of everything the registry and the customer see.' }),
    registry: RegistryDetail,
    pdf: z.strictObject({
      status: z.enum(['ready', 'pending', 'none']),
      signature: z.strictObject({
        level: z.enum(['PAdES-B-B', 'none']),
        subject: z.string().optional().meta({ description: 'Whose certificate signed.' }),
        signedAt: Instant.optional(),
      }),
      languages: z.array(z.enum(DOCUMENT_LANGUAGES)).meta({ description: 'Of the copies made so far.' }),
    }),
    payments: z.array(
      z.strictObject({
        id: z.string(),
        date: businessDate(),
        amount: euros('Of this invoice.'),
        method: PaymentMethod,
        reference: z.string().optional(),
      }),
    ),
    history: z.array(
      z.strictObject({
        at: Instant,
        action: z.string(),
        actor: z.strictObject({ kind: z.enum(['user', 'key', 'system']), name: z.string() }),
        outcome: z.enum(['ok', 'refused', 'failed']),
      }),
    ),
    actions: z.array(InvoiceAction).meta({ description: 'What may be done next.' }),
    links: z.strictObject({ self: z.string(), pdf: z.string().optional() }),
    assumptions: z
      .array(
        z.strictObject({
          field: z.string(),
          value: z.union([z.string(), z.number(), z.boolean()]),
          why: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'What was inferred when the draft was made.' }),
    warnings: z.array(FaultShape).optional(),
    nextStep: z
      .literal('svc_validate_registry_invoice')
      .optional()
      .meta({ description: 'Of a draft just made: the tool that comes next; over REST, validate.' }),
    replayed: z
      .boolean()
      .optional()
      .meta({ description: 'True when this answers a repetition of an earlier success.' }),
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>

const filterFields = {
  state: InvoiceState.optional(),
  registryStatus: RegistryStatus.optional(),
  paymentStatus: z
    .enum([...PaymentStatus.options, 'open'])
    .optional()
    .meta({ description: 'open: unpaid, partial and overdue together.' }),
  from: businessDate('Issue date from (drafts: day of creation).').optional(),
  to: businessDate('Issue date until.').optional(),
  client: PathId.optional().meta({ description: 'Contact id.' }),
  nif: line(20).optional(),
  series: line(20).optional(),
  kind: KindCode.optional(),
  externalRef: line(60).optional().meta({ description: 'Whole, as it was given.' }),
  updatedSince: UpdatedSince.optional(),
  text: line(100).optional().meta({
    description: "Part of the number, the customer's name or NIF, the total, or externalRef whole.",
  }),
}
export const InvoiceFilter = z.strictObject(filterFields)
export type InvoiceFilter = z.infer<typeof InvoiceFilter>

export const InvoiceSort = z.enum(['issueDate', '-issueDate', 'number', '-number', 'total', '-total'])
export type InvoiceSort = z.infer<typeof InvoiceSort>

export const ListTotals = z.strictObject({
  count: z.int().meta({ description: 'Annulled ones included; the sums leave them out.' }),
  base: euros('Of the whole filter.'),
  tax: euros('Of the whole filter.'),
  total: euros('Of the whole filter.'),
})
/** Totals of invoices, and the amount still owed of them. */
const InvoiceTotals = ListTotals.extend({
  due: euros(
    'What customers still owe of the whole filter, after payments and withholding. For "who owes me?" read this, not total.',
  ),
})

export const listInvoicesContract = defineContract({
  name: 'invoices.list',
  summary: 'List invoices, newest first, filtered by date, state, customer or text.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices' },
  tool: 'svc_list_invoices',
  input: z.strictObject({
    ...filterFields,
    sort: InvoiceSort.optional(),
    limit: z.int().min(1).max(100).optional().meta({ description: 'Default 25.' }),
    cursor: z.string().max(400).optional().meta({
      description: 'nextCursor of the page before, with the same filter.',
    }),
    totals: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(InvoiceSummary),
    nextCursor: z.string().nullable(),
    totals: InvoiceTotals.optional(),
  }),
  errors: ['validation_failed'],
})

export const createDraftContract = defineContract({
  name: 'invoices.create',
  summary: 'Create a draft invoice. Nothing is sent anywhere.',
  description:
    'A name, a NIF and lines with description, quantity and unit price are enough; what is left out is inferred and told in `assumptions`. Next: validate.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/invoices', status: 201 },
  tool: 'svc_create_invoice_draft',
  input: NewDraft,
  output: Invoice,
  errors: ['validation_failed', 'series_wrong_kind', 'external_ref_taken'],
})

export const getInvoiceContract = defineContract({
  name: 'invoices.get',
  summary: 'Full detail of one invoice, by identifier or number.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id' },
  tool: 'svc_get_invoice',
  input: z.strictObject({
    id: PathId.meta({
      description: 'Identifier (inv_…), number (F2026-0001), or its digits.',
    }),
  }),
  output: Invoice,
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const updateDraftContract = defineContract({
  name: 'invoices.update',
  summary: 'Change a draft. Fields given replace the old ones; null clears an optional field.',
  description: 'With `metadata` alone it changes an issued invoice too: nothing that was issued is touched.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/invoices/:id' },
  input: DraftUpdate,
  output: Invoice,
  errors: [
    'not_found',
    'invoice_number_ambiguous',
    'invoice_not_draft',
    'version_conflict',
    'validation_failed',
    'external_ref_taken',
  ],
})

export const deleteDraftContract = defineContract({
  name: 'invoices.delete',
  summary: 'Delete a draft. Issued invoices cannot be deleted.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/invoices/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'invoice_number_ambiguous', 'invoice_not_draft', 'version_conflict'],
})

const Approval = z.strictObject({
  required: z.boolean(),
  status: z.enum(['not_required', 'pending', 'approved', 'denied']),
  approvalId: z.string().optional(),
})

export const ValidationResult = z
  .strictObject({
    valid: z.boolean(),
    issues: z.array(FaultShape),
    summaryForUser: z.string().meta({
      description: 'The preview in one line of plain text, to be shown as it is before the user says yes.',
    }),
    preview: z.strictObject({
      untrusted: Untrusted,
      number: z.string().meta({ description: 'Forecast of the number; another issue may take it first.' }),
      kind: InvoiceKind,
      issueDate: businessDate(),
      issuer: Party,
      client: Party,
      taxBreakdown: z.array(TaxBreakdown),
      total: euros('base + tax + disbursements.'),
      withholding: Invoice.shape.withholding,
      amountDue: euros('After withholding.'),
      instalments: z
        .array(z.strictObject({ dueDate: businessDate(), amount: euros('Due that day.') }))
        .optional()
        .meta({ description: 'Several due dates.' }),
      environment: Environment,
      record: z
        .strictObject({
          kind: z.enum(['registration', 'cancellation']),
          turn: RecordTurn,
          reactivates: z
            .boolean()
            .meta({ description: 'The invoice was annulled and comes back into force.' }),
          changes: z.array(FieldChange),
          registration: AmendableFacts.optional().meta({
            description: 'Of a registration: what may be amended, with the changes made.',
          }),
        })
        .optional()
        .meta({ description: 'With action cancel or amend: the record that would be made.' }),
    }),
    confirmation: z
      .strictObject({
        confirmationToken: z.string(),
        expiresAt: Instant,
        contentHash: z.string(),
        approval: Approval,
      })
      .optional(),
  })
  .meta({ id: 'ValidationResult' })
export type ValidationResult = z.infer<typeof ValidationResult>

export const validateInvoiceContract = defineContract({
  name: 'invoices.validate',
  summary:
    'Check a draft against every rule before issuing; when valid, get the confirmation token that issue needs.',
  description:
    'Answers 200 with valid:false and all faults when something is wrong. The token lasts ten minutes, works once, and is bound to this key, this invoice, the action and the exact content. It is given only to keys with invoices.issue.',
  access: 'invoices.read',
  effect: 'write',
  rest: { method: 'POST', path: '/invoices/:id/validate' },
  tool: 'svc_validate_registry_invoice',
  input: z.strictObject({
    id: PathId,
    action: z.enum(['issue', 'cancel', 'amend']).optional().meta({
      description:
        'What the token is for: issue a draft, or annul or amend the registration of an issued invoice.',
    }),
    changes: AmendChanges.optional().meta({
      description: 'With action amend: what the registry is told instead.',
    }),
    expectedVersion: z.int().optional(),
  }),
  output: ValidationResult,
  errors: [
    'not_found',
    'invoice_number_ambiguous',
    'invoice_not_draft',
    'invoice_not_issued',
    'before_these_books',
    'registry_pending',
    'validation_failed',
    'approvals_full',
    'version_conflict',
    'step_for_the_owner',
  ],
})

export const issueInvoiceContract = defineContract({
  name: 'invoices.issue',
  summary:
    'Issue a draft: it gets its number and its registry record, and is sent to the tax authority. Cannot be undone.',
  description:
    'Needs the confirmationToken of validate. Repeating the same call after success answers the same invoice with replayed:true.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/invoices/:id/issue' },
  tool: 'svc_issue_registry_invoice',
  input: z.strictObject({
    id: PathId,
    confirmationToken: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'From validate. Without it the answer is 428.' }),
  }),
  output: Invoice,
  errors: [
    'not_found',
    'invoice_number_ambiguous',
    'confirmation_required',
    'confirmation_invalid',
    'confirmation_expired',
    'confirmation_stale',
    'confirmation_used',
    'approval_pending',
    'approval_denied',
    'approval_unavailable',
    'invoice_not_draft',
    'invoice_invalid',
    'invoice_contradicts',
    'certificate_missing',
    'producer_missing',
    'daily_cap_reached',
    'chain_broken',
    'clock_wrong',
    'restored_copy',
    'series_in_conflict',
  ],
})

const CONFIRMATION_ERRORS = [
  'confirmation_required',
  'confirmation_invalid',
  'confirmation_expired',
  'confirmation_stale',
  'confirmation_used',
  'approval_pending',
  'approval_denied',
  'approval_unavailable',
] as const

const RECORD_ERRORS = [
  'not_found',
  'invoice_number_ambiguous',
  ...CONFIRMATION_ERRORS,
  'invoice_not_issued',
  'before_these_books',
  'invoice_invalid',
  'registry_pending',
  'certificate_missing',
  'producer_missing',
  'chain_broken',
  'clock_wrong',
  'restored_copy',
] as const

const ConfirmationToken = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'From validate. Without it the answer is 428.' })

export const cancelInvoiceContract = defineContract({
  name: 'invoices.cancel',
  summary: 'Annul an issued invoice at the registry. Its number is never used again.',
  description:
    'For an invoice that should not exist. Needs the confirmationToken of validate with action "cancel". A wrong amount is put right by a rectifying invoice instead.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/invoices/:id/cancel' },
  input: z.strictObject({ id: PathId, confirmationToken: ConfirmationToken, reason: line(300).optional() }),
  output: Invoice,
  errors: [...RECORD_ERRORS],
})

export const amendInvoiceContract = defineContract({
  name: 'invoices.amend',
  summary: 'Amend the registration of an issued invoice: a new record corrects what the registry was told.',
  description:
    'Needs the confirmationToken of validate with action "amend", which holds the changes. Number, date, issuer and amounts cannot be amended.',
  access: 'invoices.issue',
  effect: 'irreversible',
  rest: { method: 'POST', path: '/invoices/:id/amend' },
  input: z.strictObject({ id: PathId, confirmationToken: ConfirmationToken }),
  output: Invoice,
  errors: [...RECORD_ERRORS],
})

/** List of the window: by position, so that a scroll bar can jump. */
export const windowInvoicesContract = defineContract({
  name: 'invoices.window',
  summary:
    'A stretch of the invoice list by position, with the totals of the whole filter and the counts of the saved views.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    ...filterFields,
    /** Saved view that restricts the filter. */
    view: z.enum(['all', 'drafts', 'owed', 'overdue', 'trouble', 'unsigned', 'history']).optional(),
    sort: InvoiceSort.optional(),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(500).optional(),
    /** Totals and counts scan the whole filter: request them once per filter, not per page. */
    summary: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(InvoiceSummary),
    offset: z.int(),
    totals: InvoiceTotals.optional(),
    views: z
      .strictObject({
        all: z.int(),
        drafts: z.int(),
        owed: z.int(),
        overdue: z.int(),
        trouble: z.int(),
        unsigned: z.int(),
        history: z.int(),
      })
      .optional(),
  }),
  errors: ['validation_failed'],
})
