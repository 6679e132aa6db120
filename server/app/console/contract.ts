/** Contracts of the console: one page over the companies that a person may open. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, Instant, line, paragraph, PathId } from '../../domain/contract/fields.ts'

/** Most companies that one request names. */
export const MOST_COMPANIES = 5_000
/** Most saved views of a person. */
const MOST_VIEWS = 20

const of = { access: 'person', bookless: true } as const
const Person = z.strictObject({ id: z.string(), name: z.string() })
const CompanyIds = z.array(PathId).min(1).max(MOST_COMPANIES)

export const RETURN_STATES = ['late', 'open', 'upcoming', 'unknown', 'filed'] as const
const ReturnState = z.enum(RETURN_STATES).meta({
  description:
    'On the day of the answer. `unknown`: the books cannot tell whether the company files it; `open`: its term runs.',
})
export type ReturnState = z.infer<typeof ReturnState>

/** Cards at the top of the page: what a company needs. Each is a filter. */
export const CARDS = [
  'late',
  'open',
  'closing',
  'trouble',
  'certificate',
  'inbox',
  'bank',
  'approvals',
  'receipts',
  'outdated',
] as const
export type Card = (typeof CARDS)[number]

const SORTS = ['name', 'assignee', 'due', 'trouble', 'certificate', 'inbox', 'bank', 'activity'] as const

const FilterFields = {
  text: line(80, 0).optional().meta({ description: 'Part of the name or of the tax number.' }),
  cards: z.array(z.enum(CARDS)).max(CARDS.length).optional().meta({ description: 'All of them apply.' }),
  model: line(10).optional().meta({ description: 'Number of a return, such as 303.' }),
  returnState: ReturnState.optional().meta({ description: 'State of that return, or of any.' }),
  certificateDays: z.int().min(0).max(730).optional().meta({
    description: 'The certificate is missing or ends within so many days.',
  }),
  assignee: z.string().max(80).optional().meta({ description: 'A person; `none` for nobody.' }),
  group: line(40).optional().meta({ description: 'A group of the person who asks.' }),
  favourite: z.literal(true).optional(),
}
/** What a saved view holds. */
const Filter = z.strictObject({
  ...FilterFields,
  sort: z.enum(SORTS).optional(),
  descending: z.boolean().optional(),
})
export type Filter = z.infer<typeof Filter>

const ReturnView = z.strictObject({
  model: z.string(),
  year: z.int(),
  period: z.string().meta({ description: '`3T`, `11` or `0A`.' }),
  dueFrom: businessDate(),
  dueTo: businessDate(),
  state: ReturnState,
})
export type ReturnView = z.infer<typeof ReturnView>

const Figures = z.strictObject({
  returns: z.array(ReturnView).meta({ description: 'Those that are not filed, the first to end first.' }),
  closing: z.strictObject({
    lockedUntil: businessDate().nullable(),
    closedYear: z.int().nullable(),
    behind: z
      .string()
      .nullable()
      .meta({ description: 'The last quarter that has ended, if it is not locked: `3T 2026`.' }),
  }),
  trouble: z.strictObject({
    records: z.int().meta({ description: 'Records that need a person.' }),
    waiting: z
      .int()
      .meta({ description: 'Pending records, if the oldest one has waited for more than an hour.' }),
    since: Instant.nullable(),
    chain: z.enum(['ok', 'held', 'broken']),
    stopped: z.boolean(),
  }),
  certificate: z.strictObject({ until: businessDate(), daysLeft: z.int() }).nullable(),
  inbox: z.strictObject({ waiting: z.int(), since: Instant.nullable() }),
  bank: z
    .strictObject({ pending: z.int(), since: businessDate().nullable() })
    .nullable()
    .meta({ description: 'Null: no bank account, so that nothing is known.' }),
  approvals: z.int(),
  receipts: z.int().meta({ description: 'Purchases without a document.' }),
  owed: z.strictObject({
    amount: z.number(),
    late: z.number(),
    lateInvoices: z.int(),
  }),
  lastActivityAt: Instant.nullable(),
})
export type Figures = z.infer<typeof Figures>

const Note = z.strictObject({ id: z.string(), text: z.string(), by: z.string(), at: Instant })

export const ConsoleRow = z
  .strictObject({
    id: z.string(),
    bookId: z.string().meta({ description: 'Its live book.' }),
    name: z.string(),
    legalName: z.string(),
    nif: z.string(),
    colour: z.int().min(0).meta({ description: 'Place in the palette of the window.' }),
    mark: z.string().meta({ description: 'One or two letters.' }),
    favourite: z.boolean(),
    group: z.string().nullable().meta({ description: 'Of the person who asks.' }),
    assignee: Person.nullable(),
    note: Note.omit({ id: true }).extend({ count: z.int() }).nullable().meta({ description: 'The newest.' }),
    figures: Figures.nullable().meta({ description: 'Null until they are computed for the first time.' }),
    asOf: Instant.nullable(),
    outdated: z.boolean().meta({
      description:
        'Something was recorded since `asOf`, or that was another day: the figures are being computed.',
    }),
    archived: z.literal(true).optional().meta({
      description: 'Its duties are shown, and counted in no total.',
    }),
  })
  .meta({ id: 'ConsoleRow' })
