/** First schema: series of numbers and the gaps in them. */

export const seriesTables = `
create table series (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  code text not null check (length(code) between 1 and 20),
  kind text not null check (kind in ('ordinary', 'simplified', 'rectifying', 'quote')),
  start_number integer not null default 1 check (start_number >= 1),
  next_number integer not null check (next_number >= start_number),
  last_issue_date text,
  -- What the series is kept apart for; general when nothing asks for a series of its own.
  purpose text not null default 'general' check (purpose in
    ('general', 'recipient', 'third_party', 'forced_sale', 'reverse_charge', 'vat_group')),
  -- Begins anew each year: the code with {YYYY} in place of the year.
  pattern text check (pattern is null or pattern like '%{YYYY}%'),
  -- Used for its kind when none is named, in place of the standard one.
  is_default integer not null default 0 check (is_default in (0, 1)),
  note text check (length(note) between 1 and 120),
  -- No longer offered; its invoices stay as they are.
  archived_at integer,
  created_at integer not null,
  unique (book_id, code)
) strict;
create unique index series_default on series (book_id, kind) where is_default = 1;
create trigger series_never_back before update of next_number, start_number, code, kind, book_id on series
  when new.code <> old.code or new.kind <> old.kind or new.book_id <> old.book_id
    -- Where it begins can be chosen until the first number is given.
    or ((new.next_number < old.next_number or new.start_number <> old.start_number)
      and (old.next_number <> old.start_number or new.next_number <> new.start_number))
  begin select raise(abort, 'frozen: series'); end;
create trigger series_kept before delete on series when old.next_number > old.start_number
  begin select raise(abort, 'frozen: series'); end;

-- Numbers of a series that were used outside these books and are never given again.
create table series_gaps (
  series_id integer not null references series,
  first integer not null check (first >= 1),
  last integer not null check (last >= first),
  noted_at integer not null,
  primary key (series_id, first)
) strict, without rowid;
`
