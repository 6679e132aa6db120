/**
 * Types of the tables of accounting/. Generated from the migrations by `npm run generate`; comments and types that SQL
 * cannot express are in build/schema/rooms/accounting.ts.
 */
import type { Generated } from 'kysely'
import type { Flag, Nullable } from './columns.ts'

export type StoredPaymentMethod = 'transfer' | 'direct_debit' | 'card' | 'cash' | 'bizum' | 'cheque' | 'other'

export type AccountKind = 'asset' | 'liability' | 'equity' | 'income' | 'expense'

export interface DebitCreditorsTable {
  company_id: number
  creditor_id: string
  name: string
  iban: string
  bic: Nullable<string>
  updated_at: number
}

export interface MandatesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  contact_id: number
  reference: string
  scheme: 'CORE' | 'B2B'
  type: 'recurrent' | 'one_off'
  signed_on: string
  holder: string
  iban: string
  bic: Nullable<string>
  state: 'active' | 'cancelled'
  uses: Generated<number>
  last_used_on: Nullable<string>
  created_at: number
}

export interface RemittancesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'debit' | 'transfer'
  state: 'prepared' | 'settled' | 'discarded'
  scheme: Nullable<'CORE' | 'B2B'>
  message_id: string
  execution_date: string
  name: string
  creditor_id: Nullable<string>
  iban: string
  bic: Nullable<string>
  account: string
  total_cents: number
  settled_on: Nullable<string>
  created_at: number
}

export interface RemittanceItemsTable {
  remittance_id: number
  position: number
  invoice_id: Nullable<number>
  received_id: Nullable<number>
  mandate_id: Nullable<number>
  sequence: Nullable<'FRST' | 'RCUR' | 'OOFF' | 'FNAL'>
  cents: number
  end_to_end_id: string
  name: string
  iban: string
  bic: Nullable<string>
  payment_id: Nullable<number>
  returned_on: Nullable<string>
  return_reason: Nullable<string>
  return_fee_cents: Nullable<number>
  is_open: Generated<Flag>
  instalment: Generated<number>
}

export interface PaymentsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'payment' | 'compensation' | 'write_off'
  direction: 'in' | 'out'
  date: string
  amount_cents: number
  advance_cents: Generated<number>
  exchange_cents: Generated<number>
  written_off_cents: Generated<number>
  fee_cents: Generated<number>
  method: Nullable<StoredPaymentMethod>
  account: Nullable<string>
  reference: Nullable<string>
  contact_id: Nullable<number>
  bank_transaction_id: Nullable<number>
  remittance_id: Nullable<number>
  created_at: number
}

export interface PaymentAllocationsTable {
  payment_id: number
  position: number
  invoice_id: Nullable<number>
  received_id: Nullable<number>
  advance_id: Nullable<number>
  cents: number
  instalment: Generated<number>
}

export interface RemindersTable {
  id: Generated<number>
  book_id: number
  public_id: string
  contact_id: Nullable<number>
  level: number
  date: string
  /** The closest of the program's own languages; the letter's language is `letter_language`. */
  language: 'es' | 'en'
  channel: 'letter' | 'email' | 'phone' | 'other'
  due_cents: number
  interest_cents: number
  recovery_cents: number
  created_at: number
  letter_language: Nullable<'es' | 'ca' | 'eu' | 'gl' | 'en' | 'fr' | 'de' | 'pt'>
}

export interface ReminderInvoicesTable {
  reminder_id: number
  invoice_id: number
  due_cents: number
  interest_cents: number
  recovery_cents: number
}

export interface BankAccountsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  iban: Nullable<string>
  currency: Generated<'EUR'>
  ledger_account: string
  opening_cents: Generated<number>
  opening_date: string
  active: Generated<Flag>
  csv_mapping: Nullable<string>
  version: Generated<number>
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
  status: Generated<'pending' | 'matched' | 'ignored'>
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
  books_entry: Generated<Flag>
  joined: Generated<Flag>
  settled: Generated<Flag>
  ledger_account: Nullable<string>
  contact_id: Nullable<number>
  text: Nullable<string>
}

