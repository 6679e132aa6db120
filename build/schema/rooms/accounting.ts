/** What SQL cannot express of the tables of accounting/. */
import type { Room } from '../room.ts'

export const accounting: Room = {
  untyped: {
    journal_unsealed: 'always empty: a foreign key to it holds back the commit of an unsealed entry',
  },
  tables: {
    debit_creditors: {},
    mandates: {},
    remittances: {},
    remittance_items: {},
    payments: {
      columns: {
        method: { union: 'StoredPaymentMethod' },
      },
    },
    payment_allocations: {},
    reminders: {
      columns: {
        language: {
          doc: "The closest of the program's own languages; the letter's language is `letter_language`.",
        },
      },
    },
    reminder_invoices: {},
    bank_accounts: {},
    bank_imports: {},
    bank_statements: {},
    bank_transactions: {},
    bank_parts: {},
    bank_rules: {},
    ledger_accounts: {
      columns: {
        name: { doc: 'Null: the name in the chart of accounts applies.' },
        kind: { union: 'AccountKind' },
      },
    },
    period_locks: {
      columns: {
        locked_until: { doc: 'Day as a whole number: 20260131.' },
      },
    },
    ledger_years: {},
    journal_entries: {
      columns: {
        day: { doc: 'Day as a whole number: 20260131.' },
        month: { doc: 'Month as a whole number: 202601; 00 opening, 13 regularisation, 14 closing.' },
        open: { doc: '1 while its lines are written; null once sealed.' },
      },
    },
    journal_lines: {
      columns: {
        day: { doc: 'Copied from the entry, so that an account can be read in order of days.' },
      },
    },
    account_months: {},
    filings: {
      columns: {
        period: { doc: '1T to 4T, 01 to 12, 0A the year.' },
      },
    },
    filing_inputs: {},
    fiscal_profiles: {},
    wage_recipients: {},
    filing_settings: {},
    filing_schemes: {},
    filing_sendings: {},
    filing_confirmations: {},
    simulated_returns: {},
    simulated_sendings: {},
    rented_premises: {
      columns: {
        rent_kind: { doc: '1 in money, 2 in kind.' },
      },
    },
    rent_bases: {},
  },
}
