/** The adviser's console: a summary row for each company, its care, and work over many companies. */

export const summaries = `
-- What the console shows of a company's live book, derived from its facts.
create table company_summaries (
  company_id integer primary key references companies,
  -- The figures; null before they were computed for the first time.
  facts text check (json_valid(facts)),
  computed_at integer,
  -- The day in Spain for which they were computed: what is overdue depends on it.
  computed_on text check (length(computed_on) = 10),
  -- When the first fact was recorded that they do not include; null: they include all.
  stale_since integer,
  -- 1 while they are being computed; a fact that is recorded meanwhile sets it to 0.
  taken integer not null default 0 check (taken in (0, 1)),
  check ((facts is null) = (computed_at is null) and (facts is null) = (computed_on is null))
) strict;
create index company_summaries_stale on company_summaries (stale_since, company_id) where stale_since is not null;

-- Every change of the books writes an event in its transaction.
create trigger events_mark_summary after insert on events begin
  update company_summaries set stale_since = coalesce(stale_since, new.at), taken = 0
    where company_id = (select books.company_id from books where books.id = new.book_id)
      and (stale_since is null or taken = 1);
end;

-- Who looks after a company, and its newest note.
create table company_care (
  company_id integer primary key references companies,
  assignee_id text,
  assignee_name text,
  assigned_at integer,
  note_text text,
  note_by text,
  note_at integer,
  notes integer not null default 0,
  check ((assignee_id is null) = (assignee_name is null) and (assignee_id is null) = (assigned_at is null)),
  check ((notes = 0) = (note_text is null) and (notes = 0) = (note_by is null) and (notes = 0) = (note_at is null))
) strict;

create table company_notes (
  id integer primary key,
  company_id integer not null references companies,
  public_id text not null unique,
  text text not null check (length(text) between 1 and 1000),
  author_id text not null,
  author_name text not null,
  created_at integer not null
) strict;
create index company_notes_of_company on company_notes (company_id, id);
create trigger company_notes_frozen before update on company_notes begin select raise(abort, 'frozen: company_notes'); end;

-- Work over many companies: one row for each, with its outcome. Rows of one run have the same run_id.
create table bulk_units (
  id integer primary key,
  company_id integer not null references companies,
  run_id text not null,
  position integer not null,
  kind text not null check (kind in ('pack', 'export', 'close', 'remind', 'certificate', 'assign')),
  input text not null check (json_valid(input)),
  -- Sealed part of the input; gone when the unit has ended.
  secret text,
  asked_by text not null,
  asked_by_name text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'skipped', 'cancelled')),
  attempts integer not null default 0,
  -- Why it failed or was skipped, and what was done.
  code text,
  outcome text check (json_valid(outcome)),
  -- Bytes of its file, which stands in bulk_files; null: none was made.
  file_bytes integer,
  created_at integer not null,
  started_at integer,
  ended_at integer,
  unique (run_id, company_id),
  check ((state in ('queued', 'running')) = (ended_at is null)),
  check ((state in ('failed', 'skipped')) = (code is not null)),
  check (secret is null or ended_at is null)
) strict;
create index bulk_units_waiting on bulk_units (company_id, id) where ended_at is null;
create index bulk_units_in_order on bulk_units (id) where ended_at is null;
create index bulk_units_of_run on bulk_units (run_id, position);
create index bulk_units_of_person on bulk_units (asked_by, id);
create index bulk_units_by_end on bulk_units (ended_at) where ended_at is not null;

create table bulk_files (
  unit_id integer primary key references bulk_units on delete cascade,
  name text not null,
  sha256 blob not null check (length(sha256) = 32),
  bytes blob not null
) strict;
`
