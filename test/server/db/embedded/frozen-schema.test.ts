/**
 * The columns protected by the schema's triggers, compared with the list below: a new column of a protected table
 * without its trigger, and a missing trigger, both fail the test. frozen.test.ts checks the rows of a real issue.
 */
import { expect, test } from 'vitest'
import { refusedBySchema } from '../../../support/checks/frozen.ts'

interface Kept {
  /** Mutable columns; all others are immutable. */
  alive?: string[]
  /** For tables with mostly mutable columns: the immutable ones. */
  frozen?: string[]
  /** True if the row is permanent; otherwise it may be deleted together with its parent. */
  kept: boolean
}

// Row numbers listed as mutable are protected by their references.
const FROZEN: Record<string, Kept> = {
  // Issued documents and their registration.
  invoices: {
    alive: [
      'id',
      'contact_id',
      'paid_cents',
      // Moves on with the instalments; a trigger of its own keeps that of other invoices.
      'due_date',
      'is_owed',
      'registry_status',
      'uncollectible_at',
      'cancelled_at',
      'metadata',
      'updated_at',
    ],
    kept: true,
  },
  invoice_instalments: { alive: ['paid_cents'], kept: true },
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
  // Both only advance, which frozen.test.ts shows.
  registry_chains: { frozen: [], kept: true },
  series: { frozen: ['book_id', 'code', 'kind', 'start_number'], kept: true },
  // The actors of actions.
  actors: { alive: [], kept: true },
  audit_events: { alive: [], kept: true },
  approvals: { alive: [], kept: false },
  company_notes: { alive: [], kept: false },
  // The ledger and settlements.
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
  filings: { alive: ['id', 'withdrawn_at', 'replaced_by'], kept: true },
  // What was sent stays; what became of it is settled once, which further triggers watch.
  filing_sendings: {
    alive: [
      'id',
      'state',
      'sent_at',
      'settled_at',
      'next_query_at',
      'queries',
      'csv',
      'receipt',
      'register_number',
      'presented_at',
      'document_url',
      'presenter_nif',
      'presenter_name',
      'presenter_as',
      'declarant_nif',
      'declarant_name',
      'exchange_id',
      'answer',
      'why',
      'filing_id',
    ],
    kept: true,
  },
  // What is known of exchanged invoices follows from facts; what was said is never changed, only settled.
  exchange_documents: { frozen: [], kept: true },
  exchange_reports: {
    alive: [
      'id',
      'last_day',
      'state',
      'code',
      'detail',
      'csv',
      'sent_at',
      'attempts',
      'queries',
      'next_at',
      'settled_at',
    ],
    kept: true,
  },
  exchange_messages: {
    alive: ['id', 'detail', 'ended_at'],
    kept: true,
  },
  exchange_facts: { alive: [], kept: true },
  // Received and sent documents.
  received_invoices: { alive: ['contact_id'], kept: true },
  reply_pages: { alive: ['id', 'facts', 'superseded_at'], kept: true },
  reply_answers: { alive: ['id'], kept: true },
  files: { alive: [], kept: false },
  file_bytes: { alive: [], kept: true },
  file_links: { alive: [], kept: false },
  mails: {
    alive: ['id', 'contact_id', 'refused', 'attempts', 'next_attempt_at', 'reason', 'detail', 'settled_at'],
    kept: true,
  },
  mail_attachments: { alive: [], kept: true },
  // The state of a sent or skipped reminder is permanent.
  planned_reminders: { frozen: ['state'], kept: false },
  // What was submitted to a public body, and what it said.
  portal_submissions: {
    frozen: [
      'book_id',
      'public_id',
      'invoice_id',
      'registry_number',
      'environment',
      'units',
      'email',
      'file',
      'sha256',
      'file_name',
      'requested_by',
      'created_at',
    ],
    kept: true,
  },
  portal_states: { alive: [], kept: true },
  portal_cancellations: {
    frozen: ['book_id', 'submission_id', 'public_id', 'reason', 'requested_by', 'created_at'],
    kept: true,
  },
  // By the first record.
  books: { frozen: ['registry_system'], kept: false },
  quotes: { frozen: ['series_id', 'sequence', 'number'], kept: false },
  quote_revisions: { alive: [], kept: false },
  vat_number_checks: { alive: ['id', 'contact_id'], kept: false },
  census_checks: { alive: ['id', 'contact_id'], kept: false },
}

const sorted = (names: readonly string[]): string[] => names.toSorted()

test('the triggers protect exactly the columns listed here', () => {
  const refused = refusedBySchema()
  expect(sorted(Object.keys(refused))).toEqual(sorted(Object.keys(FROZEN)))
  for (const [table, { alive, frozen, kept }] of Object.entries(FROZEN)) {
    const found = refused[table]
    expect(found?.kept, `${table}: a row can be deleted`).toBe(kept)
    if (alive) expect(sorted(found?.alive ?? []), `${table}: alive`).toEqual(sorted(alive))
    if (frozen) expect(sorted(found?.columns ?? []), `${table}: frozen`).toEqual(sorted(frozen))
  }
})

test('a new column without its trigger, and a dropped trigger, are detected', () => {
  const found = refusedBySchema(
    'alter table registry_installations add column more text',
    'drop trigger mails_frozen',
    "create trigger mails_frozen before update of book_id on mails begin select raise(abort, 'frozen: mails'); end",
    'drop trigger filings_kept',
  )
  // A trigger without a list of columns also protects future ones.
  expect(found['registry_installations']?.alive).toEqual([])
  expect(found['mails']?.alive).toContain('subject')
  expect(found['filings']?.kept).toBe(false)
})
