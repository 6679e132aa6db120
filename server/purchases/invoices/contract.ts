/** Contracts of received invoices and expenses. */
import { z } from 'zod'
import { Attachment } from '../../platform/attachments/contract.ts'
import { Address } from '../../company/contract.ts'
import { IdType } from '../../catalog/contacts/contract.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  ChosenIds,
  businessDate,
  decimal,
  euros,
  FaultShape,
  Instant,
  line,
  PathId,
  StreamAnswer,
} from '../../domain/contract/fields.ts'
import { textAnswers, textInputs } from '../../domain/contract/text-fields.ts'
import { TAX_TREATMENTS } from '../../domain/tax/totals.ts'
import { PaymentMethod } from '../../sales/invoices/contract.ts'
import { RECEIVED_HEADER } from './fields.ts'

export const ReceivedKind = z
  .enum(['invoice', 'simplified', 'rectifying', 'receipt', 'customs', 'reagyp', 'self_billed'])
  .meta({
    description:
      "invoice; simplified (ticket); rectifying; receipt (no invoice: payroll, bank fees, taxes; bears no VAT); customs (DUA: import VAT); reagyp (receipt to a farmer under the agricultural scheme); self_billed (own document for an operation with reverse charge without the supplier's).",
  })
export type ReceivedKind = z.infer<typeof ReceivedKind>

const ReceivedState = z.enum(['entered', 'void', 'history']).meta({
  description:
    'history: of an earlier program, without a reception number of these books; listed only when it is asked for.',
})
/** Nature of the operation, which decides who pays its VAT to whom. */
export const OperationNature = z
  .enum(['domestic', 'reverse_charge', 'eu_goods', 'eu_services', 'foreign_services', 'import', 'reagyp'])
  .meta({
    description:
      'domestic; reverse_charge (art. 84 LIVA, supplier in Spain); eu_goods, eu_services, foreign_services (self-assessed VAT); import (VAT paid at customs); reagyp (flat-rate compensation).',
  })
export type OperationNature = z.infer<typeof OperationNature>

const Treatment = z
  .enum(TAX_TREATMENTS)
  .meta({ description: 'S1 taxed, S2 the buyer owes the VAT, N1/N2 not subject, E1..E8 exempt.' })

/** Concepts of expense of the authority's unified books. */
const ConceptCode = z
  .string()
  .regex(/^G\d{2}$/)
  .meta({ description: 'Concept of expense of the unified VAT book, G01..G46.' })

const Account = z
  .string()
  .regex(/^\d{3,10}$/)
  .meta({ description: 'Account of the chart of accounts, such as 629. Default: from the concept.' })

const Rate = (description: string) => decimal(2, { min: 0, max: 100, description })
const Amount = (description: string) => decimal(2, { max: 999_999_999_999, description })

export const TaxLineInput = z
  .strictObject({
    base: Amount('Base, in the currency of the document.'),
    vatRate: Rate('Percent. Default: the general rate on the day.').nullable().optional(),
    tax: Amount('VAT as the document says. Default: base × rate.').optional(),
    taxTreatment: Treatment.optional(),
    nature: OperationNature.optional(),
    surchargeRate: Rate('Equivalence surcharge in percent.').nullable().optional(),
    surcharge: Amount('Equivalence surcharge as the document says.').optional(),
    deductiblePct: Rate(
      'Part of the VAT that is deductible, in percent. Default 100, or 0 without invoice.',
    ).optional(),
    concept: ConceptCode.optional(),
    account: Account.optional(),
    investmentGood: z.boolean().optional(),
    description: line(200).optional(),
  })
  .meta({ id: 'ReceivedTaxLineInput' })
export type TaxLineInput = z.infer<typeof TaxLineInput>

const WithholdingReason = z.enum(['professional', 'rent', 'other'])

