/**
 * Row ids that no foreign key declares. Among rows of other companies a copied row gets another id, so that every
 * column with a row id has to be known: a test finds a number or a JSON text that is neither listed here nor a foreign
 * key.
 */

interface LooseReference {
  /** Why there is no foreign key. */
  why: string
  /** The table; or the tables by the value of another column, of the row itself or of the row that `through` leads to. */
  to: string | { by: string; tables: Readonly<Record<string, string>> }
  through?: { column: string; table: string }
  /** The column holds a multiple of the id, and less than the factor beside it. */
  factor?: number
  /** Lower values are no ids. */
  from?: number
}

/** By `table.column`. */
export const LOOSE: Readonly<Record<string, LooseReference>> = {
  'figure_entries.source_id': {
    why: 'The document is of one of two tables.',
    to: { by: 'source', tables: { '1': 'invoices', '2': 'received_invoices' } },
  },
  'figure_entries.part': {
    why: 'A part that a payment made due has the id of the payment; others count the operations of a document.',
    to: { by: 'stage', tables: { settled: 'payments' } },
    through: { column: 'group_id', table: 'figure_groups' },
    from: 1,
  },
  'cash_operations.source_id': {
    why: 'The document is of one of two tables.',
    to: { by: 'source', tables: { '1': 'invoices', '2': 'received_invoices' } },
  },
  'file_links.target_id': {
    why: 'A file can belong to records of several tables.',
    to: {
      by: 'target_type',
      tables: {
        received: 'received_invoices',
        filing: 'filing_sendings',
        incoming: 'incoming_documents',
      },
    },
  },
  'payments.bank_transaction_id': {
    why: 'Transactions refer to payments already: the two tables would refer to each other.',
    to: 'bank_transactions',
  },
  'journal_entries.source_id': {
    why: 'The source of an entry is of several tables; the other types have none.',
    to: {
      by: 'source_type',
      tables: {
        '1': 'invoices',
        '2': 'received_invoices',
        '3': 'payments',
        '4': 'bank_transactions',
        '5': 'journal_entries',
      },
    },
  },
  'import_rows.target_id': {
    why: 'The record that a row made may have been deleted since, and is of one of three tables.',
    to: { by: 'kind', tables: { contacts: 'contacts', items: 'items', received: 'received_invoices' } },
    through: { column: 'run_id', table: 'import_runs' },
  },
  'bundle_pairings.files_there': { why: 'A position.', to: 'files', from: 1 },
  'bundle_files.files_upto': { why: 'A position.', to: 'files', from: 1 },
  'webhooks.after_event_id': { why: 'A position, which may be before the first event.', to: 'events' },
  'webhook_deliveries.event_id': { why: 'A delivery may outlive its event.', to: 'events' },
  'event_cursors.event_id': { why: 'A position.', to: 'events' },
  'erp_contacts.seen_pass': {
    why: 'Twice the id of the run, and one after a restart.',
    to: 'erp_runs',
    factor: 2,
  },
  'erp_documents.seen_pass': {
    why: 'Twice the id of the run, and one after a restart.',
    to: 'erp_runs',
    factor: 2,
  },
  'erp_items.seen_pass': {
    why: 'Twice the id of the run, and one after a restart.',
    to: 'erp_runs',
    factor: 2,
  },
}

/** Endings of the names of columns that hold amounts, rates and times. */
export const PLAIN_ENDINGS = /_(cents|bp|micro|at|ms)$/

