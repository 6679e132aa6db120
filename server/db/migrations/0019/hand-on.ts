/** How the journal is handed on to the program of an accountant, under which accounts, and what was handed on. */
export const handOn = `
create table hand_on_settings (
  book_id integer primary key references books,
  format text not null check (format in ('a3', 'contaplus', 'contasol', 'holded', 'odoo', 'csv')),
  digits integer not null check (digits between 5 and 12),
  first_customer integer not null check (first_customer >= 0),
  first_supplier integer not null check (first_supplier >= 0),
  company_code text not null,
  encoding text not null check (encoding in ('windows-1252', 'utf-8')),
  record_length integer,
  journal text not null,
  closing_entries integer not null check (closing_entries in (0, 1)),
  confirmed integer not null check (confirmed in (0, 1)),
  updated_at integer not null
) strict;

-- A number of a contact in the office's accounts, or the account that somebody typed for a general one. A number stays
-- when nobody has it any more, so that it is never given twice.
create table hand_on_accounts (
  id integer primary key,
  book_id integer not null references books,
  -- Code in the ledger.
  code text not null,
  contact_id integer references contacts on delete set null,
  prefix text,
  number integer check (number >= 0),
  typed text,
  created_at integer not null,
  retired_at integer,
  check ((prefix is null) = (number is null)),
  check ((typed is null) = (number is not null)),
  check (typed is null or contact_id is null)
) strict;
create unique index hand_on_numbers on hand_on_accounts (book_id, prefix, number) where number is not null;
create unique index hand_on_contacts on hand_on_accounts (book_id, code, contact_id)
  where contact_id is not null and retired_at is null;
create unique index hand_on_typed on hand_on_accounts (book_id, code) where typed is not null and retired_at is null;
create index hand_on_accounts_of_contact on hand_on_accounts (contact_id) where contact_id is not null;

create table hand_on_runs (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  format text not null check (format in ('a3', 'contaplus', 'contasol', 'holded', 'odoo', 'csv')),
  settings text not null,
  from_day text not null,
  to_day text not null,
  entries integer not null,
  lines integer not null,
  debit_cents integer not null,
  first_number integer not null,
  last_number integer not null,
  created_at integer not null
) strict;
create index hand_on_runs_of_book on hand_on_runs (book_id, id);

create table hand_on_entries (
  run_id integer not null references hand_on_runs,
  -- Number in the file.
  number integer not null,
  -- Null once the journal no longer has the entry.
  entry_id integer references journal_entries on delete set null,
  day integer not null,
  label text not null,
  debit_cents integer not null,
  -- Of what the ledger said.
  digest blob not null,
  -- A later file has told that the entry is gone.
  told_at integer,
  primary key (run_id, number)
) strict, without rowid;
create index hand_on_entries_of_entry on hand_on_entries (entry_id) where entry_id is not null;
create index hand_on_entries_gone on hand_on_entries (run_id, day) where entry_id is null;
`