const DeductionPeriod = z
  .strictObject({ year: z.int().min(2000).max(2999), quarter: z.int().min(1).max(4) })
  .meta({ description: 'When the VAT is deducted later than it was received (art. 99.Tres LIVA).' })

const Property = z
  .strictObject({
    situation: z.int().min(1).max(5).meta({
      description:
        '1 common territory, 2 Basque Country, 3 Navarre, 4 without cadastral reference, 5 abroad.',
    }),
    cadastralReference: line(25).optional(),
  })
  .meta({ description: 'The property of a rent.' })

export const RectifiedReference = z.strictObject({ supplierNumber: line(60), issueDate: businessDate() })

/** These three keep their place in the published description; a text field added to the table comes last. */
const { supplierNumber, notes, externalRef, ...addedTexts } = textInputs(RECEIVED_HEADER)
const {
  supplierNumber: numberAnswer,
  notes: notesAnswer,
  externalRef: refAnswer,
  ...addedAnswers
} = textAnswers(RECEIVED_HEADER)

const receivedFields = {
  kind: ReceivedKind.optional(),
  supplierName: line(120),
  supplierNif: line(20).nullable().optional(),
  supplierId: PathId.nullable()
    .optional()
    .meta({ description: 'A contact; its data fill what is not sent.' }),
  supplier: z
    .strictObject({
      idType: IdType.nullable().optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .optional(),
      address: Address.nullable().optional(),
    })
    .optional(),
  supplierNumber,
  issueDate: businessDate(),
  receptionDate: businessDate('Day it was received, which decides its period. Default: today.').optional(),
  operationDate: businessDate('When it differs from the issue date.').nullable().optional(),
  dueDate: businessDate().nullable().optional(),
  taxLines: z.array(TaxLineInput).min(1).max(50),
  withholding: z
    .strictObject({
      rate: decimal(2, { min: 0, max: 50, description: 'Percent.' }),
      base: Amount('Default: the sum of the bases.').optional(),
      amount: Amount('As the document says. Default: base × rate.').optional(),
      reason: WithholdingReason.optional(),
    })
    .nullable()
    .optional()
    .meta({ description: 'Income tax that the company keeps back and pays for the supplier.' }),
  concept: ConceptCode.nullable().optional(),
  account: Account.nullable().optional(),
  investmentGood: z.boolean().optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'ISO 4217. Default EUR.' }),
  fxRate: decimal(6, { min: 0.000001, max: 999_999, description: 'Units of the currency for 1 EUR.' })
    .nullable()
    .optional(),
  paymentMethod: PaymentMethod.nullable().optional(),
  deductionPeriod: DeductionPeriod.nullable().optional(),
  cashAccounting: z
    .boolean()
    .optional()
    .meta({ description: 'The supplier is under cash accounting: the VAT is deducted when it is paid.' }),
  property: Property.nullable().optional(),
  rectifies: z.array(RectifiedReference).max(50).optional(),
  attachments: z.array(PathId).max(20).optional().meta({ description: 'Attachments already uploaded.' }),
  notes,
  externalRef,
  ...addedTexts,
}

export const ReceivedInput = z
  .strictObject({
    ...receivedFields,
    allowDuplicate: z
      .boolean()
      .optional()
      .meta({ description: 'Enter it although the same supplier, number and date stand already.' }),
  })
  .meta({ id: 'ReceivedInvoiceInput' })
export type ReceivedInput = z.infer<typeof ReceivedInput>

export const ReceivedTaxLine = z
  .strictObject({
    description: z.string().nullable(),
    base: euros('Base.'),
    vatRate: z.number().nullable(),
    tax: euros('VAT: charged, or self-assessed where `selfAssessed`.'),
    taxTreatment: Treatment,
    nature: OperationNature,
    regimeKey: z.string(),
    selfAssessed: z
      .boolean()
      .meta({ description: 'The company declares this VAT; the supplier did not charge it.' }),
    surchargeRate: z.number().nullable(),
    surcharge: euros('Equivalence surcharge.'),
    deductiblePct: z.number(),
    deductible: euros('VAT that may be deducted.'),
    concept: z.string(),
    account: z.string(),
    investmentGood: z.boolean(),
  })
  .meta({ id: 'ReceivedTaxLine' })