/** Columns of whole numbers that are no row ids, by table; those with one of the endings are not listed. */
export const PLAIN: Readonly<Record<string, string>> = {
  account_months: 'month',
  // Copies of other installations' books are not moved.
  advised_companies: 'entry_shift rebased',
  api_keys: 'assistant per_day cents_per_day',
  audit_events: 'sequence at',
  bank_accounts: 'active version',
  bank_imports: 'movements duplicates',
  bank_parts: 'position books_entry joined settled',
  bank_rules: 'automatic active uses',
  bulk_units: 'position attempts file_bytes',
  bundle_changes: 'number sent_in',
  bundle_files: 'at number size',
  bundle_pairings: 'sent received changes',
  cash_operations: 'source part is_open',
  census_checks: 'simulated',
  certificate_warnings: 'days_left',
  certificates: 'valid_from valid_to',
  companies: 'colour default_payment_days version',
  company_care: 'notes',
  company_designs: 'payment_qr logo_width logo_height',
  company_summaries: 'stale_since taken',
  confirmations: 'draft_version superseded',
  contacts: 'is_business is_customer is_supplier surcharge payment_days version reminders_off',
  document_queue: 'attempts',
  erp_calls: 'at month status ms bytes limit_remaining',
  erp_connections: 'allow_private monthly_budget meter_used meter_limit version wait_until',
  erp_contacts: 'is_client is_supplier archived missing_since',
  erp_documents: 'missing_since',
  erp_items: 'archived missing_since',
  erp_rejects: 'position page at',
  erp_run_resources: 'position pages fetched created updated unchanged duplicates rejected missing restarted',
  erp_runs: 'resumable estimate calls',
  erp_watermarks: 'last_count',
  eu_figures: 'month rectifying documents',
  events: 'at',
  exchange_rates: 'simulated',
  figure_entries: 'month source',
  figure_groups: 'rectifying deductible investment',
  files: 'size',
  filing_confirmations: 'year superseded',
  filing_inputs: 'year cents',
  filing_schemes:
    'year refund_register large_company voluntary_sii joint_return insolvency excused_390 monthly_349 fuel_depositary',
  filing_sendings: 'year queries',
  filing_settings: 'live_since representation_since',
  filings: 'year',
  fiscal_profiles: 'annual_vat_exempt files_123',
  idempotency_keys: 'status sealed',
  import_chunks: 'position',
  import_rows: 'row target_version',
  import_runs: 'first_row rows taken created updated skipped failed restored kept',
  incoming_documents: 'first_page last_page pages pages_read attempts lease_until engine version',
  incoming_rules: 'known_suppliers_only version',
  incoming_settings: 'version',
  incoming_sources: 'version',
  invoice_lines: 'position withholdable is_disbursement',
  invoice_references: 'position',
  invoice_taxes: 'position',
  invoices: 'sequence is_owed simplified_art7273 version',
  items: 'withholdable active version',
  journal_entries: 'day month source_type number',
  journal_lines: 'position day',
  key_clients: 'at',
  key_usage: 'issued cents',
  ledger_accounts: 'active',
  ledger_years: 'year locked_before',
  mail_accounts: 'port copy_to_self version',
  mail_attachments: 'position size',
  mail_documents: 'position',
  mails: 'attempts',
  mandates: 'uses',
  notes: 'version',
  month_figures: 'month documents',
  party_figures: 'side period documents',
  payment_allocations: 'position cents',
  period_locks: 'locked_until',
  period_totals: 'month documents missing_nif without_file',
  planned_reminders: 'step',
  quote_conversions: 'is_released',
  quote_revisions: 'revision',
  quotes: 'sequence hide_prices is_spent revision version',
  received_invoices: 'year sequence is_owed cash_accounting property_situation files version',
  received_lines: 'position self_assessed investment_good',
  recurrence_days: 'at',
  recurrences: 'due_days version',
  registry_attempts: 'attempt',
  registry_batches: 'records incident http_status',
  registry_chains: 'first_sequence records',
  registry_counts: 'records',
  registry_flows: 'wait_seconds failures batch_limit stopped',
  registry_installations: 'first_sequence',
  registry_records: 'sequence',
  registry_submissions: 'attempts csv_lost conflict closed',
  reminder_plans: 'enabled automatic version',
  reminders: 'level',
  rent_bases: 'year',
  rented_premises: 'rent_kind situation house_number from_year to_year',
  remittance_items: 'position cents is_open',
  second_person_rules: 'closing bank_accounts version',
  series: 'start_number next_number is_default',
  series_gaps: 'first last',
  simulated_returns: 'year',
  simulated_sendings: 'year',
  simulator_records: 'arrival',
  supplier_memory: 'documents',
  tasks: 'version',
  templates: 'version',
  tool_calls: 'at ms',
  vat_number_checks: 'valid simulated',
  wage_recipients: 'year position',
  webhook_attempts: 'number at ms status',
  webhook_deliveries: 'attempts tries leased_until',
  webhooks: 'previous_until allow_local failing_since failures hold_until version',
  withholding_figures: 'month documents',
}

