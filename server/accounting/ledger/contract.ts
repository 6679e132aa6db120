/** Contracts of the ledger: journal, accounts, balances and statements of the Plan General Contable, and its periods. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, BytesAnswer, decimal, euros, Instant, line } from '../../domain/contract/fields.ts'
import { FaultShape, paragraph, PathId } from '../../domain/contract/fields.ts'

const MAX_EUROS = 99_999_999_999.99

const AccountKindShape = z.enum(['asset', 'liability', 'equity', 'income', 'expense'])

const Language = z
  .enum(['es', 'en'])
  .optional()
  .meta({ description: 'Language of the names of accounts; Spanish when not said.' })

const Code = z
  .string()
  .regex(/^[1-9]\d{0,11}$/)
  .meta({ description: 'Code of an account, or of the group of accounts that begin with it.' })

const AccountCode = z
  .string()
  .regex(/^[1-7]\d{2,11}$/)
  .meta({ description: 'Code of an account: 3 to 12 digits.' })

/** A year, or one of its quarters or months. */
const period = {
  year: z.int().min(1900).max(2999),
  quarter: z.int().min(1).max(4).optional(),
  month: z.int().min(1).max(12).optional(),
}

const PeriodShape = z.strictObject({ from: businessDate(), to: businessDate() })

export const EntrySourceShape = z
  .strictObject({
    type: z.enum([
      'invoice',
      'received',
      'payment',
      'bank',
      'reversal',
      'manual',
      'opening',
      'regularisation',
      'closing',
      'vat_settlement',
      'filing',
      'import',
      'depreciation',
      'asset_disposal',
      'vat_adjustment',
    ]),
    id: z
      .string()
      .nullable()
      .meta({ description: 'Identifier of the document; of the entry, when it is reversed.' }),
    label: z.string().nullable().meta({ description: 'Number of the document, when it has one.' }),
    party: z.string().nullable().meta({ description: 'Customer or supplier.' }),
    direction: z
      .enum(['in', 'out'])
      .optional()
      .meta({ description: 'Of a payment: whether the money came in or went out.' }),
  })
  .meta({ id: 'EntrySource', description: 'What an entry comes from.' })

const EntryLineShape = z.strictObject({
  account: z.string(),
  name: z.string(),
  debit: euros('Debit.'),
  credit: euros('Credit.'),
  contact: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
})

export const JournalEntry = z
  .strictObject({
    id: z.string(),
    number: z.int().nullable().meta({ description: 'Null until the year is numbered.' }),
    date: businessDate(),
    text: z.string().nullable().meta({ description: 'Null when the source tells it.' }),
    source: EntrySourceShape,
    lines: z.array(EntryLineShape),
    total: euros('Sum of the debits, and of the credits.'),
  })
  .meta({ id: 'JournalEntry' })
export type JournalEntry = z.infer<typeof JournalEntry>

export const journalContract = defineContract({
  name: 'ledger.journal',
  summary: 'Entries of the journal by day.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/journal' },
  input: z.strictObject({
    from: businessDate().optional(),
    to: businessDate().optional(),
    source: EntrySourceShape.shape.type.optional(),
    sort: z.enum(['date', '-date']).optional(),
    language: Language,
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(JournalEntry), nextCursor: z.string().nullable() }),
  errors: ['validation_failed'],
})

export const journalWindowContract = defineContract({
  name: 'ledger.journalWindow',
  summary: 'A stretch of the journal by position, with how many entries the filter finds, for the window.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    from: businessDate().optional(),
    to: businessDate().optional(),
    source: EntrySourceShape.shape.type.optional(),
    language: Language,
    offset: z.int().min(0).max(10_000_000).optional(),
    limit: z.int().min(0).max(200).optional(),
  }),
  output: z.strictObject({ items: z.array(JournalEntry), count: z.int() }),
  errors: [],
})

