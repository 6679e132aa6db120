/** Invoices to public bodies: the directory of units, what was submitted and its states. */
export const portal = `
-- The body that proposes an expense, which some public bodies ask for beside the three offices (role 04).
alter table contacts add column dir3_proposing text check (length(dir3_proposing) = 9);
alter table parties add column dir3_proposing text check (length(dir3_proposing) = 9);

create table portal_settings (
  book_id integer primary key references books,
  -- Where the portal writes about a submission; null: the address of the company.
  email text,
  -- When, and by whom, submitting to the real service was allowed.
  live_since integer,
  live_by text,
  check ((live_since is null) = (live_by is null))
) strict;

-- Files of the public directory that were read.
create table portal_directories (
  id integer primary key,
  company_id integer not null references companies,
  public_id text not null unique,
  name text not null,
  sha256 blob not null check (length(sha256) = 32),
  file_rows integer not null,
  added integer not null,
  changed integer not null,
  unchanged integer not null,
  faulty integer not null,
  imported_at integer not null,
  imported_by text not null
) strict;
create index portal_directories_of_company on portal_directories (company_id, id);

create table portal_units (
  id integer primary key,
  company_id integer not null references companies,
  code text not null check (length(code) = 9),
  name text not null,
  -- Sum of the roles that a file names: 1 accounting office, 2 managing body, 4 processing unit, 8 proposing body.
  roles integer not null check (roles between 0 and 15),
  administration text,
  nif text,
  street text,
  postal_code text,
  town text,
  province text,
  -- The directory keeps units that no longer exist.
  is_current integer not null check (is_current in (0, 1)),
  search text not null
) strict;
create unique index portal_units_code on portal_units (company_id, code);

-- Which offices belong together.
create table portal_relations (
  id integer primary key,
  company_id integer not null references companies,
  accounting_office text not null check (length(accounting_office) = 9),
  managing_body text not null check (length(managing_body) = 9),
  processing_unit text not null check (length(processing_unit) = 9)
) strict;
create unique index portal_relations_once on portal_relations
  (company_id, managing_body, processing_unit, accounting_office);

-- One row for each time that an invoice is submitted. At most one of an invoice is open.
create table portal_submissions (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  invoice_id integer not null references invoices,
  environment text not null check (environment in ('simulator', 'test', 'production')),
  units text not null check (json_valid(units)),
  email text not null,
  -- The signed file as it is sent, compressed, and the hash of its bytes.
  file blob not null,
  sha256 blob not null check (length(sha256) = 32),
  file_name text not null,
  requested_by text not null,
  state text not null check (state in ('waiting', 'sent', 'unknown', 'registered', 'refused', 'withdrawn', 'not_arrived')),
  -- False once nothing more can become of it: the invoice may be submitted again.
  is_open integer not null check (is_open in (0, 1)),
  created_at integer not null,
  -- While a process works on it.
  lease_until integer,
  attempts integer not null default 0,
  next_attempt_at integer,
  -- Written before the first byte leaves.
  sent_at integer,
  settled_at integer,
  -- As the portal gave them.
  registry_number text,
  received_at text,
  tracking_code text,
  why text,
  detail text,
  -- The newest of its states; all are in portal_states.
  processing_code text,
  cancellation_code text,
  next_query_at integer,
  -- Since the last change of a state.
  queries integer not null default 0
) strict;
create unique index portal_submissions_open on portal_submissions (invoice_id) where is_open = 1;
create unique index portal_submissions_number on portal_submissions (book_id, environment, registry_number)
  where registry_number is not null;
create index portal_submissions_of_invoice on portal_submissions (invoice_id, id);
create index portal_submissions_by_state on portal_submissions (book_id, state, id);
create index portal_submissions_waiting on portal_submissions (book_id, next_attempt_at)
  where next_attempt_at is not null;
create index portal_submissions_asking on portal_submissions (book_id, next_query_at) where next_query_at is not null;
create index portal_submissions_leased on portal_submissions (book_id, lease_until) where lease_until is not null;
create trigger portal_submissions_frozen before update of book_id, public_id, invoice_id, environment, units, email, file,
  sha256, file_name, requested_by, created_at on portal_submissions
  begin select raise(abort, 'frozen: portal_submissions'); end;
create trigger portal_submissions_number_frozen before update of registry_number on portal_submissions
  when old.registry_number is not null
  begin select raise(abort, 'frozen: portal_submissions'); end;
create trigger portal_submissions_kept before delete on portal_submissions when not exists (select 1 from company_ends)
  begin select raise(abort, 'frozen: portal_submissions'); end;

-- What the portal said of a submission, each once when it was first seen.
create table portal_states (
  id integer primary key,
  submission_id integer not null references portal_submissions,
  kind text not null check (kind in ('processing', 'cancellation')),
  code text not null,
  description text not null,
  reason text,
  seen_at integer not null
) strict;
create index portal_states_of_submission on portal_states (submission_id, id);
create trigger portal_states_frozen before update on portal_states
  begin select raise(abort, 'frozen: portal_states'); end;
create trigger portal_states_kept before delete on portal_states when not exists (select 1 from company_ends)
  begin select raise(abort, 'frozen: portal_states'); end;

-- Cancellations that were asked for; the public body answers later, with a state.
create table portal_cancellations (
  id integer primary key,
  book_id integer not null references books,
  submission_id integer not null references portal_submissions,
  public_id text not null unique,
  reason text not null,
  state text not null check (state in ('waiting', 'sent', 'unknown', 'asked', 'refused')),
  requested_by text not null,
  created_at integer not null,
  lease_until integer,
  attempts integer not null default 0,
  next_attempt_at integer,
  sent_at integer,
  settled_at integer,
  why text,
  detail text
) strict;
create unique index portal_cancellations_open on portal_cancellations (submission_id)
  where state in ('waiting', 'sent', 'unknown');
create index portal_cancellations_of_submission on portal_cancellations (submission_id, id);
create index portal_cancellations_waiting on portal_cancellations (book_id, next_attempt_at)
  where next_attempt_at is not null;
create index portal_cancellations_leased on portal_cancellations (book_id, lease_until)
  where lease_until is not null;
create trigger portal_cancellations_frozen before update of book_id, submission_id, public_id, reason, requested_by,
  created_at on portal_cancellations
  begin select raise(abort, 'frozen: portal_cancellations'); end;
create trigger portal_cancellations_kept before delete on portal_cancellations
  when not exists (select 1 from company_ends)
  begin select raise(abort, 'frozen: portal_cancellations'); end;

-- The simulated portal of a test book: what it holds.
create table simulated_portal_invoices (
  book_id integer not null references books,
  registry_number text not null,
  facts text not null check (json_valid(facts)),
  primary key (book_id, registry_number)
) strict, without rowid;
`
