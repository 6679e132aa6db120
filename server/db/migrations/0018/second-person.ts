/** People of an office: whose key it is, and steps that a second person has to confirm. */

export const secondPerson = `
-- Person of an office to whom the key belongs: it never may more than that person. Null on a desk.
alter table api_keys add column person_id text;

-- What of a company a second person has to confirm; without a row nothing.
create table second_person_rules (
  company_id integer primary key references companies,
  -- Invoices whose total is above it, in cents; null: none.
  issue_above_cents integer check (issue_above_cents >= 0),
  closing integer not null default 0 check (closing in (0, 1)),
  bank_accounts integer not null default 0 check (bank_accounts in (0, 1)),
  version integer not null default 1,
  set_at integer not null,
  set_by text not null
) strict;

-- A step that one person asks for and another one confirms, which performs it.
create table second_person_requests (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  operation text not null,
  -- Input of the operation.
  input text not null check (json_valid(input)),
  -- What it is about, for lists: a title, and an amount in cents if it has one.
  summary text not null check (json_valid(summary)),
  content_hash blob not null check (length(content_hash) = 32),
  asked_by text not null,
  asked_by_name text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'withdrawn')),
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  decided_by text,
  decided_by_name text,
  note text,
  check ((status = 'pending') = (decided_at is null))
) strict;
create index second_person_requests_of_book on second_person_requests (book_id, status, id);
`
