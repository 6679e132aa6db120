/** Types of the tables of migrations/0001/bank.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

export interface BankAccountsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  iban: Nullable<string>
  currency: Defaulted<'EUR'>
  ledger_account: string
  opening_cents: Defaulted<number>
  opening_date: string
  active: Defaulted<Flag>
  csv_mapping: Nullable<string>
  version: Defaulted<number>
  created_at: number
  updated_at: number
}

export interface BankImportsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  file_name: string
  format: 'n43' | 'camt053' | 'csv'
  sha256: Uint8Array
  movements: number
  duplicates: number
  imported_at: number
}

export interface BankStatementsTable {
  id: Generated<number>
  import_id: number
  account_id: number
  from_date: Nullable<string>
  to_date: Nullable<string>
  opening_cents: Nullable<number>
  closing_cents: Nullable<number>
}

export interface BankTransactionsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  account_id: number
  import_id: Nullable<number>
  date: string
  value_date: Nullable<string>
  amount_cents: number
  balance_cents: Nullable<number>
  text: string
  counterparty: Nullable<string>
  counterparty_iban: Nullable<string>
  reference: Nullable<string>
  concept: Nullable<string>
  details: Nullable<string>
  fingerprint: Uint8Array
  search: string
  status: Defaulted<'pending' | 'matched' | 'ignored'>
  note: Nullable<string>
  rule_id: Nullable<number>
  learned_rule_id: Nullable<number>
  created_at: number
}

export interface BankPartsTable {
  transaction_id: number
  position: number
  kind: 'invoice' | 'received' | 'payment' | 'remittance' | 'transfer' | 'account'
  amount_cents: number
  invoice_id: Nullable<number>
  received_id: Nullable<number>
  payment_id: Nullable<number>
  remittance_id: Nullable<number>
  other_account_id: Nullable<number>
  other_transaction_id: Nullable<number>
  books_entry: Defaulted<Flag>
  joined: Defaulted<Flag>
  settled: Defaulted<Flag>
  ledger_account: Nullable<string>
  contact_id: Nullable<number>
  text: Nullable<string>
}

export interface BankRulesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  origin: 'learned' | 'person'
  automatic: Defaulted<Flag>
  active: Defaulted<Flag>
  direction: 'in' | 'out'
  counterparty_iban: Nullable<string>
  text_key: Nullable<string>
  ledger_account: Nullable<string>
  contact_id: Nullable<number>
  uses: Defaulted<number>
  created_at: number
}

export interface BankTables {
  bank_accounts: BankAccountsTable
  bank_imports: BankImportsTable
  bank_statements: BankStatementsTable
  bank_transactions: BankTransactionsTable
  bank_parts: BankPartsTable
  bank_rules: BankRulesTable
}