export interface BankRulesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  origin: 'learned' | 'person'
  automatic: Generated<Flag>
  active: Generated<Flag>
  direction: 'in' | 'out'
  counterparty_iban: Nullable<string>
  text_key: Nullable<string>
  ledger_account: Nullable<string>
  contact_id: Nullable<number>
  uses: Generated<number>
  created_at: number
}

export interface LedgerAccountsTable {
  id: Generated<number>
  book_id: number
  code: string
  /** Null: the name in the chart of accounts applies. */
  name: Nullable<string>
  kind: AccountKind
  active: Generated<Flag>
}

export interface PeriodLocksTable {
  book_id: number
  /** Day as a whole number: 20260131. */
  locked_until: number
  updated_at: number
}

export interface LedgerYearsTable {
  id: Generated<number>
  book_id: number
  year: number
  result_cents: number
  locked_before: Nullable<number>
  closed_at: number
}

export interface JournalEntriesTable {
  id: Generated<number>
  book_id: number
  /** Day as a whole number: 20260131. */
  day: number
  /** Month as a whole number: 202601; 00 opening, 13 regularisation, 14 closing. */
  month: number
  source_type: number
  source_id: Nullable<number>
  text: Nullable<string>
  number: Nullable<number>
  /** 1 while its lines are written; null once sealed. */
  open: Nullable<number>
}

export interface JournalLinesTable {
  entry_id: number
  position: number
  account_id: number
  /** Copied from the entry, so that an account can be read in order of days. */
  day: number
  amount_cents: number
  contact_id: Nullable<number>
}

export interface AccountMonthsTable {
  account_id: number
  month: number
  debit_cents: number
  credit_cents: number
}

export interface FilingsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  model: string
  year: number
  /** 1T to 4T, 01 to 12, 0A the year. */
  period: string
  filed_on: string
  outcome: 'pay' | 'offset' | 'refund' | 'none'
  result_cents: number
  reference: Nullable<string>
  boxes: string
  created_at: number
  withdrawn_at: Nullable<number>
  nature: Generated<'first' | 'complementary' | 'rectifying' | 'substitutive'>
  source: Generated<'marked' | 'service' | 'file'>
  receipt: Nullable<string>
  replaced_by: Nullable<string>
}

export interface FilingInputsTable {
  book_id: number
  model: string
  year: number
  period: string
  box: string
  cents: number
  typed_at: Nullable<number>
  typed_by: Nullable<string>
  reason: Nullable<string>
}

export interface FiscalProfilesTable {
  book_id: number
  activity_code: Nullable<'A' | 'B' | 'C' | 'D'>
  activity_type: Nullable<string>
  iae: Nullable<string>
  income_method: 'direct_simplified' | 'direct_normal' | 'modules' | 'none'
  annual_vat_exempt: Flag
  files_123: Generated<Flag>
}

export interface WageRecipientsTable {
  book_id: number
  year: number
  position: number
  nif: string
  name: string
  key: string
  subkey: Nullable<string>
  province: Nullable<string>
  paid_cents: number
  withheld_cents: number
  in_kind_cents: number
  in_kind_withheld_cents: number
  facts: Nullable<string>
}

export interface FilingSettingsTable {
  book_id: number
  surnames: Nullable<string>
  first_name: Nullable<string>
  contact_name: Nullable<string>
  contact_phone: Nullable<string>
  iban: Nullable<string>
  live_since: Nullable<number>
  live_by: Nullable<string>
  representation: Nullable<'attorney' | 'collaborator' | 'legal'>
  representative_nif: Nullable<string>
  representative_name: Nullable<string>
  representative_certificate: Nullable<string>
  representation_since: Nullable<number>
  representation_by: Nullable<string>
}

export interface FilingSchemesTable {
  book_id: number
  year: number
  refund_register: Flag
  large_company: Flag
  voluntary_sii: Flag
  joint_return: Flag
  insolvency: Flag
  prorata: 'none' | 'opts' | 'uses' | 'revokes'
  excused_390: Flag
  monthly_349: Flag
  fuel_depositary: Flag
  stated_at: number
  stated_by: string
}

