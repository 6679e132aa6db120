/** First schema: the journal, its accounts and balances, and the days up to which the books are closed. */

/**
 * Days of the journal are whole numbers (20260131) and its months too (202601), with 00 for the opening, 13 for the
 * regularisation and 14 for the closing of a year: with a million invoices there are four million lines, and a day in
 * letters would cost as much as all the rest of a line.
 *
 * An entry is open or sealed. Open, it refers to a row that can never exist, and the reference is asked for at commit: so
 * no entry is ever committed open. Sealing asks for two lines at least and a sum of zero, and only open entries take,
 * change or lose lines. Balances follow the seals by trigger, so they are the sum of the sealed lines, always.
 */
export const ledgerTables = `
create table ledger_accounts (
  id integer primary key,
  book_id integer not null references books,
  code text not null check (length(code) between 3 and 12 and code not glob '*[^0-9]*' and code glob '[1-9]*'),
  -- Null: the name that the chart of accounts gives it.
  name text,
  kind text not null check (kind in ('asset', 'liability', 'equity', 'income', 'expense')),
  active integer not null default 1 check (active in (0, 1)),
  unique (book_id, code)
) strict;
create trigger ledger_accounts_code_kept before update of id, book_id, code, kind on ledger_accounts
  when exists (select 1 from journal_lines where account_id = old.id)
  begin select raise(abort, 'frozen: ledger_accounts'); end;

create table period_locks (
  book_id integer primary key references books,
  -- Nothing is booked on this day or before.
  locked_until integer not null,
  updated_at integer not null
) strict;

-- Years whose income and expenses were regularised and whose balances were carried over.
create table ledger_years (
  id integer primary key,
  book_id integer not null references books,
  year integer not null check (year between 1900 and 2999),
  result_cents integer not null,
  -- The lock before the closing, for undoing it.
  locked_before integer,
  closed_at integer not null,
  unique (book_id, year)
) strict;

-- Always empty: what is not sealed at commit refers to it.
create table journal_unsealed (id integer primary key) strict;
create trigger journal_unsealed_empty before insert on journal_unsealed
  begin select raise(abort, 'unbalanced: journal_entries'); end;

create table journal_entries (
  -- An entry's identifier is its row's: one that was taken away is not given again.
  id integer primary key autoincrement,
  book_id integer not null references books,
  day integer not null check (day between 19000101 and 29991231),
  month integer not null check (month / 100 = day / 10000 and (month = day / 100
    or (month % 100 = 0 and day % 10000 = 101) or (month % 100 in (13, 14) and day % 10000 = 1231))),
  source_type integer not null check (source_type between 1 and 99),
  -- Row of the source's table; null for what a person wrote.
  source_id integer,
  text text,
  -- Given in the order of days when a person numbers the journal.
  number integer check (number >= 1),
  open integer references journal_unsealed deferrable initially deferred
) strict;
create unique index journal_entries_by_source on journal_entries (source_type, source_id) where source_id is not null;
create index journal_entries_by_day on journal_entries (book_id, day, id);

create table journal_lines (
  entry_id integer not null references journal_entries,
  position integer not null check (position >= 0),
  account_id integer not null references ledger_accounts,
  day integer not null,
  -- Above zero in the debit, below in the credit.
  amount_cents integer not null check (amount_cents <> 0),
  contact_id integer references contacts on delete set null,
  primary key (entry_id, position)
) strict, without rowid;
create index journal_lines_by_account on journal_lines (account_id, day);
create index journal_lines_by_contact on journal_lines (contact_id) where contact_id is not null;

create table account_months (
  account_id integer not null references ledger_accounts,
  month integer not null,
  debit_cents integer not null,
  credit_cents integer not null,
  primary key (account_id, month)
) strict, without rowid;

create trigger journal_entries_made before insert on journal_entries
  begin
    select raise(abort, 'unbalanced: journal_entries') where new.open is null;
    select raise(abort, 'period_locked') from period_locks where book_id = new.book_id and locked_until >= new.day;
  end;
create trigger journal_entries_kept before delete on journal_entries
  begin
    select raise(abort, 'sealed: journal_entries') where old.open is null;
    select raise(abort, 'sealed: journal_lines') from journal_lines where entry_id = old.id;
    select raise(abort, 'period_locked') from period_locks where book_id = old.book_id and locked_until >= old.day;
  end;
create trigger journal_entries_frozen before update of id, book_id, day, month, source_type, source_id on journal_entries
  begin select raise(abort, 'frozen: journal_entries'); end;
create trigger journal_entries_text before update of text on journal_entries when old.open is null
  begin select raise(abort, 'sealed: journal_entries'); end;
create trigger journal_entries_sealed before update of open on journal_entries when old.open is not null and new.open is null
  begin
    select raise(abort, 'period_locked') from period_locks where book_id = old.book_id and locked_until >= old.day;
    select raise(abort, 'unbalanced: journal_entries') from (
      select count(*) as lines, sum(amount_cents) as balance
      from journal_lines where entry_id = old.id)
      where lines < 2 or balance <> 0;
  end;
create trigger journal_entries_counted after update of open on journal_entries when old.open is not null and new.open is null
  begin
    insert into account_months (account_id, month, debit_cents, credit_cents)
      select account_id, new.month, max(amount_cents, 0), max(-amount_cents, 0)
      from journal_lines where entry_id = new.id
      on conflict (account_id, month) do update set
        debit_cents = debit_cents + excluded.debit_cents, credit_cents = credit_cents + excluded.credit_cents;
  end;
create trigger journal_entries_opened before update of open on journal_entries when old.open is null and new.open is not null
  begin
    select raise(abort, 'period_locked') from period_locks where book_id = old.book_id and locked_until >= old.day;
    insert into account_months (account_id, month, debit_cents, credit_cents)
      select account_id, old.month, -max(amount_cents, 0), -max(-amount_cents, 0)
      from journal_lines where entry_id = old.id
      on conflict (account_id, month) do update set
        debit_cents = debit_cents + excluded.debit_cents, credit_cents = credit_cents + excluded.credit_cents;
  end;

create trigger journal_lines_made before insert on journal_lines
  when not exists (select 1 from journal_entries where id = new.entry_id and open is not null and day = new.day
    and book_id = (select book_id from ledger_accounts where id = new.account_id))
  begin select raise(abort, 'sealed: journal_lines'); end;
create trigger journal_lines_frozen before update of entry_id, position, account_id, day, amount_cents on journal_lines
  begin select raise(abort, 'frozen: journal_lines'); end;
create trigger journal_lines_kept before delete on journal_lines
  when (select open from journal_entries where id = old.entry_id) is null
  begin select raise(abort, 'sealed: journal_lines'); end;
`
