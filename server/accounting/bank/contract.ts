/** Contracts of bank accounts, their movements, and how each movement is booked. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import {
  businessDate,
  decimal,
  euros,
  FaultShape,
  Instant,
  line,
  PathId,
} from '../../domain/contract/fields.ts'

const MAX_EUROS = 999_999_999_999
/** Body limit: a file of 20 MiB in base64 plus the surrounding JSON. */
const FILE_BODY_MIB = 28
const MAX_BASE64 = 27_962_028

const signedEuros = (description: string) =>
  decimal(2, { max: MAX_EUROS, description: `${description} Positive when money comes in. Euros.` })

// ---- Accounts ----

const Iban = z
  .string()
  .max(42)
  .meta({ description: 'IBAN, with or without blanks; its check digits are verified.' })
const LedgerAccount = z
  .string()
  .regex(/^\d{3,12}$/)
  .meta({ description: 'Account of the Plan General Contable, such as 5720001.' })

export const BankAccount = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    iban: z.string().nullable(),
    currency: z.literal('EUR'),
    ledgerAccount: z.string(),
    openingBalance: euros('Balance at the start of the opening day.'),
    openingDate: z.string(),
    active: z.boolean(),
    balance: euros('Opening balance and all movements known.'),
    movements: z.int(),
    pending: z.int().meta({ description: 'Movements nobody has said yet what they are.' }),
    lastMovementOn: z.string().nullable(),
    version: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'BankAccount' })
export type BankAccount = z.infer<typeof BankAccount>

export const listBankAccountsContract = defineContract({
  name: 'bank.accounts',
  summary: 'Bank accounts with their balances.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/accounts' },
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(BankAccount) }),
  errors: [],
})

export const getBankAccountContract = defineContract({
  name: 'bank.account',
  summary: 'One bank account with its balance.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/accounts/:id' },
  input: z.strictObject({ id: PathId }),
  output: BankAccount,
  errors: ['not_found'],
})

export const createBankAccountContract = defineContract({
  name: 'bank.createAccount',
  summary: 'Add a bank account.',
  description: 'Without `ledgerAccount` the next free account below 572 is taken.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'POST', path: '/bank/accounts', status: 201 },
  input: z.strictObject({
    name: line(80),
    iban: Iban.nullable().optional(),
    ledgerAccount: LedgerAccount.optional(),
    openingBalance: signedEuros('Balance at the start of the opening day; 0 when left out.').optional(),
    openingDate: businessDate('First day whose movements count; today when left out.').optional(),
  }),
  output: BankAccount,
  errors: ['validation_failed', 'bank_account_taken'],
})

export const updateBankAccountContract = defineContract({
  name: 'bank.updateAccount',
  summary: 'Change a bank account.',
  description: 'An inactive account keeps its movements and is not offered any more.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'PATCH', path: '/bank/accounts/:id' },
  input: z.strictObject({
    id: PathId,
    name: line(80).optional(),
    iban: Iban.nullable().optional(),
    ledgerAccount: LedgerAccount.optional(),
    openingBalance: signedEuros('Balance at the start of the opening day.').optional(),
    openingDate: businessDate('First day whose movements count.').optional(),
    active: z.boolean().optional(),
    expectedVersion: z.int().optional(),
  }),
  output: BankAccount,
  errors: ['not_found', 'version_conflict', 'validation_failed', 'bank_account_taken', 'bank_account_in_use'],
})