export type ReceivedTaxLine = z.infer<typeof ReceivedTaxLine>

const ReceivedPaymentStatus = z.enum(['unpaid', 'partial', 'paid', 'overdue', 'void'])

const summaryFields = {
  id: z.string(),
  receptionNumber: z
    .string()
    .meta({ description: 'Own correlative of the year, such as 2026-0001; empty for history.' }),
  state: ReceivedState,
  kind: ReceivedKind,
  supplierName: z.string(),
  supplierNif: z.string().nullable(),
  supplierId: z.string().nullable(),
  supplierNumber: numberAnswer,
  issueDate: businessDate(),
  receptionDate: businessDate(),
  dueDate: businessDate().nullable(),
  concept: z.string(),
  base: euros('Sum of the bases.'),
  tax: euros('VAT and surcharge that the supplier charged.'),
  total: euros('What the document says: base + tax, before withholding.'),
  payable: euros('What is paid for it: after withholding; for customs the VAT.'),
  amountDue: euros('Still to pay.'),
  currency: z.string(),
  payment: z.strictObject({ status: ReceivedPaymentStatus, paid: euros('Paid so far.') }),
  files: z.int().meta({ description: 'How many files are attached.' }),
  version: z.int(),
  createdAt: Instant,
}

export const ReceivedSummary = z.strictObject(summaryFields).meta({ id: 'ReceivedInvoiceSummary' })
export type ReceivedSummary = z.infer<typeof ReceivedSummary>

export const Received = z
  .strictObject({
    ...summaryFields,
    supplier: z.strictObject({
      name: z.string(),
      nif: z.string().nullable(),
      idType: IdType.nullable(),
      country: z.string(),
      address: Address.nullable(),
    }),
    operationDate: businessDate().nullable(),
    taxLines: z.array(ReceivedTaxLine),
    surcharge: euros('Equivalence surcharge, part of tax.'),
    selfAssessed: euros('VAT that the company declares itself.'),
    deductible: euros('VAT that may be deducted.'),
    withholding: z
      .strictObject({
        rate: z.number(),
        base: euros('Base.'),
        amount: euros('Kept back.'),
        reason: WithholdingReason,
      })
      .nullable(),
    fxRate: z.number().nullable(),
    currencyTotal: z.number().meta({ description: 'Total in the currency of the document.' }),
    paymentMethod: PaymentMethod.nullable(),
    deductionPeriod: DeductionPeriod.nullable(),
    cashAccounting: z.boolean(),
    property: Property.nullable(),
    rectifies: z.array(RectifiedReference),
    attachments: z.array(Attachment),
    notes: notesAnswer,
    externalRef: refAnswer,
    ...addedAnswers,
    voidedAt: Instant.nullable(),
  })
  .meta({ id: 'ReceivedInvoice' })
export type Received = z.infer<typeof Received>

const WithWarnings = z.strictObject({
  ...Received.shape,
  warnings: z.array(FaultShape).meta({ description: 'What to look at again.' }),
})

export const ReceivedSort = z.enum([
  'receptionDate',
  '-receptionDate',
  'number',
  '-number',
  'total',
  '-total',
  'dueDate',
  '-dueDate',
])
export type ReceivedSort = z.infer<typeof ReceivedSort>

