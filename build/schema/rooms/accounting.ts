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
    hand_on_settings: {},
    hand_on_accounts: {
      columns: {
        code: { doc: 'Code in the ledger.' },
        typed: { doc: 'Account of the office for a general one; else there is a number.' },
      },
    },
    hand_on_runs: {
      columns: {
        settings: { doc: 'JSON: `HandOnSettings`, as they were.' },
      },
    },
    hand_on_entries: {
      columns: {
        number: { doc: 'Number in the file.' },
        entry_id: { doc: 'Null once the journal no longer has the entry.' },
        day: { doc: 'Day as a whole number: 20260131.' },
        digest: { doc: 'Of what the ledger said.' },
      },
    },
    assets: {
      columns: {
        kind: { doc: 'Code of the investment goods book: 11 tips … 49 other livestock.' },
        residual_cents: { doc: 'Value at the end of its life, or of the land: not depreciated.' },
        prior_until: { doc: 'Last day whose depreciation is before these books.' },
        prior_year_cents: { doc: 'Part of `prior_cents` of the year of `prior_until`.' },
        counted_until: { doc: 'The terms count from the day after, on top of `counted_cents`.' },
        supplier_name: { doc: 'Null: that of the received invoice, or unknown.' },
        out_on: { doc: 'First day that does not count any more.' },
      },
    },
    asset_depreciations: {
      columns: { of_disposal: { doc: '1: booked with the disposal, and undone with it.' } },
    },
    vat_proratas: {},
  },
}