/** JSON texts with row ids inside; `json-ids.ts` replaces them. */
export const JSON_WITH_IDS = [
  'bin.content',
  'cash_operations.operation',
  'contact_merges.moved',
  'import_rows.before',
] as const

/** JSON texts without: they name records by their public identifiers, if at all. */
export const JSON_WITHOUT_IDS: Readonly<Record<string, string>> = {
  api_keys: 'scopes',
  approvals: 'summary',
  bank_accounts: 'csv_mapping',
  bank_transactions: 'details',
  bin: 'told',
  bundle_changes: 'input summary problem',
  confirmations: 'details',
  contact_merges: 'before after',
  contacts: 'tags external_refs metadata',
  erp_connections: 'granted missing notes',
  erp_contacts: 'record',
  erp_documents: 'record',
  erp_items: 'record',
  erp_run_resources: 'error_details',
  events: 'data',
  bulk_units: 'input outcome',
  company_summaries: 'facts',
  filing_confirmations: 'choices',
  filing_sendings: 'boxes choices answer',
  filings: 'boxes',
  import_chunks: 'cells',
  import_rows: 'faults',
  import_runs: 'titles mapping options',
  incoming_documents: 'reading doubts duplicate_of',
  incoming_settings: 'languages',
  incoming_sources: 'settings position',
  invoice_amendments: 'changes',
  invoices: 'metadata',
  items: 'metadata',
  mails: 'recipients copies consequence refused',
  proposals: 'body',
  quote_conversions: 'lines deposits',
  quote_revisions: 'content',
  quotes: 'content',
  recurrences: 'content price_updates trouble',
  registry_findings: 'held',
  reminder_plans: 'steps',
  second_person_requests: 'input summary',
  simulated_returns: 'facts',
  simulated_sendings: 'facts',
  supplier_memory: 'memory',
  templates: 'content',
  tool_calls: 'arguments answer seen',
  wage_recipients: 'facts',
  webhook_deliveries: 'body',
  webhooks: 'events',
}

/**
 * Tables that only PostgreSQL has, and why a transfer does not copy their rows. A company's rows in another one are
 * listed in the report of the transfer.
 */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  directory_groups: 'What groups of the firm give here; the people of an office are not moved.',
  directory_history: 'Of the people of this office.',
  document_exports: 'Archives that somebody prepares here; they are asked for again.',
  due_work: 'What servers have to do here; all of it is due where the company is opened.',
  held_names: 'What servers hold at the moment.',
  installation: 'Identifies the database.',
  invitations: 'To this office; whoever works with the company is invited where it arrives.',
  memberships: 'Of the people of this office.',
  office_master_key: 'Belongs to the database.',
  office_migrations: 'Belongs to the database.',
  office_servers: 'The servers of this database.',
  presence: 'Who edits a record here at the moment.',
  people: 'Belong to this office, and may work with other companies of it.',
  person_codes: 'Of the people of this office.',
  person_passkeys: 'Of the people of this office, and of its address.',
  person_recoveries: 'Of the people of this office.',
  person_sessions: 'Of the people of this office.',
  person_settings: 'Of the people of this office.',
  request_counts: 'Requests of the current minute.',
  schema_migrations: 'Belongs to the database.',
  sign_in_attempts: 'At this office.',
  sign_in_steps: 'At this office.',
}
