/**
 * Sums of an account in a month from entries with several lines of that account, as those of two contacts: PostgreSQL
 * refuses to add to one row twice in a statement, so that such an entry could not be sealed there.
 */
export const accountMonths = `
drop trigger journal_entries_counted;
drop trigger journal_entries_opened;
create trigger journal_entries_counted after update of open on journal_entries when old.open is not null and new.open is null
  begin
    insert into account_months (account_id, month, debit_cents, credit_cents)
      select account_id, new.month, sum(max(amount_cents, 0)), sum(max(-amount_cents, 0))
      from journal_lines where entry_id = new.id group by account_id
      on conflict (account_id, month) do update set
        debit_cents = debit_cents + excluded.debit_cents, credit_cents = credit_cents + excluded.credit_cents;
  end;
create trigger journal_entries_opened before update of open on journal_entries when old.open is null and new.open is not null
  begin
    select raise(abort, 'period_locked') from period_locks where book_id = old.book_id and locked_until >= old.day;
    insert into account_months (account_id, month, debit_cents, credit_cents)
      select account_id, old.month, -sum(max(amount_cents, 0)), -sum(max(-amount_cents, 0))
      from journal_lines where entry_id = old.id group by account_id
      on conflict (account_id, month) do update set
        debit_cents = debit_cents + excluded.debit_cents, credit_cents = credit_cents + excluded.credit_cents;
  end;
`
