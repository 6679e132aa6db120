/** First schema: the record chain, the queue to the authority, and what the simulated one remembers. */

export const registryTables = `
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
`