export const deleteBankAccountContract = defineContract({
  name: 'bank.deleteAccount',
  summary: 'Remove a bank account without movements.',
  access: 'invoices.write',
  effect: 'write',
  rest: { method: 'DELETE', path: '/bank/accounts/:id' },
  input: z.strictObject({ id: PathId, expectedVersion: z.int().optional() }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found', 'version_conflict', 'bank_account_in_use'],
})

// ---- Files of the bank ----

const BankFormat = z.enum(['n43', 'camt053', 'csv'])
/** Column mapping of a CSV. Columns are counted from 0. */
export const CsvMapping = z
  .strictObject({
    delimiter: z.enum([',', ';', '\t', '|']),
    headerRow: z
      .int()
      .min(-1)
      .max(200)
      .meta({ description: 'Row of the titles, counted from 0; -1 without.' }),
    date: z.int().min(0).max(100),
    valueDate: z.int().min(0).max(100).nullable(),
    text: z.array(z.int().min(0).max(100)).min(1).max(6),
    amount: z.int().min(0).max(100).nullable(),
    debit: z.int().min(0).max(100).nullable(),
    credit: z.int().min(0).max(100).nullable(),
    balance: z.int().min(0).max(100).nullable(),
    counterparty: z.int().min(0).max(100).nullable(),
    reference: z.int().min(0).max(100).nullable(),
    dateOrder: z.enum(['dmy', 'mdy', 'ymd']),
    decimalSign: z.enum([',', '.']),
  })
  .meta({ id: 'BankCsvMapping' })
export type CsvMapping = z.infer<typeof CsvMapping>

const fileInput = {
  fileName: line(200),
  content: z.base64().max(MAX_BASE64).meta({ description: 'The file, in base64; at most 20 MiB.' }),
  accountId: PathId.optional().meta({
    description: 'The account the file is of. Files that carry an IBAN find it by themselves.',
  }),
  mapping: CsvMapping.optional().meta({ description: 'Of a CSV; guessed, or as last time, when left out.' }),
}

const StatementPreview = z.strictObject({
  accountId: z.string().nullable().meta({ description: 'Null when no account has that IBAN.' }),
  accountName: z.string().nullable(),
  iban: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  opening: euros('Balance before the first movement.').nullable(),
  closing: euros('Balance after the last movement.').nullable(),
  rows: z.int(),
  duplicates: z.int().meta({ description: 'Already here, to the letter.' }),
  probable: z.int().meta({ description: 'Already here from another file that words them differently.' }),
  moneyIn: euros('Of what is new.'),
  moneyOut: euros('Of what is new, without sign.'),
  sample: z.array(
    z.strictObject({
      line: z.int(),
      date: z.string(),
      text: z.string(),
      amount: euros('Signed.'),
      balance: euros('After it.').nullable(),
      state: z.enum(['new', 'duplicate', 'probable']),
    }),
  ),
})

export const previewBankFileContract = defineContract({
  name: 'bank.preview',
  summary: 'Read a file of the bank without keeping anything.',
  access: 'person',
  effect: 'read',
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject(fileInput),
  output: z.strictObject({
    format: BankFormat,
    encoding: z.string(),
    sha256: z.string(),
    statements: z.array(StatementPreview),
    warnings: z.array(FaultShape),
    csv: z
      .strictObject({
        mapping: CsvMapping,
        source: z.enum(['guessed', 'remembered', 'given']),
        columns: z.array(z.string()),
        rows: z.array(z.array(z.string())).meta({ description: 'The first rows, as written.' }),
      })
      .nullable(),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const importBankFileContract = defineContract({
  name: 'bank.import',
  summary: 'Take the new movements of a file of the bank.',
  access: 'person',
  effect: 'write',
  bringsNew: true,
  bodyMiB: FILE_BODY_MIB,
  input: z.strictObject({
    ...fileInput,
    keepProbable: z.boolean().optional().meta({ description: 'Take what is probably here already, too.' }),
  }),
  output: z.strictObject({
    importId: z.string().nullable().meta({ description: 'Null when nothing was new.' }),
    imported: z.int(),
    duplicates: z.int(),
    probable: z.int(),
    booked: z.int().meta({ description: 'Booked by rules that a person made automatic.' }),
    accounts: z.array(z.string()),
    warnings: z.array(FaultShape),
  }),
  errors: ['validation_failed', 'not_found'],
})

export const listBankImportsContract = defineContract({
  name: 'bank.imports',
  summary: 'The files taken from the bank, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/imports' },
  input: z.strictObject({
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        fileName: z.string(),
        format: BankFormat,
        importedAt: Instant,
        movements: z.int(),
        duplicates: z.int(),
        matched: z.int(),
        booked: z.int().meta({ description: 'Of those matched: by an automatic rule.' }),
        from: z.string().nullable(),
        to: z.string().nullable(),
        accounts: z.array(z.string()),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  errors: ['validation_failed'],
})

export const undoBankImportContract = defineContract({
  name: 'bank.undoImport',
  summary: 'Take back a file, while a person has matched none of its movements.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ removed: z.int() }),
  errors: ['not_found', 'bank_import_matched', 'period_locked'],
})

// ---- Movements ----

export const PartKind = z.enum(['invoice', 'received', 'payment', 'remittance', 'transfer', 'account'])
export type PartKind = z.infer<typeof PartKind>

/** A part of a movement: the document, payment, transfer or account it is matched to. */
export const BankPart = z
  .strictObject({
    kind: PartKind,
    amount: signedEuros('What of the movement it explains.'),
    invoiceId: z.string().nullable(),
    instalment: z.int().optional().meta({ description: 'Which of its instalments, counted from 1.' }),
    receivedId: z.string().nullable(),
    history: z.literal(true).optional().meta({ description: 'Of an earlier program.' }),
    paymentId: z.string().nullable(),
    remittanceId: z.string().nullable(),
    /** Other bank account of a transfer. */
    accountId: z.string().nullable(),
    transactionId: z.string().nullable(),
    ledgerAccount: z.string().nullable(),
    contactId: z.string().nullable(),
    /** Display text: invoice number, or name of the account or contact. */
    label: z.string(),
    text: z.string().nullable(),
  })
  .meta({ id: 'BankPart' })
export type BankPart = z.infer<typeof BankPart>

export const BankReason = z.strictObject({
  code: z.string(),
  points: z.int().meta({ description: 'What it adds to the score, or takes.' }),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type BankReason = z.infer<typeof BankReason>

export const BankSuggestion = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['invoice', 'combination', 'payment', 'remittance', 'transfer', 'rule', 'pattern']),
    confidence: z.enum(['sure', 'likely', 'possible']),
    score: z.int().min(0).max(100),
    parts: z.array(BankPart),
    reasons: z.array(BankReason),
    ruleId: z.string().nullable(),
  })
  .meta({ id: 'BankSuggestion' })
export type BankSuggestion = z.infer<typeof BankSuggestion>

const TransactionStatus = z.enum(['pending', 'matched', 'ignored'])

const transactionFields = {
  id: z.string(),
  accountId: z.string(),
  date: z.string(),
  valueDate: z.string().nullable(),
  amount: signedEuros('Of the movement.'),
  balance: euros('Of the account after it, as the bank says.').nullable(),
  text: z.string(),
  counterparty: z.string().nullable(),
  counterpartyIban: z.string().nullable(),
  reference: z.string().nullable(),
  concept: z.string().nullable().meta({ description: "The bank's own code of what it is." }),
  status: TransactionStatus,
  note: z.string().nullable(),
  importId: z.string().nullable(),
  automatic: z.boolean().meta({ description: 'Booked by a rule that a person made automatic.' }),
}

export const BankTransaction = z
  .strictObject({ ...transactionFields, parts: z.array(BankPart) })
  .meta({ id: 'BankTransaction' })
export type BankTransaction = z.infer<typeof BankTransaction>

const BankTransactionDetail = z
  .strictObject({
    ...transactionFields,
    parts: z.array(BankPart),
    details: z
      .array(
        z.strictObject({
          amount: euros('Signed.'),
          name: z.string().nullable(),
          iban: z.string().nullable(),
          text: z.string(),
        }),
      )
      .meta({ description: 'The operations the bank put together into this movement.' }),
    suggestions: z.array(BankSuggestion),
  })
  .meta({ id: 'BankTransactionDetail' })
const transactionFilter = {
  accountId: PathId.optional(),
  status: TransactionStatus.optional(),
  direction: z.enum(['in', 'out']).optional(),
  from: businessDate().optional(),
  to: businessDate().optional(),
  text: z.string().max(100).optional(),
}

export const listBankTransactionsContract = defineContract({
  name: 'bank.transactions',
  summary: 'Movements of the bank accounts, newest first.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/transactions' },
  input: z.strictObject({
    ...transactionFilter,
    limit: z.int().min(1).max(100).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({ items: z.array(BankTransaction), nextCursor: z.string().nullable() }),
  errors: ['validation_failed', 'not_found'],
})

export const windowBankTransactionsContract = defineContract({
  name: 'bank.window',
  summary: 'A stretch of the movements for the page, each with what it most probably is.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({
    ...transactionFilter,
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(200).optional(),
  }),
  output: z.strictObject({
    items: z.array(z.strictObject({ ...BankTransaction.shape, suggestion: BankSuggestion.nullable() })),
    count: z.int(),
    pending: z.int(),
    moneyIn: euros('Of the filter.'),
    moneyOut: euros('Of the filter, without sign.'),
  }),
  errors: [],
})

export const getBankTransactionContract = defineContract({
  name: 'bank.transaction',
  summary: 'One movement with what it may be, and why.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/transactions/:id' },
  input: z.strictObject({ id: PathId }),
  output: BankTransactionDetail,
  errors: ['not_found'],
})

const MissingReceipt = z
  .strictObject({
    type: z.enum(['movement', 'received']).meta({
      description:
        'movement: money that left an account, without a received invoice; received: a received invoice without a file.',
    }),
    id: z.string(),
    date: businessDate(),
    amount: euros('Spent.'),
    text: z.string().meta({ description: 'As the bank says, or the number of the received invoice.' }),
    supplier: z
      .strictObject({ name: z.string(), contactId: z.string().nullable(), email: z.string().nullable() })
      .nullable()
      .meta({ description: 'Guessed by account or name for a movement; null if nothing says whose it is.' }),
    waiting: z
      .strictObject({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'An incoming document of that total that nobody has entered yet.' }),
  })
  .meta({ id: 'MissingReceipt' })
export type MissingReceipt = z.infer<typeof MissingReceipt>

export const missingReceiptsContract = defineContract({
  name: 'bank.missingReceipts',
  summary:
    'What was spent without a receipt: movements without a received invoice, and received invoices without a file.',
  description:
    'Payroll, social security, taxes, loans, bank fees, cash and transfers between own accounts need none: the rules of the bank and the wording of the movement say which they are. What is set aside is left out.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/missing-receipts' },
  input: z.strictObject({
    from: businessDate('First day. Default: a year before the last one.').optional(),
    to: businessDate('Last day. Default: today.').optional(),
  }),
  output: z.strictObject({
    items: z.array(MissingReceipt).meta({ description: 'Newest first, at most 500.' }),
    count: z.int(),
    total: euros('Spent in all.'),
  }),
  errors: [],
})

const partAmount = signedEuros('What of the movement it explains, with its sign.')

export const PartInput = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('invoice'),
    invoiceId: PathId,
    instalment: z.int().min(1).max(12).optional().meta({
      description: 'Which of its instalments, counted from 1. Default: the one due first.',
    }),
    amount: partAmount,
  }),
  z.strictObject({ kind: z.literal('received'), receivedId: PathId, amount: partAmount }),
  z.strictObject({ kind: z.literal('payment'), paymentId: PathId }),
  z.strictObject({ kind: z.literal('remittance'), remittanceId: PathId }),
  z.strictObject({ kind: z.literal('transfer'), accountId: PathId, transactionId: PathId.optional() }),
  z.strictObject({
    kind: z.literal('account'),
    ledgerAccount: LedgerAccount,
    amount: partAmount,
    contactId: PathId.optional(),
    text: line(200).optional(),
  }),
])
export type PartInput = z.infer<typeof PartInput>

