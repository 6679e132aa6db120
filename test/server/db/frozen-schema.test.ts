/**
 * What the schema's own triggers keep, column by column, against the list below: a new column of a frozen table without its
 * trigger, and a trigger that is gone, both turn this red. That the real rows of an issue are among it: frozen.test.ts.
 */
import { expect, test } from 'vitest'
import { refusedBySchema } from '../../support/checks/frozen.ts'

interface Kept {
  /** Columns that go on living; every other one is frozen. */
  alive?: string[]
  /** Where most columns live: those that are frozen. */
  frozen?: string[]
  /** Whether a row stays for ever; where it does not, what it belongs to may go and take it along. */
  kept: boolean
}

// Row numbers named alive are held by what refers to them.
const FROZEN: Record<string, Kept> = {
  // What was issued, and what was registered of it.
  invoices: {
    alive: [
      'id',
      'contact_id',
      'paid_cents',
      'is_owed',
      'registry_status',
      'uncollectible_at',
      'cancelled_at',
      'metadata',
      'updated_at',
    ],
    kept: true,
  },
  invoice_lines: { alive: [], kept: true },
  invoice_taxes: { alive: [], kept: true },
  invoice_references: { alive: [], kept: true },
  invoice_replacements: { alive: [], kept: true },
  invoice_amendments: { alive: [], kept: true },
  documents: { alive: [], kept: true },
  document_signatures: { alive: [], kept: true },
  parties: { alive: [], kept: true },
  registry_records: { alive: [], kept: true },
  registry_installations: { alive: [], kept: true },
  // Both go forward only, which frozen.test.ts shows.
  registry_chains: { frozen: [], kept: true },
  series: { frozen: ['book_id', 'code', 'kind', 'start_number'], kept: true },
  // Who did what.
  actors: { alive: [], kept: true },
  audit_events: { alive: [], kept: true },
  approvals: { alive: [], kept: false },
  // The ledger, and what is settled.
  journal_entries: { alive: ['number', 'open'], kept: true },
  journal_lines: { alive: ['contact_id'], kept: true },
  ledger_accounts: { alive: ['name', 'active'], kept: false },
  payments: { alive: ['id', 'contact_id', 'bank_transaction_id'], kept: false },
  payment_allocations: { alive: [], kept: false },
  reminders: { alive: ['id', 'contact_id'], kept: false },
  bank_transactions: {
    alive: ['id', 'import_id', 'search', 'status', 'note', 'rule_id', 'learned_rule_id'],
    kept: false,
  },
  bank_parts: { frozen: ['transaction_id', 'position', 'kind', 'amount_cents'], kept: false },
  filings: { alive: ['id', 'withdrawn_at'], kept: true },
  // What came in, and what was sent.
  received_invoices: { alive: ['contact_id'], kept: true },
  files: { alive: [], kept: false },
  file_bytes: { alive: [], kept: true },
  file_links: { alive: [], kept: false },
  mails: {
    alive: ['id', 'contact_id', 'refused', 'attempts', 'next_attempt_at', 'reason', 'detail', 'settled_at'],
    kept: true,
  },
  mail_attachments: { alive: [], kept: true },
  // What was sent or skipped stays so.
  planned_reminders: { frozen: ['state'], kept: false },
  quotes: { frozen: ['series_id', 'sequence', 'number'], kept: false },
  quote_revisions: { alive: [], kept: false },
  vat_number_checks: { alive: ['id', 'contact_id'], kept: false },
  census_checks: { alive: ['id', 'contact_id'], kept: false },
}

const sorted = (names: readonly string[]): string[] => names.toSorted()

test('what the triggers refuse is what is written here, no column more or less', () => {
  const refused = refusedBySchema()
  expect(sorted(Object.keys(refused))).toEqual(sorted(Object.keys(FROZEN)))
  for (const [table, { alive, frozen, kept }] of Object.entries(FROZEN)) {
    const found = refused[table]
    expect(found?.kept, `${table}: a row can be deleted`).toBe(kept)
    if (alive) expect(sorted(found?.alive ?? []), `${table}: alive`).toEqual(sorted(alive))
    if (frozen) expect(sorted(found?.columns ?? []), `${table}: frozen`).toEqual(sorted(frozen))
  }
})

test('a column that is added without its trigger, and a trigger that is dropped, are found', () => {
  const found = refusedBySchema(
    'alter table registry_installations add column more text',
    'drop trigger mails_frozen',
    "create trigger mails_frozen before update of book_id on mails begin select raise(abort, 'frozen: mails'); end",
    'drop trigger filings_kept',
  )
  // A trigger without a list of columns freezes those to come as well.
  expect(found['registry_installations']?.alive).toEqual([])
  expect(found['mails']?.alive).toContain('subject')
  expect(found['filings']?.kept).toBe(false)
})
