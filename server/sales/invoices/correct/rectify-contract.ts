/** Contracts for rectifying and substituting issued invoices. Both make drafts: neither issues anything. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { businessDate, decimal, euros, FaultShape, line, PathId } from '../../../domain/contract/fields.ts'
import { Invoice, TaxBreakdown } from '../contract.ts'
import {
  ClientInput,
  InvoiceKind,
  InvoiceLineInput,
  InvoiceReferenceInput,
  RectificationCause,
} from '../draft/draft-input.ts'
import { MAX_LINES } from '../limits.ts'

const RectifyMethod = z.enum(['S', 'I']).meta({
  description: 'I: the draft says the difference, such as −20.00. S: it says the right figures of the whole.',
})

/** Part of the invoice to credit; at most one of these, and without any of them all that is left. */
const wanted = {
  lines: z
    .array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .max(MAX_LINES - 1)
          .meta({ description: 'Position in the invoice, from 0.' }),
        quantity: decimal(6, {
          max: 999_999_999,
          description: 'How many of it; default: all.',
        }).optional(),
        amount: decimal(2, {
          max: 999_999_999,
          description: 'Instead of a quantity: this much of the line, in its prices.',
        }).optional(),
      }),
    )
    .min(1)
    .max(MAX_LINES)
    .optional()
    .meta({ description: 'These lines, whole or in part.' }),
  percent: decimal(2, { min: 0.01, max: 100, description: 'This part of every line.' }).optional(),
  amount: decimal(2, {
    min: 0.01,
    max: 999_999_999_999,
    description: 'This much of the total, tax included; shared by its taxes.',
  }).optional(),
  newLines: z
    .array(InvoiceLineInput)
    .min(1)
    .max(MAX_LINES)
    .optional()
    .meta({ description: 'The lines as they should have been. With method I Sello puts the difference.' }),
}

const newClient = {
  clientName: line(120).optional(),
  clientNif: line(20).nullable().optional(),
  clientId: PathId.nullable().optional(),
  client: ClientInput.optional(),
}

const rectifyInput = {
  id: PathId.meta({ description: 'Identifier (inv_…) or number of the issued invoice.' }),
  cause: RectificationCause,
  method: RectifyMethod.optional(),
  reason: line(300)
    .nullable()
    .optional()
    .meta({ description: 'As it is to stand on the paper. Default: the cause in words.' }),
  ...wanted,
  ...newClient,
  issueDate: businessDate('Default: the day of issue.').nullable().optional(),
}

const ERRORS = [
  'not_found',
  'invoice_number_ambiguous',
  'invoice_not_issued',
  'before_these_books',
  'invoice_not_in_force',
  'invoice_replaced',
  'nothing_left_to_rectify',
  'validation_failed',
  'series_wrong_kind',
] as const

export const rectifyInvoiceContract = defineContract({
  name: 'invoices.rectify',
  summary: 'Make the draft that rectifies an issued invoice: credit it in whole or in part, or put it right.',
  description:
    'The cause decides the kind (R1 to R5); `assumptions` says why. Without lines, percent, amount or newLines all that is left of the invoice is credited. The draft names the invoice, takes its customer and its taxes, and is issued like any other: validate, issue.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/invoices/:id/rectify', status: 201, location: '/invoices/{id}' },
  input: z.strictObject(rectifyInput),
  output: Invoice,
  errors: [...ERRORS],
})

const RectifyOption = z.strictObject({
  cause: RectificationCause,
  kind: InvoiceKind.nullable().meta({ description: 'Null: the cause does not fit this invoice.' }),
  article: z.string(),
  why: z.string(),
  text: z.string().meta({ description: 'The reason as it is printed when no other is given.' }),
  methods: z.array(RectifyMethod).meta({ description: 'The usual one first.' }),
  warnings: z.array(FaultShape).meta({ description: 'What the law asks and Sello cannot see.' }),
})

const Sums = {
  taxBreakdown: z.array(TaxBreakdown),
  base: euros('Sum of taxable bases.'),
  tax: euros('VAT plus surcharge.'),
  total: euros('Before withholding.'),
}

export const rectifyOptionsContract = defineContract({
  name: 'invoices.rectifyOptions',
  summary: 'What an issued invoice can be rectified for, how, and how much of it is left.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/rectify' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({
    id: z.string(),
    number: z.string(),
    kind: InvoiceKind,
    currency: z.string(),
    priceMode: z.enum(['net', 'gross']),
    rectified: z.enum(['no', 'partly', 'fully']),
    replacedBy: z
      .strictObject({ id: z.string(), number: z.string() })
      .nullable()
      .meta({ description: 'A substitution took its place: rectify that one.' }),
    left: z.strictObject(Sums).meta({
      description: 'The invoice with its rectifications, in its currency: what can still be credited.',
    }),
    lines: z
      .array(
        z.strictObject({
          index: z.int(),
          description: z.string(),
          quantity: z.number(),
          net: z.number().meta({ description: 'Before a discount of the document.' }),
        }),
      )
      .meta({ description: 'Of the invoice, as issued.' }),
    drafts: z
      .array(z.strictObject({ id: z.string() }))
      .meta({ description: 'Rectifying drafts of it that are under way.' }),
    lastDay: businessDate('The last day on which its VAT can be changed.'),
    causes: z.array(RectifyOption),
  }),
  errors: ['not_found', 'invoice_number_ambiguous', 'invoice_not_issued', 'before_these_books'],
})

/** Preview of the window: the input of the operation itself, nothing written. */
export const previewRectificationContract = defineContract({
  name: 'invoices.previewRectification',
  summary: 'What the rectifying draft would say, without making it.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject(rectifyInput),
  output: z.strictObject({
    kind: InvoiceKind,
    method: RectifyMethod,
    lines: z.array(z.strictObject({ description: z.string(), quantity: z.number(), net: z.number() })),
    ...Sums,
    leftAfter: z
      .number()
      .meta({ description: 'Total of the invoice with all its rectifications, this one too.' }),
    issues: z.array(FaultShape),
  }),
  errors: [...ERRORS],
})

export const substituteInvoicesContract = defineContract({
  name: 'invoices.substitute',
  summary:
    'Make the complete invoice (F3) that takes the place of issued tickets, for a customer who asks for one.',
  description:
    'Takes the lines of the tickets with their exact sums; VAT is not counted twice. Tickets made with another program are named by series, number and issueDate, and need `lines`.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/invoices/substitute', status: 201, location: '/invoices/{id}' },
  input: z.strictObject({
    invoices: z.array(InvoiceReferenceInput).min(1).max(100),
    clientName: line(120),
    clientNif: line(20).nullable().optional(),
    clientId: PathId.nullable().optional(),
    client: ClientInput.optional(),
    lines: z
      .array(InvoiceLineInput)
      .min(1)
      .max(MAX_LINES)
      .optional()
      .meta({ description: 'Of tickets made elsewhere. Default: the lines of the tickets of this book.' }),
    priceMode: z.enum(['net', 'gross']).optional().meta({ description: 'Of `lines`.' }),
  }),
  output: Invoice,
  errors: ['validation_failed', 'series_wrong_kind'],
})
