/**
 * Contracts of quotes, proformas and delivery notes: they are no invoices and never registered; they are converted to
 * invoices later.
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
import { DOCUMENT_LANGUAGES } from '../../domain/languages.ts'
import {
  Invoice,
  InvoiceLine,
  ListTotals,
  Party,
  PaymentMethod,
  quoteFields,
  TaxBreakdown,
} from '../invoices/contract.ts'

export const QuoteKind = z.enum(['quote', 'proforma', 'delivery_note']).meta({
  description: 'quote (presupuesto), proforma, delivery_note (albarán).',
})
export type QuoteKind = z.infer<typeof QuoteKind>

/** State of a quote. `expired` and `invoiced` are not stored: they follow from the day and from the invoices made. */
export const QuoteState = z.enum(['draft', 'sent', 'accepted', 'rejected', 'expired', 'invoiced'])
export type QuoteState = z.infer<typeof QuoteState>

/** Fields of a draft that a quote may have. */
export type QuoteContentInput = z.infer<typeof QuoteContent>
const content = quoteFields

const own = {
  date: businessDate('Day of the document. Default: today.').optional(),
  validUntil: businessDate('Last day on which it may be accepted.').nullable().optional(),
  hidePrices: z
    .boolean()
    .optional()
    .meta({ description: 'Of a delivery note: the document shows quantities only.' }),
}

export const QuoteContent = z.strictObject(content)
export const QUOTE_CONTENT_FIELDS = Object.keys(content) as (keyof QuoteContentInput)[]

const QuoteInput = z
  .strictObject({ kind: QuoteKind.optional().meta({ description: 'Default quote.' }), ...own, ...content })
  .meta({ id: 'QuoteInput' })
const QuoteChanges = z.strictObject({
  ...own,
  ...content,
  clientName: content.clientName.optional(),
  lines: content.lines.optional(),
})
const summaryFields = {
  id: z.string(),
  kind: QuoteKind,
  number: z
    .string()
    .nullable()
    .meta({ description: 'Given when it is first sent; never an invoice number.' }),
  state: QuoteState,
  date: businessDate(),
  validUntil: businessDate().nullable(),
  clientName: z.string(),
  clientNif: z.string().nullable(),
  currency: z.string().meta({ description: 'Of the amounts.' }),
  base: z.number().meta({ description: 'Sum of taxable bases, in the currency.' }),
  tax: z.number().meta({ description: 'VAT plus surcharge, in the currency.' }),
  total: z.number().meta({ description: 'In the currency, before withholding.' }),
  invoices: z.int().meta({ description: 'How many invoices and drafts were made from it.' }),
  revision: z.int().meta({ description: 'Grows when a document that was sent is changed.' }),
  version: z.int(),
  createdAt: Instant,
}

export const QuoteSummary = z.strictObject(summaryFields).meta({ id: 'QuoteSummary' })
export type QuoteSummary = z.infer<typeof QuoteSummary>

export const QuoteConversion = z
  .strictObject({
    invoiceId: z.string(),
    number: z.string().nullable().meta({ description: 'Null while the invoice is a draft.' }),
    state: z.enum(['draft', 'issued', 'cancelled']),
    kind: z.enum(['lines', 'deposit']),
    percentage: z.number().optional(),
    total: euros('Of that invoice.'),
    at: Instant,
  })
  .meta({ id: 'QuoteConversion' })
export type QuoteConversion = z.infer<typeof QuoteConversion>

export const QuoteAction = z.enum([
  'edit',
  'delete',
  'send',
  'accept',
  'reject',
  'convert',
  'deposit',
  'duplicate',
  'pdf',
])

export type QuoteAction = z.infer<typeof QuoteAction>

