/** First schema: templates, and invoices that come back at fixed times. */

export const recurringTables = `
create table templates (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null,
  -- The input of an invoice without its dates; the customer may be missing.
  content text not null check (json_valid(content)),
  used_at integer,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  unique (book_id, name)
) strict;

create table recurrences (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null,
  state text not null check (state in ('active', 'paused')),
  contact_id integer references contacts on delete set null,
  client_name text not null,
  search text not null,
  -- The input of an invoice without its dates.
  content text not null check (json_valid(content)),
  currency text not null default 'EUR' check (length(currency) = 3),
  total_cents integer not null,
  -- RFC 5545, with DTSTART; days of the calendar of Spain.
  rule text not null,
  start_date text not null,
  due_days integer check (due_days between 0 and 365),
  -- [{date, percentBp, note}]: from that day on prices are that much higher.
  price_updates text not null default '[]' check (json_valid(price_updates)),
  -- The next day on which a draft is prepared; null when there is none left.
  next_date text,
  -- Why the draft of next_date could not be prepared.
  trouble text check (trouble is null or json_valid(trouble)),
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict;
create index recurrences_by_name on recurrences (book_id, search, id);
create index recurrences_due on recurrences (book_id, next_date) where state = 'active' and next_date is not null;

-- What became of each day: written in the transaction of its draft, so that a day is answered once whatever happens.
create table recurrence_days (
  recurrence_id integer not null references recurrences on delete cascade,
  date text not null,
  outcome text not null check (outcome in ('draft', 'skipped')),
  invoice_id integer references invoices on delete set null,
  at integer not null,
  primary key (recurrence_id, date)
) strict, without rowid;
create index recurrence_days_by_invoice on recurrence_days (invoice_id) where invoice_id is not null;
`
