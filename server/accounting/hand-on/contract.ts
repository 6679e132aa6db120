/** Contracts of handing the journal on to the program of an accountant. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  euros,
  FaultShape,
  Instant,
  line,
  paragraph,
  PathId,
  StreamAnswer,
  Untrusted,
} from '../../domain/contract/fields.ts'

const FormatName = z.enum(['a3', 'contaplus', 'contasol', 'holded', 'odoo', 'csv']).meta({
  description:
    'Program: a3 (SUENLACE.DAT), Sage 50 and ContaPlus (XDiario), ContaSOL, Holded, Odoo, or plain CSV.',
})

const SETTINGS = {
  format: FormatName,
  digits: z.int().min(5).max(12).meta({ description: 'Digits of every account of the office.' }),
  firstCustomer: z
    .int()
    .min(0)
    .max(9_999_999)
    .meta({ description: 'Number of the first account after 430.' }),
  firstSupplier: z
    .int()
    .min(0)
    .max(9_999_999)
    .meta({ description: 'Number of the first account after 400 and 410.' }),
  companyCode: line(20, 0).meta({ description: 'Code of the company in the program of the office.' }),
  encoding: z.enum(['windows-1252', 'utf-8']),
  recordLength: z
    .int()
    .nullable()
    .meta({ description: 'Length of a record of fixed width; null where the format has none.' }),
  journal: line(20, 0).meta({ description: 'Journal in the program of the office.' }),
  closingEntries: z.boolean().meta({ description: 'Regularisation and closing of the year go into files.' }),
  confirmed: z.boolean().meta({ description: 'The office has confirmed digits, codes and length.' }),
}

export const HandOnSettings = z.strictObject(SETTINGS).meta({ id: 'HandOnSettings' })

const FormatShape = z
  .strictObject({
    id: FormatName,
    name: z.string(),
    sureness: z.enum(['published', 'reader', 'believed']).meta({
      description:
        'How sure the layout is: published by its vendor, read by a public program, or only believed after others.',
    }),
    source: z.string().meta({ description: 'Where the layout comes from.' }),
    digits: z.strictObject({ min: z.int(), max: z.int(), usual: z.int() }),
    encodings: z.array(z.enum(['windows-1252', 'utf-8'])),
    recordLengths: z.array(z.int()),
    companyCode: z.boolean().meta({ description: 'It needs the code of the company.' }),
    journal: z.string().nullable().meta({ description: 'Usual journal; null where the format has none.' }),
  })
  .meta({ id: 'HandOnFormat' })

export const handOnSettingsContract = defineContract({
  name: 'handOn.settings',
  summary: 'How the journal is handed on to the program of an accountant, and the formats there are.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/hand-on/settings' },
  input: z.strictObject({}),
  output: z.strictObject({
    settings: HandOnSettings.nullable().meta({ description: 'Null while nobody has saved any.' }),
    formats: z.array(FormatShape),
  }),
  errors: [],
})

export const saveHandOnSettingsContract = defineContract({
  name: 'handOn.saveSettings',
  summary: 'Saves how the journal is handed on.',
  access: 'person',
  effect: 'write',
  input: z.strictObject(SETTINGS),
  output: HandOnSettings,
  errors: ['validation_failed'],
})

const AccountRow = z
  .strictObject({
    account: z.string().meta({ description: 'Code in the ledger.' }),
    contact: z
      .strictObject({ id: z.string(), name: z.string(), nif: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null for an account that is not of one contact.' }),
    officeAccount: z
      .string()
      .nullable()
      .meta({ description: 'Code in the program of the office; null when it does not fit its digits.' }),
    typed: z.boolean().meta({ description: 'Typed for a general account, not given as a number.' }),
    untrusted: Untrusted,
  })
  .meta({ id: 'HandOnAccount' })

export const handOnAccountsContract = defineContract({
  name: 'handOn.accounts',
  summary: 'The accounts of customers and suppliers in the program of the office, and typed ones.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/hand-on/accounts' },
  input: z.strictObject({
    text: line(100, 0).optional().meta({ description: 'Part of the name, or beginning of an account.' }),
    limit: z.int().min(1).max(500).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(AccountRow),
    nextCursor: z.string().nullable(),
    count: z.int(),
  }),
  errors: ['validation_failed'],
})

const TypedAccount = z.strictObject({
  account: z
    .string()
    .regex(/^[1-7]\d{2,11}$/)
    .meta({ description: 'Code in the ledger.' }),
  contactId: PathId.nullable().meta({ description: 'Null for a general account.' }),
  officeAccount: z
    .string()
    .regex(/^\d{5,12}$/)
    .nullable()
    .meta({ description: 'Null takes the typed account of a general one away.' }),
})

export const saveHandOnAccountsContract = defineContract({
  name: 'handOn.saveAccounts',
  summary: 'Types accounts as the office has them; first without writing, to see what a list would change.',
  access: 'person',
  effect: 'write',
  bodyMiB: 2,
  input: z.strictObject({
    rows: z.array(TypedAccount).max(5_000).optional(),
    csv: paragraph(1_000_000)
      .optional()
      .meta({ description: 'A list of two columns as CSV: tax number and account.' }),
    write: z.boolean().meta({ description: 'False: only look.' }),
  }),
  output: z.strictObject({
    changes: z.array(
      z.strictObject({
        account: z.string(),
        name: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        untrusted: Untrusted,
      }),
    ),
    issues: z.array(FaultShape),
    written: z.boolean(),
  }),
  errors: ['validation_failed', 'hand_on_not_set'],
})

const PERIOD = {
  from: businessDate().optional(),
  to: businessDate().optional(),
  year: z.int().min(1900).max(2999).optional(),
  quarter: z.int().min(1).max(4).optional(),
}

const CHOICES = {
  ...PERIOD,
  all: z.boolean().optional().meta({ description: 'Also what was handed on before and has not changed.' }),
  firstNumber: z
    .int()
    .min(1)
    .max(9_999_999)
    .optional()
    .meta({ description: 'Number of the first entry; else the one after the last of the year.' }),
}

const EntryFault = z
  .strictObject({
    ...FaultShape.shape,
    entry: z
      .strictObject({ id: z.string(), date: businessDate(), label: z.string() })
      .nullable()
      .meta({ description: 'Null for what is not of one entry.' }),
  })
  .meta({ id: 'HandOnFault', description: 'What a file cannot say as the ledger does, and what to do.' })

const Different = z.strictObject({
  number: z.int().meta({ description: 'Its number in the file that it was in.' }),
  date: businessDate(),
  label: z.string(),
  handedAt: Instant,
  what: z.enum(['changed', 'undone']),
  untrusted: Untrusted,
})

const NewAccount = z.strictObject({
  officeAccount: z.string(),
  account: z.string(),
  name: z.string(),
  nif: z.string().nullable(),
  untrusted: Untrusted,
})

export const handOnPreviewContract = defineContract({
  name: 'handOn.preview',
  summary: 'What a file for the accountant would contain: new and changed entries, accounts, and faults.',
  description: 'While nobody has saved a program, as plain CSV.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/hand-on/preview' },
  input: z.strictObject(CHOICES),
  output: z.strictObject({
    from: businessDate(),
    to: businessDate(),
    entries: z.int(),
    lines: z.int(),
    total: euros('Sum of the debits, and of the credits.'),
    firstNumber: z.int().nullable(),
    lastNumber: z.int().nullable(),
    known: z.int().meta({ description: 'Handed on before and the same since: left out.' }),
    accounts: z.int().meta({ description: 'Accounts that the file names.' }),
    newAccounts: z
      .array(NewAccount)
      .meta({ description: 'Accounts of contacts that would get a number, at most 200.' }),
    newAccountCount: z.int(),
    different: z.array(Different).meta({ description: 'Handed-on entries that have changed or are gone.' }),
    faults: z.array(EntryFault).meta({ description: 'At most some 200.' }),
    faultCount: z.int(),
    ok: z.boolean().meta({ description: 'No fault is an error: a file can be made.' }),
  }),
  errors: ['validation_failed'],
})

export const HandOnRun = z
  .strictObject({
    id: z.string(),
    format: FormatName,
    from: businessDate(),
    to: businessDate(),
    entries: z.int(),
    lines: z.int(),
    total: euros('Sum of the debits.'),
    firstNumber: z.int(),
    lastNumber: z.int(),
    createdAt: Instant,
    changed: z.int().meta({ description: 'Entries that are gone since.' }),
  })
  .meta({ id: 'HandOnRun', description: 'One time that entries were handed on.' })

export const handOnRunsContract = defineContract({
  name: 'handOn.runs',
  summary: 'The times that entries were handed on, newest first.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/hand-on/runs' },
  input: z.strictObject({
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(HandOnRun), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const createHandOnRunContract = defineContract({
  name: 'handOn.create',
  summary: 'Hands entries on: numbers them, gives contacts their accounts, and remembers what was handed on.',
  description: 'The file is fetched from the run. Nothing booked changes.',
  access: 'fiscal.read',
  effect: 'write',
  rest: { method: 'POST', path: '/hand-on/runs', status: 201, location: '/hand-on/runs/{id}/file' },
  input: z.strictObject(CHOICES),
  output: HandOnRun,
  errors: ['validation_failed', 'hand_on_not_set', 'hand_on_nothing', 'hand_on_changed'],
})

export const handOnFileContract = defineContract({
  name: 'handOn.file',
  summary: 'The file of entries that were handed on; a ZIP if the format has several.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/hand-on/runs/:id/file' },
  media: 'application/octet-stream',
  otherMedia: ['application/zip', 'text/csv; charset=utf-8'],
  input: z.strictObject({ id: PathId }),
  output: StreamAnswer,
  errors: ['not_found', 'hand_on_changed', 'validation_failed'],
})

export const discardHandOnRunContract = defineContract({
  name: 'handOn.discard',
  summary:
    'Forgets a time that entries were handed on, because the office has not taken the file: they are new again.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ discarded: z.literal(true) }),
  errors: ['not_found'],
})