export const matchBankTransactionContract = defineContract({
  name: 'bank.match',
  summary: 'Say what a movement is. Payments and entries are made with it; the parts add up to the movement.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    parts: z.array(PartInput).min(1).max(60),
    learn: z.boolean().optional().meta({ description: 'False: do not remember it for the next one.' }),
  }),
  output: BankTransaction,
  errors: ['not_found', 'validation_failed', 'bank_already_matched', 'period_locked'],
})

export const unmatchBankTransactionContract = defineContract({
  name: 'bank.unmatch',
  summary: 'Take back what a movement was said to be, with the payments and entries made for it.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: BankTransaction,
  errors: ['not_found', 'bank_not_matched', 'period_locked'],
})

export const ignoreBankTransactionContract = defineContract({
  name: 'bank.ignore',
  summary: 'Set a movement aside that is in the books already, or take it up again.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId, ignored: z.boolean(), note: line(200, 0).optional() }),
  output: BankTransaction,
  errors: ['not_found', 'bank_already_matched'],
})

// ---- Rules ----

export const BankRule = z
  .strictObject({
    id: z.string(),
    origin: z.enum(['learned', 'person']),
    automatic: z.boolean(),
    active: z.boolean(),
    direction: z.enum(['in', 'out']),
    counterpartyIban: z.string().nullable(),
    textContains: z.string().nullable(),
    ledgerAccount: z.string().nullable(),
    contactId: z.string().nullable(),
    contactName: z.string().nullable(),
    uses: z.int(),
  })
  .meta({ id: 'BankRule' })