export const Quote = z
  .strictObject({
    ...summaryFields,
    hidePrices: z.boolean(),
    lines: z.array(
      z.strictObject({
        ...InvoiceLine.shape,
        invoiced: z.number().meta({ description: 'Quantity that stands on invoices made from it.' }),
        open: z.number().meta({ description: 'Quantity still to be invoiced.' }),
      }),
    ),
    taxBreakdown: z.array(TaxBreakdown),
    surcharge: z.number(),
    disbursements: z.number(),
    withholding: z.strictObject({ rate: z.number(), base: z.number(), amount: z.number() }).optional(),
    amountDue: z.number().meta({ description: 'After withholding, in the currency.' }),
    client: Party,
    clientId: z.string().nullable(),
    priceMode: z.enum(['net', 'gross']),
    discountPct: z.number().nullable(),
    discountAmount: z.number().nullable(),
    fxRate: z.number().nullable(),
    notes: z.string().nullable(),
    language: z.enum(DOCUMENT_LANGUAGES),
    paymentMethod: PaymentMethod.nullable(),
    externalRef: z.string().nullable(),
    content: QuoteContent.meta({
      description: 'What was entered with everything inferred written out: to change it, or to make another.',
    }),
    conversions: z.array(QuoteConversion),
    deposits: z
      .number()
      .meta({ description: 'Deposits invoiced and not taken off an invoice yet, in the currency.' }),
    revisions: z.array(
      z.strictObject({ revision: z.int(), date: businessDate(), total: z.number(), replacedAt: Instant }),
    ),
    sentAt: Instant.optional(),
    decidedAt: Instant.optional(),
    actions: z.array(QuoteAction).meta({ description: 'What may be done next.' }),
    links: z.strictObject({ self: z.string(), pdf: z.string() }),
    assumptions: Invoice.shape.assumptions,
    warnings: z.array(FaultShape).optional(),
  })
  .meta({ id: 'Quote' })
export type Quote = z.infer<typeof Quote>

const filterFields = {
  kind: QuoteKind.optional(),
  state: QuoteState.optional(),
  from: businessDate().optional(),
  to: businessDate().optional(),
  client: PathId.optional().meta({ description: 'Contact id.' }),
  invoice: PathId.optional().meta({ description: 'Id of an invoice: the quotes it was made from.' }),
  text: line(100).optional().meta({ description: "Part of the number, the customer's name or NIF." }),
}
export const QuoteFilter = z.strictObject(filterFields)
export type QuoteFilter = z.infer<typeof QuoteFilter>

export const listQuotesContract = defineContract({
  name: 'quotes.list',
  summary: 'List quotes, proformas and delivery notes, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/quotes' },
  input: z.strictObject({
    ...filterFields,
    limit: z.int().min(1).max(100).optional().meta({ description: 'Default 25.' }),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(QuoteSummary), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const windowQuotesContract = defineContract({
  name: 'quotes.window',
  summary: 'A stretch of the list of quotes by position, with the counts of the saved views.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    ...filterFields,
    /** Saved view that restricts the filter. */
    view: z.enum(['all', 'drafts', 'waiting', 'to_invoice', 'closed']).optional(),
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(500).optional(),
    summary: z.boolean().optional(),
  }),
  output: z.strictObject({
    items: z.array(QuoteSummary),
    offset: z.int(),
    totals: ListTotals.optional(),
    views: z
      .strictObject({ all: z.int(), drafts: z.int(), waiting: z.int(), to_invoice: z.int(), closed: z.int() })
      .optional(),
  }),
  errors: ['validation_failed'],
})

export const createQuoteContract = defineContract({
  name: 'quotes.create',
  summary: 'Create a quote, proforma or delivery note. It has no number until it is sent.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/quotes', status: 201 },
  input: QuoteInput,
  output: Quote,
  errors: ['validation_failed'],
})

export const getQuoteContract = defineContract({
  name: 'quotes.get',
  summary: 'One quote with what was invoiced of it, by identifier or number.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/quotes/:id' },
  input: z.strictObject({ id: PathId.meta({ description: 'Identifier (quo_…) or number (P2026-0001).' }) }),
  output: Quote,
  errors: ['not_found'],
})

