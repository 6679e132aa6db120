/** Contract of the reminder plan: reminders planned by the due date, and shown to a person before the first is sent. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, euros, Instant, PathId } from '../../domain/contract/fields.ts'

const PLAN_LIMITS = { earliest: -60, latest: 90, steps: 6 } as const

const Steps = z
  .array(z.int().min(PLAN_LIMITS.earliest).max(PLAN_LIMITS.latest))
  .min(1)
  .max(PLAN_LIMITS.steps)
  .meta({ description: 'Days from the due date, before it negative: -3, 0, 7, 15.' })

export const ReminderPlan = z
  .strictObject({
    enabled: z.boolean(),
    steps: Steps,
    automatic: z.boolean().meta({
      description: 'Reminders go by themselves. Only a person turns it on, after having read the first ones.',
    }),
    since: businessDate('Steps of earlier days are not made up for.').nullable(),
    waiting: z.int().meta({ description: 'Ready to be read and sent.' }),
    version: z.int(),
  })
  .meta({ id: 'ReminderPlan' })
export type ReminderPlan = z.infer<typeof ReminderPlan>

export const getPlanContract = defineContract({
  name: 'reminders.plan',
  summary: 'When customers are reminded of payment.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/reminders/plan' },
  input: z.strictObject({}),
  output: ReminderPlan,
  errors: [],
})

export const savePlanContract = defineContract({
  name: 'reminders.savePlan',
  summary: 'Change when customers are reminded of payment. Nothing is sent before a person has read it.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/reminders/plan' },
  input: z.strictObject({
    enabled: z.boolean().optional(),
    steps: Steps.optional(),
    automatic: z.literal(false).optional().meta({ description: 'Ask again before each is sent.' }),
    expectedVersion: z.int().optional(),
  }),
  output: ReminderPlan,
  errors: ['validation_failed', 'version_conflict'],
})

const PlannedReminder = z
  .strictObject({
    id: z.string(),
    invoiceId: z.string(),
    number: z.string(),
    contactId: z.string().nullable(),
    clientName: z.string(),
    to: z.array(z.string()).meta({ description: 'Empty: no address is kept.' }),
    instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
    dueDate: businessDate(),
    step: z.int().meta({ description: 'Days from the due date that it is for.' }),
    level: z.int().meta({ description: 'Of the letter, as in POST /reminders/preview.' }),
    amountDue: euros('Unpaid.'),
    createdAt: Instant,
  })
  .meta({ id: 'PlannedReminder' })
export const readyRemindersContract = defineContract({
  name: 'reminders.ready',
  summary: 'Reminders that are ready to be read and sent by a person.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/reminders/ready' },
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(PlannedReminder),
    canSend: z.boolean().meta({ description: 'False: there is no mail account.' }),
  }),
  errors: [],
})

export const skipReminderContract = defineContract({
  name: 'reminders.skip',
  summary: 'Do not send a planned reminder.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/reminders/ready/:id/skip' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ skipped: z.literal(true) }),
  errors: ['not_found'],
})

export const holdRemindersContract = defineContract({
  name: 'reminders.hold',
  summary: 'Say that an invoice is disputed, or is not any more: disputed ones have no planned reminders.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/invoices/:id/reminders/hold' },
  input: z.strictObject({ id: PathId, held: z.boolean() }),
  output: z.strictObject({ held: z.boolean() }),
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const holdStateContract = defineContract({
  name: 'reminders.held',
  summary: 'Whether an invoice is disputed.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/invoices/:id/reminders/hold' },
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ held: z.boolean() }),
  errors: ['not_found', 'invoice_number_ambiguous'],
})

export const sendPlannedContract = defineContract({
  name: 'reminders.send',
  summary: 'Send planned reminders that a person has read.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    ids: z.array(PathId).min(1).max(100),
    automatic: z.boolean().optional().meta({ description: 'From now on they go without being asked for.' }),
  }),
  output: z.strictObject({
    queued: z.array(z.strictObject({ id: z.string(), mailId: z.string(), to: z.array(z.string()) })),
    refused: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })),
  }),
  errors: ['mail_not_configured', 'validation_failed'],
})