export type ConsoleRow = z.infer<typeof ConsoleRow>

export const ConsoleTotals = z.strictObject({
  companies: z.int(),
  cards: z.strictObject(Object.fromEntries(CARDS.map((card) => [card, z.int()])) as Record<Card, z.ZodInt>),
  returns: z.array(
    z.strictObject({ model: z.string(), late: z.int(), open: z.int(), upcoming: z.int(), filed: z.int() }),
  ),
  assignees: z.array(Person.extend({ companies: z.int() })),
  unassigned: z.int(),
  groups: z.array(z.string()).meta({ description: 'The groups of the person, by name.' }),
  favourites: z.int().meta({ description: 'Companies among the favourites of the person.' }),
})
export type ConsoleTotals = z.infer<typeof ConsoleTotals>

export const listConsoleContract = defineContract({
  name: 'console.list',
  summary:
    'The companies that a person may open with what each of them needs, from summaries that facts keep.',
  description:
    'Totals are those of the companies that `text`, `only`, `group`, `favourite` and `assignee` leave, whatever the other filters say.',
  ...of,
  effect: 'read',
  input: z.strictObject({
    ...FilterFields,
    only: CompanyIds.optional().meta({ description: 'Such as those of a group, or the favourites.' }),
    sort: z.enum(SORTS).optional().meta({ description: 'Default: what is due first.' }),
    descending: z.boolean().optional(),
    offset: z.int().min(0).max(1_000_000).optional(),
    limit: z.int().min(1).max(1_000).optional(),
  }),
  output: z.strictObject({
    today: businessDate(),
    items: z.array(ConsoleRow),
    count: z.int().meta({ description: 'Companies that the filter finds.' }),
    totals: ConsoleTotals,
    staff: z.boolean().meta({ description: 'Companies can be assigned: there are several people.' }),
  }),
  errors: ['validation_failed'],
})

export const unsentContract = defineContract({
  name: 'console.unsent',
  summary: 'The companies whose records have waited for more than an hour, or whose sending is stopped.',
  ...of,
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        bookId: z.string().meta({ description: 'The live book.' }),
        company: z.string(),
        pending: z.int(),
        since: Instant.nullable().meta({ description: 'When the oldest one was made.' }),
        stopped: z.boolean(),
        certificate: z.enum(['ok', 'missing', 'expired']),
      }),
    ),
  }),
  errors: [],
})

const SavedViews = z.strictObject({
  version: z.int(),
  items: z.array(z.strictObject({ id: z.string().max(60), name: line(40), filter: Filter })),
})

export const consoleViewsContract = defineContract({
  name: 'console.views',
  summary: "A person's own views of the console.",
  ...of,
  effect: 'read',
  input: z.strictObject({}),
  output: SavedViews,
  errors: [],
})

export const saveConsoleViewsContract = defineContract({
  name: 'console.saveViews',
  summary: "Replace a person's own views of the console: added, renamed, reordered or removed.",
  ...of,
  effect: 'write',
  input: z.strictObject({
    expectedVersion: z.int(),
    items: z
      .array(z.strictObject({ id: z.string().max(60).optional(), name: line(40), filter: Filter }))
      .max(MOST_VIEWS),
  }),
  output: SavedViews,
  errors: ['version_conflict', 'validation_failed'],
})

export const consoleStaffContract = defineContract({
  name: 'console.staff',
  summary: 'The people who may open a company, to whom it can be assigned.',
  ...of,
  effect: 'read',
  input: z.strictObject({ company: PathId }),
  output: z.strictObject({ items: z.array(Person) }),
  errors: ['not_found'],
})

export const assignCompanyContract = defineContract({
  name: 'console.assign',
  summary: 'Assign a company to a person, or to nobody.',
  ...of,
  effect: 'write',
  input: z.strictObject({ company: PathId, assignee: z.string().max(80).nullable() }),
  output: z.strictObject({ assignee: Person.nullable() }),
  errors: ['not_found', 'colleague_unknown'],
})

export const noteCompanyContract = defineContract({
  name: 'console.note',
  summary: 'Add a short note on a company. Notes are not changed; the newest is shown with it.',
  ...of,
  effect: 'write',
  input: z.strictObject({ company: PathId, text: paragraph(1_000, 1) }),
  output: Note,
  errors: ['not_found', 'validation_failed'],
})

export const companyNotesContract = defineContract({
  name: 'console.notes',
  summary: 'The notes on a company, newest first.',
  ...of,
  effect: 'read',
  input: z.strictObject({
    company: PathId,
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(Note), nextCursor: z.string().nullable() }),
  errors: ['not_found', 'validation_failed'],
})

export const enterCompanyContract = defineContract({
  name: 'console.enter',
  summary: 'Say that a person opens the books of a company: an entry in its history, once a day and person.',
  ...of,
  effect: 'write',
  input: z.strictObject({ company: PathId }),
  output: z.strictObject({ bookId: z.string() }),
  errors: ['not_found'],
})