export const updateQuoteContract = defineContract({
  name: 'quotes.update',
  summary:
    'Change a quote. One that was sent keeps its number, becomes a draft of its next revision, and what it said is kept.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/quotes/:id' },
  input: z.strictObject({ id: PathId, ...QuoteChanges.shape, expectedVersion: z.int().optional() }),
  output: Quote,
  errors: ['not_found', 'quote_invoiced', 'version_conflict', 'validation_failed'],
})

export const deleteQuoteContract = defineContract({
  name: 'quotes.delete',
  summary: 'Delete a quote of which nothing was invoiced. Its number is not given again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/quotes/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'quote_invoiced', 'version_conflict'],
})

export const setQuoteStateContract = defineContract({
  name: 'quotes.setState',
  summary: 'Say that a quote was sent, accepted or rejected. The first time it gets its number.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/quotes/:id/state' },
  input: z.strictObject({
    id: PathId,
    state: z.enum(['sent', 'accepted', 'rejected']),
    expectedVersion: z.int().optional(),
  }),
  output: Quote,
  errors: ['not_found', 'quote_invoiced', 'version_conflict'],
})

export const duplicateQuoteContract = defineContract({
  name: 'quotes.duplicate',
  summary:
    'A new quote with the same content and today’s date; also a delivery note or proforma from a quote.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/quotes/:id/duplicate', status: 201, location: '/quotes/{id}' },
  input: z.strictObject({
    id: PathId,
    kind: QuoteKind.optional().meta({ description: 'Default: the same.' }),
  }),
  output: Quote,
  errors: ['not_found'],
})

export const convertQuoteContract = defineContract({
  name: 'quotes.convert',
  summary: 'Make an invoice draft from a quote: all that is left, some lines, a share of it, or a deposit.',
  description:
    'Without lines, percentage or depositPct everything that is left is taken. Deposits invoiced before are taken off. Never more than the quote says. Nothing is issued.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/quotes/:id/convert', status: 201, location: '/invoices/{invoice.id}' },
  input: z.strictObject({
    id: PathId,
    lines: z
      .array(
        z.strictObject({
          position: z.int().min(0).max(499).meta({ description: 'Position in `lines`, from 0.' }),
          quantity: decimal(6, { max: 999_999_999 })
            .optional()
            .meta({ description: 'Default: all that is open.' }),
        }),
      )
      .min(1)
      .max(500)
      .optional(),
    percentage: decimal(2, {
      min: 0.01,
      max: 100,
      description: 'That share of the quantity of each line.',
    }).optional(),
    depositPct: decimal(2, {
      min: 0.01,
      max: 100,
      description: 'A deposit of that share of the total.',
    }).optional(),
    also: z.array(PathId).max(50).optional().meta({
      description: 'Further documents of the same customer for the same invoice; all that is left of each.',
    }),
    kind: z.enum(['F1', 'F2']).optional().meta({ description: 'Of the invoice. Default F1.' }),
    expectedVersion: z.int().optional(),
  }),
  output: z.strictObject({ invoice: Invoice, quote: Quote }),
  errors: ['not_found', 'quote_nothing_left', 'version_conflict', 'validation_failed'],
})

export const quotePdfContract = defineContract({
  name: 'quotes.pdf',
  summary: 'The PDF of a quote, proforma or delivery note.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/quotes/:id/pdf' },
  input: z.strictObject({ id: PathId }),
  output: BytesAnswer,
  media: 'application/pdf',
  errors: ['not_found'],
})

export const previewQuoteContract = defineContract({
  name: 'quotes.preview',
  summary: 'The PDF of a quote as it would be if it were kept now; nothing is.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    ...QuoteInput.shape,
    id: PathId.optional().meta({ description: 'Of the quote that is being changed.' }),
  }),
  output: BytesAnswer,
  media: 'application/pdf',
  errors: ['not_found', 'validation_failed'],
})
