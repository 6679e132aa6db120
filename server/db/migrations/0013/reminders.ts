/** Reminders in every document language, and those that are planned by the due date. */
export const reminderTables = `
alter table reminders add column letter_language text
  check (letter_language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt'));
drop trigger reminders_frozen;
create trigger reminders_frozen before update of book_id, public_id, level, date, language, letter_language, channel,
  due_cents, interest_cents, recovery_cents, created_at on reminders
  begin select raise(abort, 'frozen: reminders'); end;

alter table contacts add column reminders_off integer not null default 0 check (reminders_off in (0, 1));

-- When customers are reminded: days from the due date, before it negative.
create table reminder_plans (
  book_id integer primary key references books,
  enabled integer not null default 0 check (enabled in (0, 1)),
  steps text not null check (json_valid(steps)),
  -- A person said, after having read the first ones, that the next go by themselves.
  automatic integer not null default 0 check (automatic in (0, 1)),
  -- Steps of earlier days are not made up for.
  since text not null,
  version integer not null default 1,
  updated_at integer not null
) strict;

-- Invoices that are disputed: they stay owed, and no planned reminder speaks of them.
create table reminder_holds (
  invoice_id integer primary key references invoices,
  created_at integer not null
) strict;

-- Each step of an invoice once; the row of a sent one is written with its mail.
create table planned_reminders (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  invoice_id integer not null references invoices,
  step integer not null check (step between -60 and 90),
  planned_on text not null,
  state text not null check (state in ('waiting', 'sent', 'skipped')),
  mail_id integer references mails,
  created_at integer not null,
  settled_at integer,
  unique (invoice_id, step),
  check ((state = 'sent') = (mail_id is not null)),
  check ((state = 'waiting') = (settled_at is null))
) strict;
create index planned_reminders_waiting on planned_reminders (book_id, id) where state = 'waiting';
create index planned_reminders_by_mail on planned_reminders (mail_id) where mail_id is not null;
create trigger planned_reminders_once before update of state on planned_reminders
  when old.state <> 'waiting' begin select raise(abort, 'frozen: planned_reminders'); end;
`