export type BankRule = z.infer<typeof BankRule>

const ruleFields = {
  direction: z.enum(['in', 'out']),
  counterpartyIban: Iban.nullable().optional(),
  textContains: line(80, 3).nullable().optional(),
  ledgerAccount: LedgerAccount,
  contactId: PathId.nullable().optional(),
  automatic: z.boolean().optional(),
}

export const listBankRulesContract = defineContract({
  name: 'bank.rules',
  summary: 'Rules for movements: made by a person, or learned from what was accepted.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(BankRule) }),
  errors: [],
})

export const createBankRuleContract = defineContract({
  name: 'bank.createRule',
  summary: 'Make a rule; an automatic one books by itself what is imported from now on.',
  access: 'person',
  effect: 'write',
  input: z.strictObject(ruleFields),
  output: BankRule,
  errors: ['validation_failed', 'not_found'],
})

export const updateBankRuleContract = defineContract({
  name: 'bank.updateRule',
  summary: 'Change a rule.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    ...ruleFields,
    direction: ruleFields.direction.optional(),
    ledgerAccount: LedgerAccount.optional(),
    active: z.boolean().optional(),
  }),
  output: BankRule,
  errors: ['validation_failed', 'not_found'],
})

export const deleteBankRuleContract = defineContract({
  name: 'bank.deleteRule',
  summary: 'Forget a rule. What it booked stays.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ deleted: z.literal(true) }),
  errors: ['not_found'],
})