export interface FilingSendingsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  model: string
  year: number
  period: string
  nature: 'first' | 'complementary' | 'rectifying' | 'substitutive'
  kind: string
  result_cents: number
  boxes: string
  choices: string
  file: Uint8Array
  content_hash: Uint8Array
  confirmation_hash: Nullable<Uint8Array>
  filer_nif: string
  filer_name: string
  signer_nif: string
  signer_name: string
  representation: Nullable<'attorney' | 'collaborator' | 'legal'>
  approved_by: string
  state: 'preparing' | 'sent' | 'unknown' | 'accepted' | 'refused' | 'not_sent' | 'not_found'
  created_at: number
  sent_at: Nullable<number>
  settled_at: Nullable<number>
  next_query_at: Nullable<number>
  queries: Generated<number>
  csv: Nullable<string>
  receipt: Nullable<string>
  register_number: Nullable<string>
  presented_at: Nullable<string>
  document_url: Nullable<string>
  presenter_nif: Nullable<string>
  presenter_name: Nullable<string>
  presenter_as: Nullable<string>
  declarant_nif: Nullable<string>
  declarant_name: Nullable<string>
  exchange_id: Nullable<string>
  answer: Generated<string>
  why: Nullable<string>
  filing_id: Nullable<string>
}

export interface FilingConfirmationsTable {
  token_hash: Uint8Array
  book_id: number
  actor: string
  model: string
  year: number
  period: string
  content_hash: Uint8Array
  choices: string
  created_at: number
  expires_at: number
  used_at: Nullable<number>
  superseded: Generated<Flag>
}

export interface SimulatedReturnsTable {
  id: Generated<number>
  book_id: number
  nif: string
  model: string
  year: number
  period: string
  csv: string
  facts: string
}

export interface SimulatedSendingsTable {
  book_id: number
  id: string
  nif: string
  model: string
  year: number
  period: string
  facts: string
}

export interface RentedPremisesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  landlord_nif: string
  landlord_name: string
  /** 1 in money, 2 in kind. */
  rent_kind: number
  situation: number
  cadastral_number: Nullable<string>
  street_type: string
  street: string
  numbering: string
  house_number: Nullable<number>
  qualifier: Nullable<string>
  block: Nullable<string>
  entrance: Nullable<string>
  staircase: Nullable<string>
  floor: Nullable<string>
  door: Nullable<string>
  complement: Nullable<string>
  town: Nullable<string>
  municipality: string
  municipality_code: string
  province: string
  postal_code: string
  from_year: number
  to_year: Nullable<number>
  typed_at: number
  typed_by: string
}

export interface RentBasesTable {
  premises_id: number
  year: number
  base_cents: number
  typed_at: number
  typed_by: string
}

export interface HandOnSettingsTable {
  book_id: number
  format: 'a3' | 'contaplus' | 'contasol' | 'holded' | 'odoo' | 'csv'
  digits: number
  first_customer: number
  first_supplier: number
  company_code: string
  encoding: 'windows-1252' | 'utf-8'
  record_length: Nullable<number>
  journal: string
  closing_entries: Flag
  confirmed: Flag
  updated_at: number
}

export interface HandOnAccountsTable {
  id: Generated<number>
  book_id: number
  /** Code in the ledger. */
  code: string
  contact_id: Nullable<number>
  prefix: Nullable<string>
  number: Nullable<number>
  /** Account of the office for a general one; else there is a number. */
  typed: Nullable<string>
  created_at: number
  retired_at: Nullable<number>
}

export interface HandOnRunsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  format: 'a3' | 'contaplus' | 'contasol' | 'holded' | 'odoo' | 'csv'
  /** JSON: `HandOnSettings`, as they were. */
  settings: string
  from_day: string
  to_day: string
  entries: number
  lines: number
  debit_cents: number
  first_number: number
  last_number: number
  created_at: number
}

export interface HandOnEntriesTable {
  run_id: number
  /** Number in the file. */
  number: number
  /** Null once the journal no longer has the entry. */
  entry_id: Nullable<number>
  /** Day as a whole number: 20260131. */
  day: number
  label: string
  debit_cents: number
  /** Of what the ledger said. */
  digest: Uint8Array
  told_at: Nullable<number>
}

