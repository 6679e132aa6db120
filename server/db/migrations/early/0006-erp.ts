/** What is read from an accounting system elsewhere: connections, runs, calls, and their records beside the books, never in them. */

/**
 * A book has at most one open connection; those of before stay with what they read. Identity is the other side's kind and
 * identifier, never a number or a name, and a record is marked as missing instead of deleted.
 */
export const erp = `
create table erp_connections (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  provider text not null,
  state text not null check (state in ('connected', 'needs_reconnection', 'disconnected')),
  -- Present exactly while it can be opened: destroyed on disconnecting.
  sealed_key text,
  key_hint text,
  api_flavour text not null,
  -- Of a self-hosted system, and whether it may stand in a private network.
  base_url text,
  database text,
  account_id text,
  allow_private integer not null default 0 check (allow_private in (0, 1)),
  account_name text,
  account_tax_id text,
  label text,
  granted text not null default '[]' check (json_valid(granted)),
  missing text not null default '[]' check (json_valid(missing)),
  -- What the provider remembers between steps.
  notes text not null default '{}' check (json_valid(notes)),
  monthly_budget integer check (monthly_budget between 1 and 10000000),
  meter_used integer, meter_limit integer, meter_at integer,
  history_from text not null,
  last_sync_at integer,
  last_partial_at integer,
  last_error_code text,
  last_error_at integer,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  check ((sealed_key is null) = (state = 'disconnected'))
) strict;
create unique index erp_connections_open on erp_connections (book_id) where sealed_key is not null;
create index erp_connections_by_book on erp_connections (book_id, updated_at desc, id desc);

-- What was read completely, and how far: never moved by a run that failed.
create table erp_watermarks (
  connection_id integer not null references erp_connections on delete cascade,
  resource text not null,
  last_complete_at integer,
  full_pass_at integer,
  window_from text,
  -- By the other side's clock.
  mark text,
  last_count integer not null default 0,
  primary key (connection_id, resource)
) strict, without rowid;

create table erp_runs (
  id integer primary key,
  book_id integer not null references books,
  connection_id integer not null references erp_connections on delete cascade,
  public_id text not null unique,
  state text not null check (state in ('running', 'completed', 'partial', 'failed', 'cancelled')),
  mode text not null check (mode in ('window', 'full')),
  -- Whether the next run may go on where this one stopped.
  resumable integer not null default 0 check (resumable in (0, 1)),
  estimate integer not null,
  calls integer not null default 0,
  error_code text,
  started_at integer not null,
  finished_at integer,
  check ((state = 'running') = (finished_at is null))
) strict;
create unique index erp_runs_running on erp_runs (connection_id) where state = 'running';
create index erp_runs_by_connection on erp_runs (connection_id, id desc);

create table erp_run_resources (
  run_id integer not null references erp_runs on delete cascade,
  resource text not null,
  position integer not null,
  state text not null check (state in ('waiting', 'running', 'completed', 'failed', 'skipped')),
  pages integer not null default 0,
  fetched integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  missing integer not null default 0,
  cursor text,
  since text,
  mark text,
  window_from text,
  window_to text,
  -- The other side took the cursor no more, and it began again.
  restarted integer not null default 0 check (restarted in (0, 1)),
  error_code text,
  error_details text check (error_details is null or json_valid(error_details)),
  primary key (run_id, resource)
) strict, without rowid;

create table erp_calls (
  id integer primary key,
  connection_id integer not null references erp_connections on delete cascade,
  run_id integer references erp_runs on delete set null,
  at integer not null,
  -- Month in Spain, as 202611.
  month integer not null,
  resource text not null,
  status integer,
  ms integer not null,
  bytes integer not null,
  limit_window text,
  limit_remaining integer
) strict;
create index erp_calls_by_month on erp_calls (connection_id, month, id);
create index erp_calls_by_run on erp_calls (run_id) where run_id is not null;

create table erp_contacts (
  id integer primary key,
  connection_id integer not null references erp_connections on delete cascade,
  public_id text not null unique,
  external_kind text not null,
  external_id text not null,
  content_hash blob not null,
  record text not null check (json_valid(record)),
  name text not null,
  tax_id text,
  email text,
  is_client integer not null check (is_client in (0, 1)),
  is_supplier integer not null check (is_supplier in (0, 1)),
  archived integer not null check (archived in (0, 1)),
  search text not null,
  contact_id integer references contacts on delete set null,
  linked_at integer,
  first_seen_at integer not null,
  changed_at integer not null,
  seen_pass integer not null,
  missing_since integer,
  unique (connection_id, external_kind, external_id)
) strict;
create index erp_contacts_by_name on erp_contacts (connection_id, search, id);
create index erp_contacts_by_tax_id on erp_contacts (connection_id, tax_id) where tax_id is not null;
create index erp_contacts_by_contact on erp_contacts (contact_id) where contact_id is not null;
create index erp_contacts_missing on erp_contacts (connection_id) where missing_since is not null;

create table erp_documents (
  id integer primary key,
  connection_id integer not null references erp_connections on delete cascade,
  public_id text not null unique,
  side text not null check (side in ('issued', 'received')),
  external_kind text not null,
  external_id text not null,
  content_hash blob not null,
  record text not null check (json_valid(record)),
  doc_kind text not null check (doc_kind in ('invoice', 'simplified', 'rectifying', 'refund')),
  -- Own number of an issued one, the supplier's of a received one.
  number text,
  -- As duplicates are looked for, like received_invoices.number_key.
  number_key text not null,
  -- The last day of the calendar for a draft without one, so that it stands first.
  list_date text not null,
  due_date text,
  party_external_id text,
  party_name text not null,
  party_tax_id text,
  currency text not null check (length(currency) = 3),
  total_cents integer not null,
  pending_cents integer,
  eur_net_cents integer, eur_tax_cents integer, eur_total_cents integer,
  state text not null check (state in ('draft', 'approved', 'cancelled')),
  payment_state text not null check (payment_state in ('unpaid', 'partial', 'paid', 'unknown')),
  amount_check text not null check (amount_check in ('ok', 'failed', 'skipped')),
  search text not null,
  -- What a person made of it here.
  invoice_id integer references invoices on delete set null,
  first_seen_at integer not null,
  changed_at integer not null,
  seen_pass integer not null,
  missing_since integer,
  unique (connection_id, external_kind, external_id),
  check ((eur_net_cents is null) = (eur_total_cents is null) and (eur_tax_cents is null) = (eur_total_cents is null))
) strict;
create index erp_documents_by_date on erp_documents (connection_id, side, list_date, id);
create index erp_documents_by_number on erp_documents (connection_id, side, number_key) where number_key <> '';
create index erp_documents_by_party on erp_documents (connection_id, party_external_id) where party_external_id is not null;
create index erp_documents_by_tax_id on erp_documents (connection_id, party_tax_id) where party_tax_id is not null;
create index erp_documents_by_invoice on erp_documents (invoice_id) where invoice_id is not null;
create index erp_documents_missing on erp_documents (connection_id) where missing_since is not null;

-- Received documents by rate, in euros: what the fiscal summary adds up. -1 where the rate is not known.
create table erp_document_taxes (
  document_id integer not null references erp_documents on delete cascade,
  vat_bp integer not null check (vat_bp between -1 and 10000),
  base_cents integer not null,
  tax_cents integer not null,
  primary key (document_id, vat_bp)
) strict, without rowid;

create table erp_items (
  id integer primary key,
  connection_id integer not null references erp_connections on delete cascade,
  public_id text not null unique,
  external_kind text not null,
  external_id text not null,
  content_hash blob not null,
  record text not null check (json_valid(record)),
  name text not null,
  sku text,
  archived integer not null check (archived in (0, 1)),
  search text not null,
  first_seen_at integer not null,
  changed_at integer not null,
  seen_pass integer not null,
  missing_since integer,
  unique (connection_id, external_kind, external_id)
) strict;
create index erp_items_by_name on erp_items (connection_id, search, id);
create index erp_items_missing on erp_items (connection_id) where missing_since is not null;

create table erp_rejects (
  id integer primary key,
  connection_id integer not null references erp_connections on delete cascade,
  run_id integer not null references erp_runs on delete cascade,
  resource text not null,
  external_kind text not null,
  external_id text,
  position integer not null,
  page integer not null,
  reason text not null,
  field text,
  raw text not null,
  at integer not null
) strict;
create index erp_rejects_by_run on erp_rejects (run_id, id);
`
