/** Reply pages: what was offered to a customer with an invoice, and what the customer answered. */
export const replies = `
-- The secret with which a book recognizes the answers of its own pages.
create table reply_secrets (
  book_id integer primary key references books,
  public_id text not null unique,
  -- 32 random bytes, sealed under the master key, and only for this row.
  sealed_secret text not null,
  created_at integer not null
) strict;

-- What a customer was shown of an invoice and could answer. The page itself is written again from these facts.
create table reply_pages (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  invoice_id integer not null references invoices,
  language text not null check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  -- What the page shows, as JSON.
  facts text not null check (json_valid(facts)),
  facts_digest blob not null check (length(facts_digest) = 32),
  offered_by text not null,
  offered_at integer not null,
  -- A later page of the invoice shows other facts: answers to this one still count as said, and no longer as the last word.
  superseded_at integer
) strict;
create unique index reply_pages_current on reply_pages (invoice_id, language) where superseded_at is null;
create index reply_pages_of_invoice on reply_pages (invoice_id, id);
create trigger reply_pages_frozen before update of book_id, public_id, invoice_id, language, facts_digest, offered_by, offered_at
  on reply_pages begin select raise(abort, 'frozen: reply_pages'); end;
create trigger reply_pages_kept before delete on reply_pages when not exists (select 1 from company_ends)
  begin select raise(abort, 'frozen: reply_pages'); end;

-- What a customer said: facts that are never changed. A later answer stands beside an earlier one.
create table reply_answers (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  page_id integer not null references reply_pages,
  invoice_id integer not null references invoices,
  kind text not null check (kind in ('received', 'accepted', 'rejected', 'will_pay')),
  reason text check (reason in ('amount', 'not_ordered', 'not_received', 'wrong_data', 'paid_already', 'other')),
  pay_on text check (length(pay_on) = 10),
  -- Words and name as the customer typed them; emptied when the person is erased.
  words text,
  said_by text,
  -- By the customer's clock, which nothing proves; never after it was taken in.
  said_at integer not null,
  taken_at integer not null,
  taken_by text not null,
  channel text not null check (channel in ('paste', 'file', 'mailbox', 'program')),
  -- Who sent the mail it came in, as the mail says.
  sender text,
  -- SHA-256 of the answer, so that it is taken in once whatever way it comes.
  digest blob not null check (length(digest) = 32),
  emptied_at integer,
  unique (page_id, digest),
  check ((kind = 'rejected') = (reason is not null)),
  check (pay_on is null or kind in ('accepted', 'will_pay')),
  check (pay_on is not null or kind <> 'will_pay')
) strict;
create index reply_answers_of_invoice on reply_answers (invoice_id, id);
create index reply_answers_of_book on reply_answers (book_id, taken_at, id);
create trigger reply_answers_frozen before update of book_id, public_id, page_id, invoice_id, kind, reason, pay_on, words, said_by,
  said_at, taken_at, taken_by, channel, sender, digest, emptied_at on reply_answers
  when not (old.emptied_at is null and new.emptied_at is not null and new.words is null and new.said_by is null
    and new.sender is null and new.book_id = old.book_id and new.public_id = old.public_id and new.page_id = old.page_id
    and new.invoice_id = old.invoice_id and new.kind = old.kind and new.reason is old.reason and new.pay_on is old.pay_on
    and new.said_at = old.said_at and new.taken_at = old.taken_at and new.taken_by = old.taken_by
    and new.channel = old.channel and new.digest = old.digest)
  begin select raise(abort, 'frozen: reply_answers'); end;
create trigger reply_answers_kept before delete on reply_answers begin select raise(abort, 'frozen: reply_answers'); end;

-- How a customer receives invoices by mail: what goes along with the PDF, as a JSON list; null: nothing else.
alter table contacts add column enclosed_formats text check (enclosed_formats is null or json_valid(enclosed_formats));
`
