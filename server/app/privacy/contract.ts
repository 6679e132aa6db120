/**
 * Contracts for one person's data: find, export, and erase within the legal retention. Only for a person at the
 * window.
 */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, line, PathId, StreamAnswer } from '../../domain/contract/fields.ts'
import { LAWS } from './retention.ts'

/** Areas that can contain a person's data, in display order. */
const AREAS = [
  'contact',
  'drafts',
  'quotes',
  'recurrences',
  'templates',
  'mandates',
  'mails',
  'reminders',
  'checks',
  'imports',
  'erp',
  'proposals',
  'notes',
  'bankRules',
  'supplierMemory',
  'incoming',
  'replies',
  'issued',
  'documents',
  'records',
  'received',
  'attachments',
  'payments',
  'debits',
  'entries',
  'bank',
  'wages',
  'premises',
  'assets',
  'issuers',
  'answers',
  'exchanged',
  'agreements',
  'history',
] as const
export const Area = z.enum(AREAS)
export type Area = z.infer<typeof Area>

/** The person: a contact, or the identifiers of a person who is not one. */
export const Subject = z
  .strictObject({
    contactId: PathId.optional(),
    nif: line(20).optional(),
    email: line(254).optional(),
    name: line(120).optional(),
  })
  .meta({
    id: 'PrivacySubject',
    description: 'At least one; a contact brings its own number, mail and accounts.',
  })
export type Subject = z.infer<typeof Subject>

export const Law = z.enum(LAWS)

export const Finding = z.strictObject({
  area: Area,
  fate: z.enum(['erase', 'block', 'keep']),
  count: z.int(),
  until: z.string().nullable().meta({
    description: 'Last day that the law has it kept; null where it goes now, or no day can be told.',
  }),
  isOver: z.boolean().meta({ description: 'That day has passed, but it cannot leave the book by itself.' }),
  laws: z.array(Law),
  samples: z
    .array(
      z.strictObject({
        label: z.string().meta({ description: 'Empty of what has no number yet.' }),
        link: z.string().nullable(),
      }),
    )
    .meta({ description: 'The first of them, with where the window shows them.' }),
})
export type Finding = z.infer<typeof Finding>

export const findPersonContract = defineContract({
  name: 'privacy.find',
  summary: 'Whose data there are: contacts and others by name, tax number or mail.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ text: line(120, 2) }),
  output: z.strictObject({
    people: z.array(
      z.strictObject({
        subject: Subject,
        name: z.string(),
        nif: z.string().nullable(),
        email: z.string().nullable(),
        kind: z.enum(['contact', 'blocked', 'elsewhere']),
      }),
    ),
  }),
  errors: [],
})

const PersonFacts = {
  name: z.string(),
  nif: z.string().nullable(),
  contactId: z.string().nullable(),
  isBlocked: z.boolean(),
}

export const previewErasureContract = defineContract({
  name: 'privacy.preview',
  summary: 'Where the data of a person stand, and what erasing them would do.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ subject: Subject }),
  output: z.strictObject({
    ...PersonFacts,
    findings: z.array(Finding),
    keepUntil: z.string().nullable().meta({ description: 'Until when the contact would be blocked.' }),
    hash: z.string().meta({ description: 'Of all that was found; erasing needs it.' }),
  }),
  errors: ['not_found'],
})

export const erasePersonContract = defineContract({
  name: 'privacy.erase',
  summary: 'Erase what may go, block the contact for as long as the law has the rest kept. Cannot be undone.',
  access: 'person',
  effect: 'irreversible',
  input: z.strictObject({ subject: Subject, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.strictObject({
    erased: z.int().meta({ description: 'Things erased.' }),
    kept: z.int().meta({ description: 'Things kept for the law.' }),
    blockedUntil: z.string().nullable().meta({ description: 'Null when no contact had to stay.' }),
  }),
  errors: ['not_found', 'erasure_stale'],
})

export const exportPersonContract = defineContract({
  name: 'privacy.export',
  summary: 'All data of a person as a ZIP: a summary to read, JSON by area, their invoices and files.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ subject: Subject, language: z.enum(['es', 'en']).optional() }),
  output: StreamAnswer,
  media: 'application/zip',
  errors: ['not_found'],
})

export const blockedPeopleContract = defineContract({
  name: 'privacy.blocked',
  summary: 'Blocked contacts, those whose time is over first.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        contactId: z.string(),
        name: z.string(),
        nif: z.string().nullable(),
        blockedAt: Instant,
        keepUntil: z.string().nullable(),
        isOver: z.boolean().meta({ description: 'Nothing asks for it any more: it can be erased.' }),
      }),
    ),
  }),
  errors: [],
})

const LIFT_REASONS = ['customer_again', 'by_mistake', 'claim'] as const

export const liftBlockContract = defineContract({
  name: 'privacy.lift',
  summary: 'Let a blocked contact be used again. What was erased does not come back.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    contactId: PathId,
    reason: z.enum(LIFT_REASONS).meta({ description: 'Goes into the history.' }),
  }),
  output: z.strictObject({ contactId: z.string() }),
  errors: ['not_found'],
})