export const entryContract = defineContract({
  name: 'ledger.entry',
  summary: 'One entry of the journal with the document it comes from.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/entries/:id' },
  input: z.strictObject({ id: PathId, language: Language }),
  output: JournalEntry,
  errors: ['not_found'],
})

export const entriesOfContract = defineContract({
  name: 'ledger.entriesOf',
  summary: 'The entries of a document, with what reversed them.',
  access: 'fiscal.read',
  effect: 'read',
  input: z.strictObject({
    type: z.enum(['invoice', 'received', 'payment']),
    id: PathId,
    language: Language,
  }),
  output: z.strictObject({ items: z.array(JournalEntry) }),
  errors: [],
})

const LedgerAccount = z
  .strictObject({
    code: z.string(),
    name: z.string(),
    kind: AccountKindShape.nullable(),
    inPlan: z.boolean().meta({ description: 'Of the Plan General Contable, not added by the book.' }),
    postable: z.boolean().meta({ description: 'Takes entries; groups of one or two digits do not.' }),
    active: z.boolean(),
    used: z.boolean().meta({ description: 'Entries stand on it.' }),
    balance: euros('Debits less credits until now, subaccounts included.'),
  })
  .meta({ id: 'LedgerAccount' })

export const accountsContract = defineContract({
  name: 'ledger.accounts',
  summary: 'The chart of accounts with balances.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/accounts' },
  input: z.strictObject({
    text: z.string().max(100).optional().meta({ description: 'Beginning of the code, or part of the name.' }),
    used: z.boolean().optional().meta({ description: 'Only accounts with entries, and their groups.' }),
    language: Language,
  }),
  output: z.strictObject({ items: z.array(LedgerAccount) }),
  errors: [],
})

export const accountContract = defineContract({
  name: 'ledger.account',
  summary: 'Statement of an account (libro mayor) with its running balance, subaccounts included.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/accounts/:code' },
  input: z.strictObject({
    code: Code,
    from: businessDate().optional(),
    to: businessDate().optional(),
    language: Language,
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    code: z.string(),
    name: z.string(),
    kind: AccountKindShape.nullable(),
    opening: euros('Balance before the first day.'),
    debit: euros('Debits of the stretch of days.'),
    credit: euros('Credits of the stretch of days.'),
    closing: euros('Balance at the end.'),
    items: z.array(
      z.strictObject({
        entryId: z.string(),
        number: z.int().nullable(),
        date: businessDate(),
        text: z.string().nullable(),
        source: EntrySourceShape,
        account: z.string(),
        contact: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
        debit: euros('Debit.'),
        credit: euros('Credit.'),
        balance: euros('Balance after the line.'),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  errors: ['validation_failed'],
})

const BalanceRow = z.strictObject({
  code: z.string(),
  name: z.string(),
  level: z.int().meta({ description: 'Digits of the code, at most 5: accounts themselves.' }),
  account: z.boolean().meta({ description: 'An account that takes entries, not the sum of a group.' }),
  opening: euros('Balance before the period.'),
  debit: euros('Debits of the period.'),
  credit: euros('Credits of the period.'),
  balance: euros('Balance at the end: debits less credits.'),
})

export const trialBalanceContract = defineContract({
  name: 'ledger.trialBalance',
  summary: 'Trial balance (sumas y saldos) of a year, quarter or month.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/trial-balance' },
  input: z.strictObject({
    ...period,
    level: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .meta({ description: 'Digits of the code: 1 to 4; 5, the default, shows every account.' }),
    closing: z
      .boolean()
      .optional()
      .meta({ description: 'With the regularisation and the closing of the year.' }),
    language: Language,
  }),
  output: z.strictObject({
    period: PeriodShape,
    rows: z.array(BalanceRow),
    totals: z.strictObject({
      opening: euros('Always zero: debits are credits.'),
      debit: euros('Debits.'),
      credit: euros('Credits.'),
      balance: euros('Always zero.'),
    }),
    unclosed: euros('Result of earlier years that were not closed, shown under 129.'),
  }),
  errors: ['validation_failed'],
})

const StatementLine = z.strictObject({
  key: z.string().meta({ description: 'Place in the official model: A.B.I.' }),
  label: z.string(),
  level: z.int(),
  accounts: z.array(z.string()).meta({ description: 'Accounts that stand in it.' }),
  amount: euros('Amount of the period.'),
  previous: euros('The same a year before.'),
  total: z.boolean(),
})
export type StatementLine = z.infer<typeof StatementLine>

export const profitAndLossContract = defineContract({
  name: 'ledger.profitAndLoss',
  summary:
    'Profit and loss account of a year, quarter or month, in the model of the PGC of small businesses.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/profit-and-loss' },
  input: z.strictObject({ ...period, language: Language }),
  output: z.strictObject({
    period: PeriodShape,
    lines: z.array(StatementLine),
    result: euros('Income less expenses.'),
    previousResult: euros('The same a year before.'),
  }),
  errors: ['validation_failed'],
})

export const balanceSheetContract = defineContract({
  name: 'ledger.balanceSheet',
  summary:
    'Balance sheet at the end of a year, quarter or month, in the model of the PGC of small businesses.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/balance-sheet' },
  input: z.strictObject({ ...period, language: Language }),
  output: z.strictObject({
    date: businessDate(),
    assets: z.array(StatementLine),
    equityAndLiabilities: z.array(StatementLine),
    totalAssets: euros('Assets.'),
    totalEquityAndLiabilities: euros('Equity and liabilities: equal to the assets.'),
    balanced: z.boolean(),
  }),
  errors: ['validation_failed'],
})

const WrittenLine = z.strictObject({
  account: AccountCode,
  debit: decimal(2, { min: 0, max: MAX_EUROS }).optional(),
  credit: decimal(2, { min: 0, max: MAX_EUROS }).optional(),
  contactId: PathId.nullable().optional(),
})

export const writeEntryContract = defineContract({
  name: 'ledger.writeEntry',
  summary: 'Write an entry by hand, or write one anew.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId.optional().meta({ description: 'An entry written by hand, to be replaced.' }),
    date: businessDate(),
    text: line(200),
    lines: z.array(WrittenLine).min(2).max(500),
  }),
  output: JournalEntry,
  errors: ['validation_failed', 'period_locked', 'account_unknown', 'entry_generated', 'not_found'],
})

