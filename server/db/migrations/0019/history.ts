/** Documents of an earlier program: rows of the same tables as the own ones, in a state of their own. */
import type { WidenedCondition } from '../list.ts'

/**
 * An invoice of an earlier program has the number and the day that it had there, and nothing that an issue gives. A
 * received one has no reception number of these books.
 */
export const historyConditions: readonly WidenedCondition[] = [
  {
    table: 'invoices',
    from: "state text not null check (state in ('draft', 'issued'))",
    to: "state text not null check (state in ('draft', 'issued', 'history'))",
  },
  {
    table: 'invoices',
    from: "check (state = 'draft' or (series_id is not null",
    to: "check (state <> 'issued' or (series_id is not null",
  },
  {
    table: 'invoices',
    from: "check (state = 'issued' or (sequence is null and number is null and registry_status = 'not_issued'))",
    to: `check (state = 'issued' or sequence is null),
  check (state <> 'draft' or (number is null and registry_status = 'not_issued')),
  check (state <> 'history' or (number is not null and registry_status = 'not_registered' and series_id is null
    and issue_date is not null and list_date = issue_date))`,
  },
  {
    table: 'invoices',
    from: "('not_issued', 'pending', 'sending',",
    to: "('not_issued', 'not_registered', 'pending', 'sending',",
  },
  {
    table: 'received_invoices',
    from: 'sequence integer not null check (sequence >= 1)',
    to: 'sequence integer check (sequence >= 1)',
  },
  {
    table: 'received_invoices',
    from: "state text not null check (state in ('entered', 'void'))",
    to: "state text not null check (state in ('entered', 'void', 'history'))",
  },
  {
    table: 'received_invoices',
    from: "check (state = 'entered' or (is_owed = 0 and paid_cents = 0))",
    to: `check (state <> 'void' or (is_owed = 0 and paid_cents = 0)),
  check ((state = 'history') = (sequence is null))`,
  },
]

export const history = `
-- The move from an earlier program: files that are read, looked at, applied in stretches and taken back in stretches.
create table moving_runs (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  -- applied: taken in, and not yet proven by the returns that were filed.
  state text not null check (state in ('draft', 'applying', 'applied', 'done', 'undoing', 'undone')),
  -- First day lived in these books.
  first_day text not null,
  settings text not null check (json_valid(settings)),
  -- Totals of filed returns that a person typed or a file said, and why a difference stands.
  proof text not null check (json_valid(proof)),
  documents integer not null default 0 check (documents >= 0),
  created integer not null default 0,
  skipped integer not null default 0,
  removed integer not null default 0,
  created_at integer not null,
  finished_at integer
) strict;
create index moving_runs_by_book on moving_runs (book_id, id);

create table moving_files (
  id integer primary key,
  run_id integer not null references moving_runs on delete cascade,
  public_id text not null unique,
  position integer not null check (position >= 0),
  name text not null,
  sha256 blob not null check (length(sha256) = 32),
  bytes integer not null check (bytes >= 0),
  state text not null check (state in ('reading', 'read', 'refused')),
  -- What it is, of which program, and how sure that is.
  recognition text not null check (json_valid(recognition)),
  -- Columns and questions that a person decided.
  answers text not null check (json_valid(answers)),
  -- Sums by side and month, and how many rows were read.
  summary text not null check (json_valid(summary)),
  -- Rows that are not taken in yet; then documents with an error, and what became of the others.
  waiting integer not null default 0 check (waiting >= 0),
  failed integer not null default 0,
  created integer not null default 0,
  skipped integer not null default 0,
  created_at integer not null,
  unique (run_id, position)
) strict;

-- Documents, and rows of other lists, as they were read. One that is taken in goes; what was not stays with its faults.
create table moving_rows (
  file_id integer not null references moving_files on delete cascade,
  position integer not null check (position >= 0),
  kind text not null default 'document' check (kind in ('contact', 'item', 'document', 'open', 'bank', 'account', 'asset')),
  document text check (document is null or json_valid(document)),
  document_key text,
  label text not null,
  outcome text check (outcome in ('created', 'skipped', 'failed')),
  faults text check (faults is null or json_valid(faults)),
  primary key (file_id, position)
) strict;
create index moving_rows_open on moving_rows (file_id, kind, position) where outcome is null;

create table history_documents (
  id integer primary key,
  book_id integer not null references books,
  run_id integer not null references moving_runs,
  invoice_id integer unique references invoices,
  received_id integer unique references received_invoices,
  -- Side, number, day and other party: the same document is taken in once.
  document_key text not null,
  -- Reception number of the earlier program, and the last number of a summary of tickets.
  reception text,
  last_number text,
  -- The operations of the tax totals, as they were counted.
  facts text not null check (json_valid(facts)),
  is_counted integer not null check (is_counted in (0, 1)),
  -- File, sheet and rows.
  source text not null check (json_valid(source)),
  unique (book_id, document_key),
  check ((invoice_id is not null) + (received_id is not null) = 1)
) strict;
create index history_documents_by_run on history_documents (run_id, id);

-- What else a run made: contacts, items, payments, balances.
create table moving_records (
  run_id integer not null references moving_runs,
  kind text not null check (kind in ('contact', 'item', 'payment', 'open', 'bank', 'account', 'entry', 'filing', 'asset')),
  record_id integer not null,
  -- Of a document whose open amount was set: what was open before, in cents.
  version integer,
  primary key (run_id, kind, record_id)
) strict, without rowid;

-- Lists of own invoices pass over history without reading its rows.
drop index invoices_by_date;
create index invoices_by_date on invoices
  (book_id, list_date, id, case registry_status when 'accepted' then 1 else 0 end, state);
drop index invoices_by_total;
create index invoices_by_total on invoices (book_id, total_cents, id, state);
drop index received_by_date;
create index received_by_date on received_invoices (book_id, reception_date, id, state);
drop index received_by_total;
create index received_by_total on received_invoices (book_id, total_cents, id, state);
create index invoices_history on invoices (book_id, list_date, id) where state = 'history';
create index received_history on received_invoices (book_id, reception_date, id) where state = 'history';
-- Numbers of the earlier program are looked up in duplicates and references.
create index invoices_history_by_number on invoices (book_id, number) where state = 'history';

drop trigger received_kept;
create trigger received_kept before delete on received_invoices
  when old.state <> 'history' and not exists (select 1 from company_ends)
  begin select raise(abort, 'frozen: received_invoices'); end;
`