const filterFields = {
  state: ReceivedState.optional(),
  kind: ReceivedKind.optional(),
  paymentStatus: z
    .enum([...ReceivedPaymentStatus.options, 'open'])
    .optional()
    .meta({ description: 'open: still to pay, so unpaid, partial and overdue together.' }),
  from: businessDate('First reception date.').optional(),
  to: businessDate('Last reception date.').optional(),
  supplier: PathId.optional().meta({ description: 'A contact.' }),
  nif: line(20).optional(),
  concept: ConceptCode.optional(),
  withoutFile: z.boolean().optional().meta({ description: 'Only those with no file attached.' }),
  text: z.string().max(100).optional(),
}
export type ReceivedFilter = z.infer<z.ZodObject<typeof filterFields>>
const ReceivedView = z.enum(['all', 'owed', 'overdue', 'withoutFile', 'history'])

/** Rows of a list by its filter, or some of them by identifier. */
const choiceFields = {
  ids: ChosenIds,
  ...filterFields,
  view: ReceivedView.optional(),
  sort: ReceivedSort.optional(),
}

const ListTotals = z.strictObject({
  count: z.int(),
  base: euros('Sum of bases, without void ones.'),
  tax: euros('Sum of VAT and surcharge charged.'),
  total: euros('Sum of totals.'),
  due: euros('Still to pay.'),
})

export const listReceivedContract = defineContract({
  name: 'received.list',
  summary: 'Received invoices and expenses, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices' },
  input: z.strictObject({
    ...filterFields,
    sort: ReceivedSort.optional(),
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
    totals: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(ReceivedSummary),
    nextCursor: z.string().nullable(),
    totals: ListTotals.optional(),
  }),
  errors: ['validation_failed'],
})

/** List of the window: by position, so that a scroll bar can jump. */
export const windowReceivedContract = defineContract({
  name: 'received.window',
  summary: 'A stretch of the list of received invoices by position, with totals and the counts of the views.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    ...filterFields,
    view: ReceivedView.optional(),
    sort: ReceivedSort.optional(),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(500).optional(),
    summary: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(ReceivedSummary),
    offset: z.int(),
    totals: ListTotals.optional(),
    views: z
      .strictObject({
        all: z.int(),
        owed: z.int(),
        overdue: z.int(),
        withoutFile: z.int(),
        history: z.int(),
      })
      .optional(),
  }),
  errors: ['validation_failed'],
})

export const exportReceivedContract = defineContract({
  name: 'received.export',
  summary: 'Received invoices as a CSV file, in the order of the list.',
  description:
    'UTF-8 with its mark, semicolons, decimal commas and days as DD/MM/YYYY, as a Spanish spreadsheet opens it. The titles are those of the import.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/received-invoices/export' },
  media: 'text/csv; charset=utf-8',
  input: z.strictObject(choiceFields),
  output: StreamAnswer,
  errors: ['validation_failed', 'not_found'],
})

export const receivedFilesContract = defineContract({
  name: 'received.files',
  summary: 'The files attached to received invoices as one ZIP.',
  description:
    'A ZIP that is made while it is sent: the files as they came, each under the reception number, and `indice.csv`, which also names the invoices without one, and what did not fit into the 4 GB of a ZIP as every program reads it.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/received-invoices/files' },
  media: 'application/zip',
  input: z.strictObject(choiceFields),
  output: StreamAnswer,
  errors: ['validation_failed', 'not_found'],
})

export const createReceivedContract = defineContract({
  name: 'received.create',
  summary: 'Enter a received invoice or an expense. It gets the next reception number of its year.',
  description:
    'If all files of an incoming document that was read are attached, that document counts as entered by it; a file that `received.read` showed in the last hour becomes one. What was read is then compared with what was entered, and remembered of the supplier.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/received-invoices', status: 201 },
  input: ReceivedInput,
  output: WithWarnings,
  errors: ['validation_failed', 'account_unknown', 'received_duplicate', 'period_locked'],
})