export interface AssetsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  description: string
  /** Code of the investment goods book: 11 tips … 49 other livestock. */
  kind:
    | '11'
    | '12'
    | '21'
    | '22'
    | '23'
    | '24'
    | '25'
    | '26'
    | '27'
    | '28'
    | '29'
    | '31'
    | '32'
    | '33'
    | '39'
    | '41'
    | '42'
    | '43'
    | '44'
    | '49'
  identifier: Nullable<string>
  account: string
  accumulated_account: string
  expense_account: string
  acquired_on: string
  in_use_on: string
  base_cents: number
  vat_bp: Nullable<number>
  vat_cents: number
  vat_deducted_cents: number
  /** Value at the end of its life, or of the land: not depreciated. */
  residual_cents: number
  method: 'percent' | 'years' | 'free' | 'none'
  rate_bp: Nullable<number>
  years: Nullable<number>
  table_row: Nullable<string>
  pace: Generated<'normal' | 'used' | 'accelerated'>
  prior_cents: Generated<number>
  /** Last day whose depreciation is before these books. */
  prior_until: string
  /** Part of `prior_cents` of the year of `prior_until`. */
  prior_year_cents: Generated<number>
  /** The terms count from the day after, on top of `counted_cents`. */
  counted_until: string
  counted_cents: number
  /** Null: that of the received invoice, or unknown. */
  supplier_name: Nullable<string>
  supplier_nif: Nullable<string>
  supplier_id_type: Nullable<'02' | '03' | '04' | '05' | '06' | '07'>
  supplier_country: Nullable<string>
  invoice_number: Nullable<string>
  invoice_date: Nullable<string>
  received_id: Nullable<number>
  received_position: Nullable<number>
  notes: Nullable<string>
  /** First day that does not count any more. */
  out_on: Nullable<string>
  out_cause: Nullable<'sale' | 'destroyed' | 'scrapped' | 'lost' | 'stolen' | 'other'>
  sale_cents: Nullable<number>
  sale_vat: Nullable<'taxed' | 'exempt' | 'deductible'>
  sale_vat_cents: Nullable<number>
  sale_invoice_id: Nullable<number>
  sale_account: Nullable<string>
  version: Generated<number>
  created_at: number
  updated_at: number
}

export interface AssetDepreciationsTable {
  id: Generated<number>
  asset_id: number
  from_day: string
  to_day: string
  cents: number
  /** 1: booked with the disposal, and undone with it. */
  of_disposal: Generated<Flag>
  booked_at: number
  booked_by: string
}

export interface VatProratasTable {
  book_id: number
  year: number
  rate_bp: number
  stated_at: number
  stated_by: string
}

export interface AccountingTables {
  debit_creditors: DebitCreditorsTable
  mandates: MandatesTable
  remittances: RemittancesTable
  remittance_items: RemittanceItemsTable
  payments: PaymentsTable
  payment_allocations: PaymentAllocationsTable
  reminders: RemindersTable
  reminder_invoices: ReminderInvoicesTable
  bank_accounts: BankAccountsTable
  bank_imports: BankImportsTable
  bank_statements: BankStatementsTable
  bank_transactions: BankTransactionsTable
  bank_parts: BankPartsTable
  bank_rules: BankRulesTable
  ledger_accounts: LedgerAccountsTable
  period_locks: PeriodLocksTable
  ledger_years: LedgerYearsTable
  journal_entries: JournalEntriesTable
  journal_lines: JournalLinesTable
  account_months: AccountMonthsTable
  filings: FilingsTable
  filing_inputs: FilingInputsTable
  fiscal_profiles: FiscalProfilesTable
  wage_recipients: WageRecipientsTable
  filing_settings: FilingSettingsTable
  filing_schemes: FilingSchemesTable
  filing_sendings: FilingSendingsTable
  filing_confirmations: FilingConfirmationsTable
  simulated_returns: SimulatedReturnsTable
  simulated_sendings: SimulatedSendingsTable
  rented_premises: RentedPremisesTable
  rent_bases: RentBasesTable
  hand_on_settings: HandOnSettingsTable
  hand_on_accounts: HandOnAccountsTable
  hand_on_runs: HandOnRunsTable
  hand_on_entries: HandOnEntriesTable
  assets: AssetsTable
  asset_depreciations: AssetDepreciationsTable
  vat_proratas: VatProratasTable
}
