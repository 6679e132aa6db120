/** Contracts of templates and recurring invoices. They only make drafts; a person issues them. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, decimal, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { PaymentTermShape } from '../../catalog/contacts/contract.ts'
import { INSTALMENTS } from '../../domain/tax/instalments.ts'
import { Invoice, recurringFields } from '../invoices/contract.ts'
import { WEEKDAYS } from './weekdays.ts'

const content = recurringFields

const lasting = { ...content, kind: z.enum(['F1', 'F2']).optional() }
const paymentTerms = z
  .array(PaymentTermShape)
  .min(INSTALMENTS.min)
  .max(INSTALMENTS.max)
  .nullable()
  .optional()
  .meta({
    description: 'Instalments of each invoice, counted from the day of its draft; in place of dueDays.',
  })

export const RecurringContent = z.strictObject({ ...lasting, paymentTerms }).meta({
  id: 'RecurringContent',
  description:
    'As in a draft. Texts may hold {mes}, {año}, {trimestre}, {periodo} and {fecha} (or {month}, {year}, {quarter}, {period}, {date}), also the one before or after: {mes-1}, {periodo+1}.',
})
export type RecurringContent = z.infer<typeof RecurringContent>

export const TemplateContent = z
  .strictObject({ ...lasting, clientName: content.clientName.optional() })
  .meta({ id: 'TemplateContent', description: 'As in a draft; the customer may be left out.' })
export type TemplateContent = z.infer<typeof TemplateContent>

// ---- Templates. ----

export const Template = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    invoice: TemplateContent,
    total: z.number().meta({ description: 'Of its lines, in its currency.' }),
    usedAt: Instant.nullable(),
    version: z.int(),
    createdAt: Instant,
  })
  .meta({ id: 'Template' })
export type Template = z.infer<typeof Template>

const templateName = line(80)

export const listTemplatesContract = defineContract({
  name: 'templates.list',
  summary: 'The templates of the book, the one used last first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/templates' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Template), nextCursor: z.null() }),
  errors: [],
})

export const createTemplateContract = defineContract({
  name: 'templates.create',
  summary: 'Keep a content as a template, or that of an invoice.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/templates', status: 201 },
  input: z.strictObject({
    name: templateName,
    invoice: TemplateContent.optional(),
    fromInvoice: PathId.optional().meta({
      description: 'Instead of invoice: id or number of one whose content is taken.',
    }),
    withClient: z
      .boolean()
      .optional()
      .meta({ description: 'With fromInvoice: keep the customer too. Default false.' }),
  }),
  output: Template,
  errors: ['validation_failed', 'not_found'],
})

export const getTemplateContract = defineContract({
  name: 'templates.get',
  summary: 'One template.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/templates/:id' },
  input: z.strictObject({ id: PathId }),
  output: Template,
  errors: ['not_found'],
})

export const updateTemplateContract = defineContract({
  name: 'templates.update',
  summary: 'Rename a template or replace its content.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/templates/:id' },
  input: z.strictObject({
    id: PathId,
    name: templateName.optional(),
    invoice: TemplateContent.optional(),
    expectedVersion: z.int().optional(),
  }),
  output: Template,
  errors: ['not_found', 'version_conflict', 'validation_failed'],
})

export const deleteTemplateContract = defineContract({
  name: 'templates.delete',
  summary: 'Delete a template. Invoices made from it stay.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/templates/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict'],
})

export const useTemplateContract = defineContract({
  name: 'templates.use',
  summary: 'A new invoice draft from a template.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/templates/:id/use', status: 201, location: '/invoices/{id}' },
  input: z.strictObject({
    id: PathId,
    clientName: content.clientName
      .optional()
      .meta({ description: 'Required when the template has no customer.' }),
    clientNif: content.clientNif,
    clientId: content.clientId,
    client: content.client,
  }),
  output: Invoice,
  errors: ['not_found', 'validation_failed'],
})

// ---- Recurring invoices. ----

export const RecurrenceRule = z
  .strictObject({
    freq: z.enum(['weekly', 'monthly', 'yearly']),
    interval: z
      .int()
      .min(1)
      .max(60)
      .optional()
      .meta({ description: 'Every so many weeks, months or years. Default 1.' }),
    start: businessDate('First day.'),
    byMonthDay: z.int().min(1).max(31).optional().meta({
      description:
        'Monthly: day of the month; 29 to 31 mean the last day of shorter months. Default: of start.',
    }),
    byWeekday: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .optional()
      .meta({ description: 'Weekly: which days. Monthly, with nth: the one day.' }),
    nth: z
      .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(-1)])
      .optional()
      .meta({ description: 'Monthly: which byWeekday of the month, -1 the last.' }),
    until: businessDate('Last day.').optional(),
    count: z.int().min(1).max(999).optional().meta({ description: 'How many times in all, from start.' }),
  })
  .meta({ id: 'RecurrenceRule' })
export type RecurrenceRule = z.infer<typeof RecurrenceRule>

export const PriceUpdate = z
  .strictObject({
    date: businessDate('From this day on.'),
    percent: decimal(2, { min: -99, max: 1000, description: 'By how much prices change.' }),
    note: line(80).optional(),
  })
  .meta({ id: 'PriceUpdate' })
export type PriceUpdate = z.infer<typeof PriceUpdate>

const summaryFields = {
  id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'paused', 'ended']),
  rule: RecurrenceRule,
  next: businessDate('Day of the next draft.').nullable(),
  clientName: z.string(),
  currency: z.string(),
  total: z.number().meta({ description: 'Of the next draft, in its currency.' }),
  waiting: z.int().meta({ description: 'Prepared drafts that nobody has issued yet.' }),
  trouble: z
    .strictObject({ code: z.string(), field: z.string().optional(), message: z.string() })
    .nullable()
    .meta({ description: 'Why the next draft could not be prepared.' }),
  version: z.int(),
  createdAt: Instant,
}

export const RecurrenceSummary = z.strictObject(summaryFields).meta({ id: 'RecurrenceSummary' })
export type RecurrenceSummary = z.infer<typeof RecurrenceSummary>

const Occurrence = z
  .strictObject({
    date: businessDate(),
    skipped: z.boolean(),
    total: z.number(),
    description: z.string().meta({ description: 'Of the first line, as it will read.' }),
  })
  .meta({ id: 'Occurrence' })

export const Recurrence = z
  .strictObject({
    ...summaryFields,
    ruleText: z.string().meta({ description: 'RFC 5545.' }),
    dueDays: z.int().nullable(),
    invoice: RecurringContent,
    clientId: z.string().nullable(),
    priceUpdates: z.array(PriceUpdate),
    upcoming: z.array(Occurrence).meta({ description: 'The next twelve days.' }),
    days: z
      .array(
        z.strictObject({
          date: businessDate(),
          outcome: z.enum(['draft', 'skipped']),
          at: Instant,
          invoice: z
            .strictObject({
              id: z.string(),
              number: z.string().nullable(),
              state: z.enum(['draft', 'issued', 'history']),
              total: z.number(),
            })
            .nullable()
            .meta({ description: 'Null when it was skipped, or the draft deleted.' }),
        }),
      )
      .meta({ description: 'What became of past days, newest first; at most 50.' }),
    links: z.strictObject({ self: z.string() }),
  })
  .meta({ id: 'Recurrence' })
export type Recurrence = z.infer<typeof Recurrence>

const recurrenceFields = {
  name: line(80),
  rule: RecurrenceRule,
  dueDays: z
    .int()
    .min(0)
    .max(365)
    .nullable()
    .optional()
    .meta({ description: 'Payment term in days from the day of the draft.' }),
  priceUpdates: z.array(PriceUpdate).max(60).optional(),
}

export const listRecurrencesContract = defineContract({
  name: 'recurring.list',
  summary: 'The recurring invoices, the next one first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/recurring' },
  input: z.strictObject({
    text: line(100).optional(),
    state: z.enum(['active', 'paused', 'ended']).optional(),
    client: PathId.optional(),
    invoice: PathId.optional().meta({ description: 'Id of an invoice: the recurrence that prepared it.' }),
  }),
  output: z.strictObject({ items: z.array(RecurrenceSummary), nextCursor: z.null() }),
  errors: ['validation_failed'],
})

export const createRecurrenceContract = defineContract({
  name: 'recurring.create',
  summary: 'Prepare an invoice draft again and again. Days before today are not made up for.',
  access: 'invoices.write',
  effect: 'write',
  bringsNew: true,
  rest: { method: 'POST', path: '/recurring', status: 201 },
  input: z.strictObject({
    ...recurrenceFields,
    invoice: RecurringContent.optional(),
    fromInvoice: PathId.optional().meta({
      description: 'Instead of invoice: id or number of one whose content is taken.',
    }),
  }),
  output: Recurrence,
  errors: ['validation_failed', 'not_found'],
})

export const getRecurrenceContract = defineContract({
  name: 'recurring.get',
  summary: 'One recurring invoice with its next twelve days and what became of the past ones.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/recurring/:id' },
  input: z.strictObject({ id: PathId }),
  output: Recurrence,
  errors: ['not_found'],
})

export const updateRecurrenceContract = defineContract({
  name: 'recurring.update',
  summary: 'Change a recurring invoice from its next day on. Drafts already prepared stay as they are.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/recurring/:id' },
  input: z.strictObject({
    id: PathId,
    name: recurrenceFields.name.optional(),
    rule: RecurrenceRule.optional(),
    dueDays: recurrenceFields.dueDays,
    priceUpdates: recurrenceFields.priceUpdates,
    invoice: RecurringContent.optional(),
    expectedVersion: z.int().optional(),
  }),
  output: Recurrence,
  errors: ['not_found', 'version_conflict', 'validation_failed'],
})

export const deleteRecurrenceContract = defineContract({
  name: 'recurring.delete',
  summary: 'Delete a recurring invoice. Invoices and drafts made by it stay.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/recurring/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict'],
})

export const pauseRecurrenceContract = defineContract({
  name: 'recurring.pause',
  summary: 'Prepare no more drafts until it is resumed.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/recurring/:id/pause' },
  input: z.strictObject({ id: PathId }),
  output: Recurrence,
  errors: ['not_found'],
})

export const resumeRecurrenceContract = defineContract({
  name: 'recurring.resume',
  summary: 'Go on preparing drafts. The days of the pause are left out unless catchUp says otherwise.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/recurring/:id/resume' },
  input: z.strictObject({ id: PathId, catchUp: z.boolean().optional() }),
  output: Recurrence,
  errors: ['not_found'],
})

export const skipRecurrenceContract = defineContract({
  name: 'recurring.skip',
  summary: 'Leave one day out, the next one unless named; with undo, take it in again.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/recurring/:id/skip' },
  input: z.strictObject({ id: PathId, date: businessDate().optional(), undo: z.boolean().optional() }),
  output: Recurrence,
  errors: ['not_found', 'recurrence_ended', 'validation_failed'],
})

export const runRecurrenceContract = defineContract({
  name: 'recurring.run',
  summary: 'Prepare the next draft now instead of on its day.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/recurring/:id/run', status: 201, location: '/invoices/{invoice.id}' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ invoice: Invoice, recurrence: Recurrence }),
  errors: ['not_found', 'recurrence_ended', 'validation_failed'],
})

/** Preview for the dialog while a rule is being typed. */
export const previewRecurrenceContract = defineContract({
  name: 'recurring.preview',
  summary: 'The days of a rule and the texts and amounts of its drafts, without keeping anything.',
  access: 'invoices.read',
  effect: 'read',
  input: z.strictObject({
    rule: RecurrenceRule,
    priceUpdates: recurrenceFields.priceUpdates,
    invoice: RecurringContent.optional(),
    fromInvoice: PathId.optional(),
  }),
  output: z.strictObject({ ruleText: z.string(), upcoming: z.array(Occurrence) }),
  errors: ['validation_failed', 'not_found'],
})
