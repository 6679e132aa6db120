/** Contracts for the app's own window: current person and book, preferences, recovery code and dashboard. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { euros, Instant } from '../../domain/contract/fields.ts'
import { HIDEABLE_PLACES, PREFERENCE_CHOICES } from '../../domain/preference-choices.ts'
import { KEY_CHANGE_STEPS } from '../../domain/key-change-steps.ts'
import { BackupProblem } from '../backups/contract.ts'
import { CompanyEntry } from '../companies/contract.ts'
import { InvoiceSummary } from '../../sales/invoices/contract.ts'

const choices = PREFERENCE_CHOICES

export const Preferences = z.strictObject({
  language: z.enum(choices.language),
  theme: z.enum(choices.theme),
  density: z.enum(choices.density),
  textSize: z.enum(choices.textSize),
  /** Whose entries the menu shows at once; the others are behind one button. Null: those of the person's role. */
  menu: z.enum(choices.menu).nullable(),
  /** Page shown when the window opens. One that this installation lacks counts as `home`. */
  startPage: z.enum(choices.startPage),
  motion: z.enum(choices.motion),
  singleKeyShortcuts: z.boolean(),
  /** Hidden in the menu; their pages stay available, and the command palette finds them. */
  hiddenPlaces: z.array(z.enum(HIDEABLE_PLACES)),
  activeBook: z.string().nullable(),
  /** Dismissed steps of the first-run checklist. */
  checklistDismissed: z.boolean(),
  /** Guided tour: not offered yet, taken or postponed, or never to be offered again. */
  tour: z.enum(choices.tour),
  /** System notifications to show; private ones contain neither names nor amounts. */
  notices: z.strictObject({
    approvals: z.boolean(),
    registry: z.boolean(),
    recurring: z.boolean(),
    mail: z.boolean(),
    private: z.boolean(),
  }),
  /** Automatic checks for new versions by the desktop app; each download and installation is confirmed. */
  updates: z.enum(choices.updates),
})
export type Preferences = z.infer<typeof Preferences>

export const Session = z
  .strictObject({
    store: z.strictObject({
      sandbox: z.boolean(),
      version: z.string(),
      keyProtection: z.enum(['keychain', 'file', 'external']).meta({
        description:
          "Who keeps the key of the books: the system's keychain, a file beside them, or a file named at start.",
      }),
      dataFolder: z.string().nullable().meta({ description: 'Null in an office.' }),
      writeFault: z.string().nullable().meta({
        description:
          'Why the books cannot be written now (a code such as `SQLITE_FULL`); null when they can.',
      }),
      lowDisk: z.enum(['told', 'no_new', 'no_issue']).nullable().meta({
        description:
          'How little room the disk of the books has: below 500 MB it is told, below 100 MB new papers are refused, below 50 MB issuing too.',
      }),
      backups: BackupProblem.nullable().meta({
        description: 'What is wrong with the backups; null when all is well.',
      }),
      restUrl: z.string().nullable(),
      mcpUrl: z.string().nullable(),
    }),
    companies: z.array(CompanyEntry).meta({
      description: 'The active one, the favourites of the person, those opened last, and some others.',
    }),
    companyCount: z.int().meta({ description: 'Of all companies, the sample not counted.' }),
    preferences: Preferences,
    recovery: z.strictObject({ confirmed: z.boolean() }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const sessionContract = defineContract({
  name: 'session.get',
  summary: 'The companies at hand, their books, and the preferences of the person.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: Session,
  errors: [],
})

export const savePreferencesContract = defineContract({
  name: 'session.savePreferences',
  summary: 'Keep preferences.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: Preferences.partial(),
  output: Preferences,
  errors: [],
})

export const revealRecoveryContract = defineContract({
  name: 'recovery.reveal',
  summary: 'A new recovery code. It replaces the earlier one once it is confirmed.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({
    code: z.string().meta({ description: 'Seven groups of four characters.' }),
    groups: z.array(z.string()),
  }),
  errors: [],
})

export const confirmRecoveryContract = defineContract({
  name: 'recovery.confirm',
  summary: 'Prove that the code was kept by typing two of its groups.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  input: z.strictObject({
    groups: z
      .array(z.strictObject({ index: z.int().min(0).max(6), text: z.string().max(10) }))
      .min(2)
      .max(7),
    changeKey: z.boolean().optional().meta({
      description: 'Encrypt the books with another key too, so that the code before opens nothing of them.',
    }),
    deleteBackups: z.boolean().optional().meta({
      description: 'With `changeKey`: delete the backups of the earlier key once there is one of the new.',
    }),
  }),
  output: z.strictObject({
    confirmed: z.literal(true),
    keyChanged: z
      .strictObject({ backedUp: z.boolean(), deletedBackups: z.int() })
      .nullable()
      .meta({ description: 'Null where the key was not to be changed.' }),
  }),
  errors: ['recovery_code_wrong', 'key_change_failed'],
})

