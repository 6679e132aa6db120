/** Contracts of payment reminders: overdue customers, the reminder letter, and the history of reminders. */
import { z } from 'zod'
import { defineContract } from '../../../domain/contract/define-contract.ts'
import { INSTALMENTS } from '../../../domain/tax/instalments.ts'
import { businessDate, euros, Instant, PathId } from '../../../domain/contract/fields.ts'
import { DOCUMENT_LANGUAGES } from '../../../domain/languages.ts'

const Level = z
  .int()
  .min(1)
  .max(3)
  .meta({ description: '1 friendly, 2 firm (with interest), 3 last before legal steps.' })
const Language = z.enum(DOCUMENT_LANGUAGES)
const LetterLevel = z
  .int()
  .min(0)
  .max(3)
  .meta({ description: '0 before the due date or on it, 1 friendly, 2 firm, 3 last before legal steps.' })
const ReminderChannel = z.enum(['letter', 'email', 'phone', 'other'])

const figures = {
  amountDue: euros('Unpaid.'),
  interest: euros('For late payment until the day (Ley 3/2004), also of what was paid late.'),
  recovery: euros('Fixed compensation for the costs of recovery.'),
}

const LateInvoice = z.strictObject({
  id: z.string(),
  instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
  number: z.string(),
  history: z.literal(true).optional().meta({ description: 'Of an earlier program.' }),
  issueDate: businessDate(),
  dueDate: businessDate(),
  daysLate: z.int(),
  ...figures,
  reminders: z.int(),
  lastReminder: z.strictObject({ level: Level, date: businessDate() }).nullable(),
  nextLevel: Level,
})

const Late = z
  .strictObject({
    contactId: z.string().nullable(),
    name: z.string(),
    nif: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    language: Language,
    isBusiness: z.boolean().meta({ description: 'Interest by law is due only between businesses.' }),
    since: businessDate('Due date of the oldest.'),
    daysLate: z.int(),
    ...figures,
    total: euros('Unpaid + interest + recovery.'),
    nextLevel: Level,
    invoices: z.array(LateInvoice),
  })
  .meta({ id: 'LatePayer' })
export type LatePayer = z.infer<typeof Late>

export const listRemindersContract = defineContract({
  name: 'payments.reminders',
  summary: 'Who owes what since when, with the interest the law gives.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/reminders' },
  input: z.strictObject({ contactId: PathId.optional() }),
  output: z.strictObject({
    date: businessDate(),
    items: z.array(Late),
    totals: z.strictObject({ ...figures, total: euros('In all.'), payers: z.int(), invoices: z.int() }),
  }),
  errors: ['not_found'],
})

export const ReminderLetter = z
  .strictObject({
    level: LetterLevel,
    language: Language,
    date: businessDate(),
    from: z.array(z.string()).meta({ description: 'Lines of the sender.' }),
    to: z.array(z.string()).meta({ description: 'Lines of the addressee.' }),
    email: z.string().nullable(),
    subject: z.string(),
    greeting: z.string(),
    paragraphs: z.array(z.string()),
    table: z.strictObject({
      head: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      total: z.array(z.string()),
    }),
    interestLines: z
      .array(z.string())
      .meta({ description: 'How the interest was computed, a line for each stretch with its rate.' }),
    after: z.array(z.string()).meta({ description: 'Paragraphs after the table.' }),
    closing: z.string(),
    signature: z.string(),
    text: z.string().meta({ description: 'All of it as plain text, for a message.' }),
    ...figures,
    total: euros('To pay.'),
  })
  .meta({ id: 'ReminderLetter' })
export type ReminderLetter = z.infer<typeof ReminderLetter>

const letterFields = {
  invoiceIds: z.array(PathId).min(1).max(100).meta({ description: 'Owed invoices of one customer.' }),
  instalment: z.int().min(1).max(INSTALMENTS.max).optional().meta({
    description:
      'Of one invoice in instalments, only that one. Default: those that are late; before that, the next one.',
  }),
  language: Language.optional(),
  claimInterest: z.boolean().optional().meta({
    description: 'Claim interest and recovery costs. Default: from the second level, of businesses.',
  }),
}

export const previewReminderContract = defineContract({
  name: 'payments.previewReminder',
  summary: 'The letter a customer would get, with what is due and the interest to the day.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'POST', path: '/reminders/preview' },
  input: z.strictObject({
    ...letterFields,
    level: LetterLevel.optional().meta({ description: 'Default: the next one. 0 for what is not late yet.' }),
  }),
  output: ReminderLetter,
  errors: [
    'not_found',
    'validation_failed',
    'invoice_number_ambiguous',
    'invoice_settled',
    'invoice_not_late',
  ],
})

const Reminder = z
  .strictObject({
    id: z.string(),
    date: businessDate(),
    level: Level,
    language: Language,
    channel: ReminderChannel,
    ...figures,
    invoices: z.array(
      z.strictObject({
        id: z.string(),
        number: z.string(),
        instalments: z
          .array(z.int())
          .optional()
          .meta({ description: 'Which of its instalments it named, if it has several.' }),
        ...figures,
      }),
    ),
    createdAt: Instant,
  })
  .meta({ id: 'Reminder' })
export type Reminder = z.infer<typeof Reminder>

export const createReminderContract = defineContract({
  name: 'payments.remind',
  summary: 'Note that a reminder was sent, with its figures of the day; answers the letter.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/reminders', status: 201 },
  input: z.strictObject({
    ...letterFields,
    level: Level.optional().meta({ description: 'Default: the next one.' }),
    channel: ReminderChannel.optional(),
  }),
  output: z.strictObject({ ...Reminder.shape, letter: ReminderLetter }),
  errors: [
    'not_found',
    'validation_failed',
    'invoice_number_ambiguous',
    'invoice_settled',
    'invoice_not_late',
  ],
})

export const invoiceRemindersContract = defineContract({
  name: 'payments.remindersOf',
  summary: 'The reminders of one invoice, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/reminders' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ items: z.array(Reminder) }),
  errors: ['not_found', 'invoice_number_ambiguous'],
})