export const removeWrittenContract = defineContract({
  name: 'ledger.removeEntry',
  summary: 'Take away an entry written by hand, an opening or a settlement of VAT.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: ['period_locked', 'entry_generated', 'not_found'],
})

export const saveAccountContract = defineContract({
  name: 'ledger.saveAccount',
  summary: 'Add an account, rename it, or take it out of use.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    code: AccountCode,
    name: line(120).nullable().optional().meta({ description: 'Null: the name of the plan.' }),
    active: z.boolean().optional(),
  }),
  output: LedgerAccount,
  errors: ['validation_failed'],
})

export const removeAccountContract = defineContract({
  name: 'ledger.removeAccount',
  summary: 'Remove an account without entries.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ code: AccountCode }),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: ['not_found', 'account_in_use'],
})

const OpeningRow = z.strictObject({
  account: AccountCode,
  name: line(120, 0).nullable().optional(),
  debit: decimal(2, { max: MAX_EUROS }).optional(),
  credit: decimal(2, { max: MAX_EUROS }).optional(),
})

export const openBalancesContract = defineContract({
  name: 'ledger.openBalances',
  summary:
    'Book the balances that come from another program; first without writing, to see what would be booked.',
  access: 'person',
  effect: 'write',
  bodyMiB: 2,
  input: z.strictObject({
    date: businessDate('First day the books are kept here.'),
    rows: z.array(OpeningRow).max(5_000).optional(),
    csv: paragraph(1_000_000)
      .optional()
      .meta({ description: 'A trial balance as CSV: account, name, debit and credit, or a balance.' }),
    write: z.boolean().meta({ description: 'False: only look.' }),
  }),
  output: z.strictObject({
    rows: z.array(
      z.strictObject({
        account: z.string(),
        name: z.string(),
        debit: euros('Debit.'),
        credit: euros('Credit.'),
      }),
    ),
    debit: euros('Debits.'),
    credit: euros('Credits.'),
    issues: z.array(FaultShape),
    entryId: z.string().nullable(),
    replaces: z
      .boolean()
      .meta({ description: 'An opening of that day is there already and would be replaced.' }),
  }),
  errors: ['validation_failed', 'period_locked'],
})