export const keyChangeContract = defineContract({
  name: 'recovery.keyChange',
  summary: 'How far a change of the key has come.',
  access: 'person',
  effect: 'read',
  desk: true,
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ step: z.enum(KEY_CHANGE_STEPS).nullable() }),
  errors: [],
})

export const checkStoreContract = defineContract({
  name: 'store.check',
  summary: 'Try to write the books, after a full or failing disk.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ reason: z.string().nullable().meta({ description: 'Null when writing works.' }) }),
  errors: [],
})

const MonthBar = z.strictObject({
  month: z.string().meta({ description: '`2026-11`.' }),
  income: euros('Group 7 of the accounts: accrued, before VAT.'),
  expenses: euros('Group 6 of the accounts: accrued, without deductible VAT.'),
})

/** Expected money in and out by due date; credits and advances are subtracted. */
const Expected = z.strictObject({
  in: euros('Owed by customers.'),
  out: euros('Owed to suppliers.'),
})

export const Dashboard = z
  .strictObject({
    quarter: z.strictObject({
      label: z.string(),
      year: z.int(),
      quarter: z.int(),
      base: euros('Net turnover of this quarter, before tax: the first line of its profit and loss account.'),
      lastYear: euros('The same quarter a year ago.'),
    }),
    owed: z.strictObject({
      amount: euros('Issued and not collected, less credits and money on account.'),
      invoices: z.int(),
    }),
    overdue: z.strictObject({
      amount: euros('Past its due date.'),
      invoices: z.int(),
      oldestDays: z.int().nullable(),
    }),
    vat: z.strictObject({
      label: z.string(),
      year: z.int(),
      quarter: z.int(),
      dueTo: z.string(),
      figures: z
        .strictObject({
          output: euros('Charged and self-assessed: box 27 of model 303.'),
          input: euros('To deduct: box 45.'),
          amount: euros('The first less the second: box 46. An estimate.'),
        })
        .nullable()
        .meta({ description: 'Null when the company files no model 303.' }),
    }),
    cash: z.strictObject({
      accounts: z.int().meta({ description: 'Bank accounts in use.' }),
      balance: euros('Of all of them, as far as their movements are known.'),
      last: z.string().nullable().meta({ description: 'Day of the last movement known.' }),
      expected: euros('What falls due within 30 days: to come less to go, recurring invoices among it.'),
    }),
    months: z.array(MonthBar),
    historyDocuments: z.int().meta({
      description: 'Documents of an earlier program that count in these months.',
    }),
    flow: z.strictObject({
      late: Expected.meta({ description: 'Due before today.' }),
      undated: Expected.meta({ description: 'Without a due date.' }),
      later: Expected.meta({ description: 'Due after the last week.' }),
      weeks: z.array(
        z.strictObject({
          from: z.string(),
          to: z.string(),
          ...Expected.shape,
          recurring: euros('What recurring invoices not issued yet will ask for.'),
        }),
      ),
    }),
    attention: z.array(
      z.strictObject({
        kind: z.enum([
          'rejected',
          'queue',
          'approval',
          'proposal',
          'readiness',
          'deadline',
          'recovery',
          'recurring',
          'bank',
          'received',
          'mail',
          'reminder',
          'webhook',
          'unsigned',
          'backup',
        ]),
        id: z.string().optional(),
        title: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
    deadlines: z.array(
      z.strictObject({
        model: z.string(),
        period: z.string(),
        year: z.int(),
        quarter: z.int(),
        dueFrom: z.string(),
        dueTo: z.string(),
        directDebitTo: z.string().nullable(),
        sure: z.enum(['official', 'computed']),
        applies: z.literal(true).nullable().meta({
          description: 'Null where Sello cannot know whether it is filed.',
        }),
        computed: z.boolean().meta({ description: 'False where Sello does not compute its figures.' }),
        result: euros('As its page has it; an estimate.').nullable(),
      }),
    ),
    collections: z.array(InvoiceSummary),
    customers: z.strictObject({
      year: z.int(),
      base: euros('Of all customers in the year.'),
      items: z.array(
        z.strictObject({
          name: z.string(),
          nif: z.string().nullable(),
          base: euros('Before tax.'),
          sharePercent: z.number().nullable(),
        }),
      ),
    }),
    latest: z.array(InvoiceSummary),
    registry: z.strictObject({
      accepted: z.int(),
      acceptedWithErrors: z.int(),
      rejected: z.int(),
      pending: z.int(),
      chainRecords: z.int(),
      lastAnswerAt: Instant.nullable(),
    }),
    checklist: z.strictObject({
      company: z.boolean(),
      series: z.boolean(),
      firstTestInvoice: z.boolean(),
      recovery: z.boolean(),
      apiKey: z.boolean(),
    }),
    drafts: z.int(),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof Dashboard>

export const dashboardContract = defineContract({
  name: 'dashboard.get',
  summary: 'The figures of the front page.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: Dashboard,
  errors: [],
})
