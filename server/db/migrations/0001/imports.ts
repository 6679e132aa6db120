/** First schema: runs of imported files and what each row did. */

export const importsTables = `
-- One file: read, looked at, applied in stretches, and taken back in stretches. Whatever happens in between, the state says
-- how to go on.
create table import_runs (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('contacts', 'items', 'received')),
  state text not null check (state in ('draft', 'running', 'done', 'undoing', 'undone')),
  file_name text not null,
  sha256 blob not null check (length(sha256) = 32),
  format text not null check (format in ('csv', 'xlsx')),
  -- Titles of the columns, and which column each field is read from.
  titles text not null check (json_valid(titles)),
  mapping text not null check (json_valid(mapping)),
  options text not null check (json_valid(options)),
  -- Row of the file, from 1, at which the data begin.
  first_row integer not null check (first_row >= 1),
  rows integer not null check (rows >= 0),
  -- Rows looked at so far, and what became of them.
  taken integer not null default 0 check (taken between 0 and rows),
  created integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- Of an undo: what was put back, and what stays because it has been changed or used since.
  restored integer not null default 0,
  kept integer not null default 0,
  created_at integer not null,
  finished_at integer
) strict;
create index import_runs_by_book on import_runs (book_id, id);

-- The cells as they were read, many rows together, until they have been taken.
create table import_chunks (
  run_id integer not null references import_runs on delete cascade,
  position integer not null check (position >= 0),
  cells text not null check (json_valid(cells)),
  primary key (run_id, position)
) strict, without rowid;

create table import_rows (
  run_id integer not null references import_runs on delete cascade,
  row integer not null check (row >= 1),
  outcome text not null check (outcome in ('created', 'updated', 'skipped', 'failed')),
  -- Row of the contact, item or received invoice, and its version after the import.
  target_id integer,
  target_version integer,
  -- Of an update: what it was before. Of a row that was not taken: why.
  before text check (before is null or json_valid(before)),
  faults text check (faults is null or json_valid(faults)),
  undo text check (undo in ('restored', 'kept')),
  primary key (run_id, row),
  check ((outcome in ('created', 'updated')) = (target_id is not null and target_version is not null)),
  check ((outcome = 'updated') = (before is not null))
) strict, without rowid;
create index import_rows_by_target on import_rows (run_id, target_id) where target_id is not null;
`