export const periodsContract = defineContract({
  name: 'ledger.periods',
  summary: 'Which days are closed, and the years with their state.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/periods' },
  input: z.strictObject({}),
  output: z.strictObject({
    lockedUntil: businessDate().nullable(),
    firstOpenDay: businessDate().nullable(),
    proposed: businessDate()
      .nullable()
      .meta({ description: 'End of the last quarter that is over and still open.' }),
    years: z.array(
      z.strictObject({
        year: z.int(),
        closed: z.boolean(),
        closedAt: Instant.nullable(),
        result: euros('Income less expenses.'),
        canClose: z.boolean(),
        canReopen: z.boolean(),
        reason: z.enum(['not_over', 'earlier_open', 'closed', 'later_closed', 'later_locked']).nullable(),
      }),
    ),
  }),
  errors: [],
})

export const lockPeriodContract = defineContract({
  name: 'ledger.lock',
  summary: 'Close the books up to a day, or open them again.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ until: businessDate('Last closed day.').nullable() }),
  output: periodsContract.output,
  errors: ['validation_failed', 'year_not_closable'],
})

const yearInput = z.strictObject({ year: z.int().min(1900).max(2999) })

export const closeYearContract = defineContract({
  name: 'ledger.closeYear',
  summary: 'Close a year: result to 129, closing, opening of the next, numbers of the entries, lock.',
  access: 'person',
  effect: 'write',
  input: yearInput,
  output: periodsContract.output,
  errors: ['year_not_closable', 'period_locked'],
})

export const reopenYearContract = defineContract({
  name: 'ledger.reopenYear',
  summary: 'Undo the closing of the last closed year.',
  access: 'person',
  effect: 'write',
  input: yearInput,
  output: periodsContract.output,
  errors: ['year_not_closable'],
})

export const numberYearContract = defineContract({
  name: 'ledger.numberYear',
  summary: 'Number the entries of a year in the order of days.',
  access: 'person',
  effect: 'write',
  input: yearInput,
  output: z.strictObject({ entries: z.int() }),
  errors: [],
})

export const settleVatContract = defineContract({
  name: 'ledger.settleVat',
  summary: 'Bring the VAT of a quarter or month into one account: to pay or to be refunded.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ ...period, write: z.boolean().meta({ description: 'False: only look.' }) }),
  output: z.strictObject({
    date: businessDate(),
    output: euros('Output VAT.'),
    input: euros('Deductible input VAT.'),
    result: euros('Above zero: to pay.'),
    lines: z.array(EntryLineShape),
    entryId: z.string().nullable(),
    settled: z.boolean().meta({ description: 'Nothing is left to settle.' }),
  }),
  errors: ['validation_failed', 'period_locked'],
})

export const exportLedgerContract = defineContract({
  name: 'ledger.export',
  summary: 'Journal, ledger or a statement as CSV or XLSX.',
  access: 'fiscal.read',
  effect: 'read',
  rest: { method: 'GET', path: '/ledger/export' },
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  otherMedia: ['text/csv; charset=utf-8'],
  input: z.strictObject({
    what: z.enum(['journal', 'ledger', 'trial_balance', 'profit_and_loss', 'balance_sheet']),
    format: z.enum(['csv', 'xlsx']),
    ...period,
    account: Code.optional().meta({ description: 'Only this account and its subaccounts (ledger).' }),
    language: Language,
  }),
  output: BytesAnswer,
  errors: ['validation_failed', 'export_too_large'],
})
