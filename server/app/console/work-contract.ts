/** Contracts of work over many companies: one unit for each, with its outcome. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant, PathId, StreamAnswer } from '../../domain/contract/fields.ts'

const of = { access: 'person', bookless: true } as const
/** Most companies of one work. */
const MOST_UNITS = 2_000

const Year = z.int().min(2000).max(2999)
const Quarter = z.int().min(1).max(4)

/** What is done for each company, by kind. */
export const WorkInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pack'), year: Year, quarter: Quarter }),
  z.strictObject({
    kind: z.literal('export'),
    what: z.enum(['vat_books', 'journal', 'inspection']),
    year: Year,
  }),
  z.strictObject({
    kind: z.literal('close'),
    year: Year,
    quarter: Quarter,
    enterVat: z.boolean().optional().meta({
      description:
        'Also book the settlement of the VAT where the return is filed and agrees with the ledger.',
    }),
  }),
  z.strictObject({ kind: z.literal('remind') }),
  z.strictObject({
    kind: z.literal('certificate'),
    file: z.string().min(1).max(140_000).meta({ description: 'PKCS #12 in base64.' }),
    password: z.string().max(200),
  }),
  z.strictObject({ kind: z.literal('assign'), assignee: z.string().max(80).nullable() }),
])
export type WorkInput = z.infer<typeof WorkInput>

export const WORK_KINDS = ['pack', 'export', 'close', 'remind', 'certificate', 'assign'] as const
export const UNIT_STATES = ['queued', 'running', 'done', 'failed', 'skipped', 'cancelled'] as const

const Counts = z.strictObject({
  queued: z.int(),
  running: z.int(),
  done: z.int(),
  failed: z.int(),
  skipped: z.int(),
  cancelled: z.int(),
})

const Work = z
  .strictObject({
    id: z.string(),
    kind: z.enum(WORK_KINDS),
    startedAt: Instant,
    ended: z.boolean(),
    units: z.int(),
    counts: Counts,
    files: z.int(),
    fileBytes: z.int(),
    availableUntil: Instant.nullable().meta({ description: 'Null while it goes on.' }),
  })
  .meta({ id: 'ConsoleWork' })
export type Work = z.infer<typeof Work>

/** What a unit has done. Each field is of one kind of work. */
export const Outcome = z.strictObject({
  file: z.string().optional(),
  missing: z.array(z.string()).optional().meta({ description: 'Steps of the closing that are missing.' }),
  unknown: z.int().optional().meta({ description: 'Steps of the closing that nobody can know.' }),
  entered: z.boolean().optional().meta({ description: 'The settlement of the VAT was booked.' }),
  sent: z.int().optional(),
  refused: z.int().optional(),
  until: z.string().optional().meta({ description: 'Last day of the certificate.' }),
  warnings: z.array(z.string()).optional().meta({ description: 'About the certificate.' }),
})
export type Outcome = z.infer<typeof Outcome>

const Unit = z.strictObject({
  company: z.string(),
  name: z.string(),
  nif: z.string(),
  state: z.enum(UNIT_STATES),
  code: z.string().nullable().meta({ description: 'Why it failed or was skipped.' }),
  outcome: Outcome.nullable(),
  fileBytes: z.int().nullable(),
  endedAt: Instant.nullable(),
})

export const startWorkContract = defineContract({
  name: 'console.startWork',
  summary: 'Start work over many companies. It goes on in the background, one company after another.',
  description:
    'Each company is a unit of its own: one that fails holds up no other, and a restart continues. Files are kept for seven days.',
  ...of,
  effect: 'write',
  bringsNew: true,
  input: z.strictObject({ companies: z.array(PathId).min(1).max(MOST_UNITS), work: WorkInput }),
  output: Work,
  errors: ['not_found', 'bulk_work_full', 'validation_failed'],
})

export const listWorksContract = defineContract({
  name: 'console.works',
  summary: "A person's works over many companies, newest first.",
  ...of,
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(Work) }),
  errors: [],
})

export const workContract = defineContract({
  name: 'console.work',
  summary: 'How far a work is, with the outcome for each company.',
  ...of,
  effect: 'read',
  input: z.strictObject({ id: PathId }),
  output: Work.extend({ items: z.array(Unit) }),
  errors: ['not_found'],
})

export const cancelWorkContract = defineContract({
  name: 'console.cancelWork',
  summary: 'Cancel what a work has not begun. The company that it is at is finished.',
  ...of,
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: Work,
  errors: ['not_found'],
})

export const workFileContract = defineContract({
  name: 'console.workFile',
  summary:
    'The files of a work as one ZIP with a folder for each company and a list of outcomes; or that of one company.',
  ...of,
  effect: 'read',
  input: z.strictObject({ id: PathId, company: PathId.optional() }),
  output: StreamAnswer,
  media: 'application/zip',
  otherMedia: ['application/octet-stream'],
  errors: ['not_found', 'nothing_to_export', 'books_too_large'],
})
