/** First schema: companies and their books, drafts and issued invoices, the record chain, keys, audit and outbox. */

/**
 * Conventions: `id` is an internal integer, `public_id` what the outside sees; amounts in cents, quantities and prices in
 * millionths, rates in basis points, instants in milliseconds since 1970 (`_at`), days as YYYY-MM-DD, flags as 0 or 1.
 */
export const foundation = `
create table settings (
  name text primary key not null,
  value text not null check (json_valid(value))
) strict, without rowid;

create table companies (
  id integer primary key,
  public_id text not null unique,
  legal_name text not null check (length(legal_name) between 1 and 120),
  trade_name text,
  nif text not null unique check (length(nif) = 9),
  kind text not null check (kind in ('natural', 'legal')),
  street text, postal_code text, city text, province text,
  country text not null default 'ES' check (length(country) = 2),
  territory text not null check (territory in ('mainland', 'canary', 'ceuta_melilla')),
  vat_regime text not null check (vat_regime in ('general', 'surcharge', 'simplified', 'cash', 'exempt', 'used_goods', 'travel')),
  email text, phone text, iban text, registry_inscription text,
  default_withholding_bp integer check (default_withholding_bp between 0 and 5000),
  default_payment_days integer not null default 30 check (default_payment_days between 0 and 365),
  default_language text not null default 'es' check (default_language in ('es', 'en')),
  version integer not null default 1,
  created_at integer not null
) strict;

create table books (
  id integer primary key,
  public_id text not null unique,
  company_id integer not null references companies,
  mode text not null check (mode in ('live', 'test')),
  -- Which of the authority's services a live book talks to; fixed by its first record. Test books talk to none.
  environment text not null default 'production' check (environment in ('production', 'preproduction')),
  created_at integer not null,
  unique (company_id, mode)
) strict;

create table contacts (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null,
  nif text,
  id_type text check (id_type in ('02', '03', '04', '05', '06', '07')),
  street text, postal_code text, city text, province text,
  country text not null default 'ES' check (length(country) = 2),
  email text, phone text,
  surcharge integer not null default 0 check (surcharge in (0, 1)),
  withholding_bp integer check (withholding_bp between 0 and 5000),
  payment_days integer check (payment_days between 0 and 365),
  language text check (language in ('es', 'en')),
  notes text,
  search text not null,
  used_at integer,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict;
create index contacts_by_name on contacts (book_id, search, id);
create index contacts_by_nif on contacts (book_id, nif) where nif is not null;

-- Who stood on an invoice, word for word: one immutable row for each distinct set of facts, shared by the invoices that
-- show it. So a snapshot costs a number, and a search by customer looks at parties instead of invoices.
create table parties (
  id integer primary key,
  book_id integer not null references books,
  digest blob not null check (length(digest) = 16),
  name text not null,
  trade_name text,
  nif text,
  id_type text,
  street text, postal_code text, city text, province text,
  country text not null,
  email text, phone text, iban text, registry_inscription text,
  search text not null,
  unique (book_id, digest)
) strict;
create index parties_by_nif on parties (book_id, nif) where nif is not null;
create trigger parties_frozen before update on parties begin select raise(abort, 'frozen: parties'); end;

create table series (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  code text not null check (length(code) between 1 and 20),
  kind text not null check (kind in ('ordinary', 'simplified', 'rectifying', 'quote')),
  start_number integer not null default 1 check (start_number >= 1),
  next_number integer not null check (next_number >= start_number),
  last_issue_date text,
  created_at integer not null,
  unique (book_id, code)
) strict;
create trigger series_never_back before update of next_number, start_number, code, kind, book_id on series
  when new.next_number < old.next_number or new.start_number <> old.start_number or new.code <> old.code
    or new.kind <> old.kind or new.book_id <> old.book_id
  begin select raise(abort, 'frozen: series'); end;
create trigger series_kept before delete on series when old.next_number > old.start_number
  begin select raise(abort, 'frozen: series'); end;

create table invoices (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  state text not null check (state in ('draft', 'issued')),
  kind text not null check (kind in ('F1', 'F2')),
  series_id integer references series,
  sequence integer check (sequence >= 1),
  number text,
  issue_date text,
  list_date text not null,
  operation_date text,
  due_date text,
  party_id integer not null references parties,
  contact_id integer references contacts on delete set null,
  issuer_id integer references parties,
  price_mode text not null check (price_mode in ('net', 'gross')),
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  disbursements_cents integer not null,
  total_cents integer not null,
  withholding_bp integer check (withholding_bp between 0 and 5000),
  withholding_base_cents integer not null,
  withholding_cents integer not null,
  paid_cents integer not null default 0,
  is_owed integer not null default 0 check (is_owed in (0, 1)),
  registry_status text not null check (registry_status in
    ('not_issued', 'pending', 'sending', 'accepted', 'accepted_with_errors', 'rejected', 'unknown', 'cancelled')),
  simplified_art7273 integer not null default 0 check (simplified_art7273 in (0, 1)),
  notes text,
  language text not null check (language in ('es', 'en')),
  payment_method text,
  external_ref text,
  content_hash blob check (content_hash is null or length(content_hash) = 32),
  version integer not null default 1,
  created_at integer not null,
  issued_at integer,
  cancelled_at integer,
  check (total_cents = base_cents + tax_cents + disbursements_cents),
  check (state = 'draft' or (series_id is not null and sequence is not null and number is not null and issue_date is not null
    and issuer_id is not null and content_hash is not null and issued_at is not null and list_date = issue_date
    and registry_status <> 'not_issued')),
  check (state = 'issued' or (sequence is null and number is null and registry_status = 'not_issued'))
) strict;
create unique index invoices_by_number on invoices (series_id, sequence) where sequence is not null;
create index invoices_by_date on invoices (book_id, list_date, id);
create index invoices_by_total on invoices (book_id, total_cents, id);
create index invoices_by_party on invoices (party_id, list_date, id);
create index invoices_by_contact on invoices (contact_id, list_date, id) where contact_id is not null;
create index invoices_not_accepted on invoices (book_id, registry_status, list_date, id) where registry_status <> 'accepted';
-- Dropping a draft's party asks whether any invoice still shows it, as customer or as issuer.
create index invoices_by_issuer on invoices (issuer_id) where issuer_id is not null;
create index invoices_owed on invoices (book_id, due_date, id) where is_owed = 1;

create trigger parties_kept before delete on parties
  when exists (select 1 from invoices where state = 'issued' and (party_id = old.id or issuer_id = old.id))
  begin select raise(abort, 'frozen: parties'); end;
create trigger invoices_frozen before update of book_id, public_id, state, kind, series_id, sequence, number, issue_date,
  list_date, operation_date, due_date, party_id, issuer_id, price_mode, base_cents, tax_cents, surcharge_cents,
  disbursements_cents, total_cents, withholding_bp, withholding_base_cents, withholding_cents, simplified_art7273, notes,
  language, payment_method, external_ref, content_hash, version, created_at, issued_at
  on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;
create trigger invoices_kept before delete on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;

create table invoice_lines (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position >= 0),
  description text not null,
  quantity_micro integer not null,
  unit text,
  unit_price_micro integer not null,
  discount_bp integer not null check (discount_bp between 0 and 10000),
  tax_treatment text not null,
  regime_key text not null,
  vat_rate_bp integer check (vat_rate_bp between 0 and 10000),
  surcharge_bp integer check (surcharge_bp between 0 and 10000),
  withholdable integer not null check (withholdable in (0, 1)),
  is_disbursement integer not null check (is_disbursement in (0, 1)),
  net_cents integer not null,
  primary key (invoice_id, position)
) strict, without rowid;
create trigger invoice_lines_no_insert before insert on invoice_lines
  when (select state from invoices where id = new.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_lines'); end;
create trigger invoice_lines_no_update before update on invoice_lines
  when exists (select 1 from invoices where id in (old.invoice_id, new.invoice_id) and state = 'issued')
  begin select raise(abort, 'frozen: invoice_lines'); end;
create trigger invoice_lines_no_delete before delete on invoice_lines
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_lines'); end;

create table invoice_taxes (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position >= 0),
  tax_treatment text not null,
  regime_key text not null,
  vat_rate_bp integer,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_bp integer,
  surcharge_cents integer not null,
  primary key (invoice_id, position)
) strict, without rowid;
create trigger invoice_taxes_no_insert before insert on invoice_taxes
  when (select state from invoices where id = new.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_taxes'); end;
create trigger invoice_taxes_no_update before update on invoice_taxes
  when exists (select 1 from invoices where id in (old.invoice_id, new.invoice_id) and state = 'issued')
  begin select raise(abort, 'frozen: invoice_taxes'); end;
create trigger invoice_taxes_no_delete before delete on invoice_taxes
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_taxes'); end;

-- Issued VAT of each month of accrual, kept in the issue transaction: a summary adds a few rows instead of all lines.
create table month_taxes (
  book_id integer not null references books,
  month text not null,
  tax_treatment text not null,
  vat_rate_bp integer not null,
  surcharge_bp integer not null,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  primary key (book_id, month, tax_treatment, vat_rate_bp, surcharge_bp)
) strict, without rowid;
create table month_totals (
  book_id integer not null references books,
  month text not null,
  invoices integer not null,
  base_cents integer not null,
  total_cents integer not null,
  withholding_cents integer not null,
  primary key (book_id, month)
) strict, without rowid;

create table documents (
  invoice_id integer not null references invoices,
  language text not null,
  sha256 blob not null check (length(sha256) = 32),
  bytes blob not null,
  signature text not null check (signature in ('PAdES-B-B', 'none')),
  renderer text not null,
  rendered_at integer not null,
  primary key (invoice_id, language)
) strict;
create trigger documents_frozen before update on documents begin select raise(abort, 'frozen: documents'); end;
create trigger documents_kept before delete on documents begin select raise(abort, 'frozen: documents'); end;
-- Invoices whose document is still to be drawn.
create table document_queue (
  invoice_id integer primary key references invoices,
  attempts integer not null default 0,
  next_attempt_at integer not null default 0
) strict;

create table confirmations (
  token_hash blob primary key not null check (length(token_hash) = 32),
  book_id integer not null references books,
  actor text not null,
  action text not null check (action in ('issue', 'cancel', 'amend')),
  invoice_id integer not null references invoices on delete cascade,
  draft_version integer not null,
  content_hash blob not null check (length(content_hash) = 32),
  -- What an amendment changes, or the reason of a cancellation.
  details text check (details is null or json_valid(details)),
  created_at integer not null,
  expires_at integer not null,
  superseded integer not null default 0 check (superseded in (0, 1)),
  used_at integer
) strict, without rowid;
create index confirmations_by_invoice on confirmations (invoice_id);
create index confirmations_by_age on confirmations (created_at);

create table registry_chains (
  book_id integer primary key references books,
  -- Installation whose chain is being written (registry_installations); its first record has this sequence.
  installation text not null,
  first_sequence integer not null default 1,
  records integer not null default 0,
  head_hash blob check (head_hash is null or length(head_hash) = 32),
  head_issuer_nif text,
  head_number text,
  head_issue_date text,
  head_generated_at integer,
  verified_at integer,
  broken_at integer,
  -- Why nothing may be issued until a person decided: the store is an older copy of itself.
  held_for text check (held_for in ('restored_copy'))
) strict;
create trigger registry_chains_forward before update of records on registry_chains
  when new.records < old.records begin select raise(abort, 'frozen: registry_chains'); end;
create trigger registry_chains_kept before delete on registry_chains begin select raise(abort, 'frozen: registry_chains'); end;

-- Every installation number a book ever had (NumeroInstalacion). A new one begins a new chain; none is used twice.
create table registry_installations (
  installation text primary key not null,
  book_id integer not null references books,
  first_sequence integer not null check (first_sequence >= 1),
  reason text not null check (reason in ('set_up', 'restored_copy', 'moved')),
  started_at integer not null
) strict, without rowid;
-- Not unique: an installation may be given up before its first record.
create index registry_installations_by_book on registry_installations (book_id, first_sequence);
create trigger registry_installations_kept before delete on registry_installations
  begin select raise(abort, 'frozen: registry_installations'); end;

create table registry_records (
  id integer primary key,
  book_id integer not null references books,
  sequence integer not null check (sequence >= 1),
  kind text not null check (kind in ('registration', 'cancellation')),
  -- Where it stands among the records of its invoice: RegistrationTurn or CancellationTurn of record/fields.ts.
  turn text not null,
  invoice_id integer not null references invoices,
  hash blob not null check (length(hash) = 32),
  generated_at integer not null,
  xml blob not null,
  unique (book_id, sequence)
) strict;
create index registry_records_by_invoice on registry_records (invoice_id);
create trigger registry_records_frozen before update on registry_records begin select raise(abort, 'frozen: registry_records'); end;
create trigger registry_records_kept before delete on registry_records begin select raise(abort, 'frozen: registry_records'); end;

-- What an amendment changed of what the registry is told. The invoice itself stays as it was issued.
create table invoice_amendments (
  record_id integer primary key references registry_records,
  invoice_id integer not null references invoices,
  changes text not null check (json_valid(changes))
) strict;
create index invoice_amendments_by_invoice on invoice_amendments (invoice_id);
create trigger invoice_amendments_frozen before update on invoice_amendments
  begin select raise(abort, 'frozen: invoice_amendments'); end;
create trigger invoice_amendments_kept before delete on invoice_amendments
  begin select raise(abort, 'frozen: invoice_amendments'); end;

-- Where each record stands with the authority. The record itself never changes; this does.
create table registry_submissions (
  record_id integer primary key references registry_records,
  book_id integer not null references books,
  status text not null check (status in ('pending', 'sending', 'accepted', 'accepted_with_errors', 'rejected', 'unknown')),
  attempts integer not null default 0,
  batch_id integer references registry_batches,
  answered_at integer,
  csv text,
  -- The registration code (CSV) was in an answer that never arrived; it cannot be asked for.
  csv_lost integer not null default 0 check (csv_lost in (0, 1)),
  authority_code text,
  message text,
  -- What the authority said it holds under the key, when it refused the record as a duplicate.
  held_state text check (held_state in ('active', 'cancelled')),
  -- The key is held with other content: another system, or another copy of these books, used the number.
  conflict integer not null default 0 check (conflict in (0, 1)),
  -- A later record of the invoice took its place, or a person has seen it and decided: no longer asks for attention.
  closed integer not null default 0 check (closed in (0, 1))
) strict;
create index registry_submissions_open on registry_submissions (book_id, record_id) where status in ('pending', 'sending', 'unknown');
create index registry_submissions_trouble on registry_submissions (book_id, status, record_id)
  where closed = 0 and status in ('accepted_with_errors', 'rejected');
create index registry_submissions_conflict on registry_submissions (book_id, record_id) where conflict = 1;

-- Every exchange with the authority, written before anything leaves; the answer as it came, packed.
create table registry_batches (
  id integer primary key,
  book_id integer not null references books,
  kind text not null check (kind in ('submission', 'query')),
  records integer not null,
  incident integer not null default 0 check (incident in (0, 1)),
  started_at integer not null,
  finished_at integer,
  outcome text not null check (outcome in ('running', 'answered', 'fault', 'unreadable', 'no_answer', 'not_sent', 'interrupted')),
  -- A fault's code, or why nothing left.
  detail text,
  http_status integer,
  reply blob
) strict;
create index registry_batches_by_book on registry_batches (book_id, id);
create table registry_attempts (
  record_id integer not null references registry_records,
  attempt integer not null,
  batch_id integer not null references registry_batches,
  primary key (record_id, attempt)
) strict, without rowid;

-- The pace of a book's queue: what the authority asked for, and what failures brought.
create table registry_flows (
  book_id integer primary key references books,
  -- TiempoEsperaEnvio of the last answer, in seconds.
  wait_seconds integer not null default 60 check (wait_seconds between 0 and 9999),
  last_sent_at integer,
  failures integer not null default 0,
  next_attempt_at integer not null default 0,
  -- Halved while a message is refused as a whole for one record in it, to find the one.
  batch_limit integer not null default 1000 check (batch_limit between 1 and 1000),
  -- The authority's code and words when it refuses everything (a fault); stopped: until a person says go on.
  fault_code text,
  fault_message text,
  stopped integer not null default 0 check (stopped in (0, 1)),
  -- The computer's clock minus the authority's, and the skew a person chose to live with.
  skew_ms integer,
  skew_at integer,
  skew_accepted_ms integer
) strict;

-- What the authority holds and these books do not: found when an older copy of them was opened.
create table registry_findings (
  book_id integer not null references books,
  number text not null,
  issue_date text not null,
  held text not null check (json_valid(held)),
  found_at integer not null,
  primary key (book_id, number, issue_date)
) strict, without rowid;
-- Numbers of a series that were used outside these books and are never given again.
create table series_gaps (
  series_id integer not null references series,
  first integer not null check (first >= 1),
  last integer not null check (last >= first),
  noted_at integer not null,
  primary key (series_id, first)
) strict, without rowid;

-- How many records a book has in each final state, so that nobody counts a million rows.
create table registry_counts (
  book_id integer not null references books,
  status text not null,
  records integer not null,
  primary key (book_id, status)
) strict, without rowid;

-- What the simulated authority of a test book remembers.
create table simulator_records (
  book_id integer not null references books,
  issuer_nif text not null,
  number text not null,
  issue_date text not null,
  arrival integer not null,
  -- Packed: what it holds of an invoice, with the record as it came (registry/simulator/stored.ts).
  entry blob not null,
  primary key (book_id, issuer_nif, number, issue_date)
) strict, without rowid;
create index simulator_records_by_arrival on simulator_records (book_id, arrival);

-- The company's certificate for the registry and for signing. The private key is sealed, and gone once removed.
create table certificates (
  id integer primary key,
  company_id integer not null references companies,
  public_id text not null unique,
  kind text not null check (kind in ('person', 'representative', 'seal')),
  subject text not null,
  holder_name text not null,
  holder_nif text,
  organization_nif text,
  issuer text not null,
  serial text not null,
  fingerprint blob not null check (length(fingerprint) = 32),
  key_type text not null check (key_type in ('rsa', 'ec')),
  valid_from integer not null,
  valid_to integer not null,
  -- PEM, the holder's certificate first.
  chain text not null,
  sealed_key text,
  imported_at integer not null,
  removed_at integer,
  check ((sealed_key is null) = (removed_at is not null))
) strict;
create unique index certificates_active on certificates (company_id) where removed_at is null;
-- Which warnings of the coming end were given in a book.
create table certificate_warnings (
  certificate_id integer not null references certificates,
  book_id integer not null references books,
  days_left integer not null,
  warned_at integer not null,
  primary key (certificate_id, book_id, days_left)
) strict, without rowid;

create table api_keys (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null check (length(name) between 1 and 64),
  lookup text not null unique,
  prefix text not null,
  secret_hash blob not null check (length(secret_hash) = 32),
  scopes text not null check (json_valid(scopes)),
  approval text not null check (approval in ('always', 'never')),
  assistant integer not null check (assistant in (0, 1)),
  per_day integer check (per_day >= 1),
  cents_per_day integer check (cents_per_day >= 0),
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer,
  check (assistant = 0 or approval = 'always')
) strict;
create unique index api_keys_by_name on api_keys (book_id, name) where revoked_at is null;

create table key_usage (
  key_id integer not null references api_keys,
  day text not null,
  issued integer not null,
  cents integer not null,
  primary key (key_id, day)
) strict, without rowid;

-- Actors of the audit log, one row for each distinct one.
create table actors (
  id integer primary key,
  kind text not null check (kind in ('user', 'key', 'system')),
  public_id text not null,
  name text not null,
  unique (kind, public_id, name)
) strict;
create trigger actors_frozen before update on actors begin select raise(abort, 'frozen: actors'); end;
create trigger actors_kept before delete on actors begin select raise(abort, 'frozen: actors'); end;

create table audit_events (
  book_id integer not null references books,
  sequence integer not null check (sequence >= 1),
  at integer not null,
  actor_id integer not null references actors,
  channel text not null check (channel in ('ui', 'rest', 'mcp', 'system')),
  action text not null,
  target_type text,
  target_id text,
  target_label text,
  outcome text not null check (outcome in ('ok', 'refused', 'failed')),
  code text,
  request_id text not null,
  hash blob not null check (length(hash) = 32),
  primary key (book_id, sequence)
) strict, without rowid;
create index audit_events_by_target on audit_events (book_id, target_id, sequence) where target_id is not null;
create trigger audit_events_frozen before update on audit_events begin select raise(abort, 'frozen: audit_events'); end;
create trigger audit_events_kept before delete on audit_events begin select raise(abort, 'frozen: audit_events'); end;

-- Outbox: facts that others want to hear of, written with the fact itself.
create table events (
  id integer primary key autoincrement,
  book_id integer not null references books,
  type text not null,
  at integer not null,
  data text not null check (json_valid(data))
) strict;
create index events_by_book on events (book_id, id);

create table idempotency_keys (
  scope text not null,
  idempotency_key text not null,
  operation text not null,
  input_hash blob not null check (length(input_hash) = 32),
  status integer not null,
  reply text not null,
  sealed integer not null default 0 check (sealed in (0, 1)),
  created_at integer not null,
  primary key (scope, idempotency_key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table proposals (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  key_id integer references api_keys,
  status text not null check (status in ('pending_user', 'not_applicable', 'accepted', 'rejected', 'expired')),
  action text not null,
  target_id text,
  reason text not null,
  body text not null check (json_valid(body)),
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  decision_note text
) strict;
create index proposals_by_status on proposals (book_id, status, id);
`