export const previewReceivedContract = defineContract({
  name: 'received.preview',
  summary:
    'The sums, warnings and duplicates of a received invoice before it is entered; nothing is written.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({ ...ReceivedInput.shape, id: PathId.optional() }),
  output: z.strictObject({
    taxLines: z.array(ReceivedTaxLine),
    base: euros('Sum of the bases.'),
    tax: euros('VAT and surcharge that the supplier charged.'),
    surcharge: euros('Equivalence surcharge.'),
    selfAssessed: euros('VAT that the company declares itself.'),
    deductible: euros('VAT that may be deducted.'),
    withheld: euros('Kept back.'),
    total: euros('Total of the document.'),
    payable: euros('To pay.'),
    currencyTotal: z.number(),
    period: z.strictObject({ year: z.int(), quarter: z.int() }),
    duplicate: z.strictObject({ id: z.string(), receptionNumber: z.string() }).nullable(),
    warnings: z.array(FaultShape),
  }),
  errors: ['validation_failed'],
})

export const getReceivedContract = defineContract({
  name: 'received.get',
  summary: 'One received invoice with its tax lines and files.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices/:id' },
  input: z.strictObject({ id: PathId.meta({ description: 'Identifier or reception number.' }) }),
  output: Received,
  errors: ['not_found'],
})

export const updateReceivedContract = defineContract({
  name: 'received.update',
  summary: 'Change a received invoice while its period is open. Figures and ledger follow at once.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/received-invoices/:id' },
  input: z.strictObject({
    id: PathId,
    ...receivedFields,
    supplierName: receivedFields.supplierName.optional(),
    issueDate: receivedFields.issueDate.optional(),
    taxLines: receivedFields.taxLines.optional(),
    allowDuplicate: z.boolean().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: WithWarnings,
  errors: [
    'not_found',
    'version_conflict',
    'validation_failed',
    'account_unknown',
    'received_duplicate',
    'received_void',
    'before_these_books',
    'period_locked',
  ],
})

export const voidReceivedContract = defineContract({
  name: 'received.void',
  summary:
    'Take a received invoice out of the books. Its reception number stays taken, so that there is no gap.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/received-invoices/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: Received,
  errors: [
    'not_found',
    'version_conflict',
    'received_void',
    'before_these_books',
    'received_paid',
    'period_locked',
  ],
})

export const restoreReceivedContract = defineContract({
  name: 'received.restore',
  summary: 'Bring a void received invoice back into the books, as it was, while its days are open.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/received-invoices/:id/restore' },
  input: z.strictObject({
    id: PathId,
    allowDuplicate: z.boolean().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: Received,
  errors: ['not_found', 'version_conflict', 'received_not_void', 'received_duplicate', 'period_locked'],
})

export const attachReceivedContract = defineContract({
  name: 'received.attach',
  summary: 'Attach a file, already uploaded, to a received invoice.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/received-invoices/:id/attachments' },
  input: z.strictObject({ id: PathId, attachmentId: PathId }),
  output: Received,
  errors: ['not_found', 'received_void'],
})

export const detachReceivedContract = defineContract({
  name: 'received.detach',
  summary: 'Take a file off a received invoice while its period is open.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/received-invoices/:id/attachments/:attachmentId' },
  input: z.strictObject({ id: PathId, attachmentId: PathId, expectedVersion: z.int().optional() }),
  output: Received,
  errors: ['not_found', 'period_locked', 'received_void', 'version_conflict'],
})

const Concept = z
  .strictObject({
    code: z.string(),
    name: z.string().meta({ description: 'In Spanish, as the books name it.' }),
    account: z.string().meta({ description: 'Usual account of the chart of accounts.' }),
    investmentAccount: z.string().nullable(),
    vat: z.boolean().meta({ description: 'Usually bears VAT.' }),
    from: businessDate().nullable(),
    to: businessDate().nullable(),
  })
  .meta({ id: 'ExpenseConcept' })

export const conceptsContract = defineContract({
  name: 'received.concepts',
  summary: "Concepts of expense of the authority's unified books, with their usual account.",
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/received-invoices/concepts' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Concept) }),
  errors: [],
})
