/** Types of the tables of migrations/0001/payments.ts. */
import type { Generated } from 'kysely'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

export type StoredPaymentMethod = 'transfer' | 'direct_debit' | 'card' | 'cash' | 'bizum' | 'cheque' | 'other'

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
  uses: Defaulted<number>
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
  is_open: Defaulted<Flag>
}

export interface PaymentsTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'payment' | 'compensation' | 'write_off'
  direction: 'in' | 'out'
  date: string
  amount_cents: number
  advance_cents: Defaulted<number>
  exchange_cents: Defaulted<number>
  written_off_cents: Defaulted<number>
  fee_cents: Defaulted<number>
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
  letter_language: Nullable<DocumentLanguage>
  channel: 'letter' | 'email' | 'phone' | 'other'
  due_cents: number
  interest_cents: number
  recovery_cents: number
  created_at: number
}

export interface ReminderInvoicesTable {
  reminder_id: number
  invoice_id: number
  due_cents: number
  interest_cents: number
  recovery_cents: number
}

export interface PaymentsTables {
  debit_creditors: DebitCreditorsTable
  mandates: MandatesTable
  remittances: RemittancesTable
  remittance_items: RemittanceItemsTable
  payments: PaymentsTable
  payment_allocations: PaymentAllocationsTable
  reminders: RemindersTable
  reminder_invoices: ReminderInvoicesTable
}