export const applyBankRulesContract = defineContract({
  name: 'bank.applyRules',
  summary: 'Book the pending movements that an automatic rule knows.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ booked: z.int(), transactionIds: z.array(z.string()) }),
  errors: [],
})

export const unapplyBankRulesContract = defineContract({
  name: 'bank.unapplyRules',
  summary: 'Take back what the automatic rules booked, but for what a person has changed since.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ transactionIds: z.array(PathId).min(1).max(10_000) }),
  output: z.strictObject({ unbooked: z.int(), kept: z.int() }),
  errors: ['period_locked'],
})

// ---- Reconciliation ----

export const reconcileBankAccountContract = defineContract({
  name: 'bank.reconciliation',
  summary: 'What the bank says and what the books say of an account on a day, and what lies between.',
  access: 'invoices.read',
  effect: 'read',
  rest: { method: 'GET', path: '/bank/accounts/:id/reconciliation' },
  input: z.strictObject({
    id: PathId,
    date: businessDate('The day, at its end; today when left out.').optional(),
  }),
  output: z.strictObject({
    accountId: z.string(),
    date: z.string(),
    bankBalance: euros('Opening balance and movements up to the day.'),
    statementBalance: euros('The last balance the bank wrote, up to the day.').nullable(),
    statementOn: z.string().nullable(),
    bookBalance: euros("Of the account's ledger account."),
    difference: euros('Bank minus books.'),
    pendingIn: euros('Movements in not matched yet.'),
    pendingOut: euros('Movements out not matched yet, without sign.'),
    ignored: euros('Movements set aside, signed.'),
    unexplained: euros('What pending and ignored movements do not explain.'),
    pending: z.array(BankTransaction).meta({ description: 'The oldest 100 not matched.' }),
    pendingCount: z.int(),
  }),
  errors: ['not_found'],
})
