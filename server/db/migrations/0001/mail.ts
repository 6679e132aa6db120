/** First schema: mail accounts, and what was sent to whom. */

export const mailTables = `
-- One for each company; both its books send with it.
create table mail_accounts (
  company_id integer primary key references companies,
  channel text not null default 'program' check (channel in ('program', 'smtp')),
  host text check (length(host) between 1 and 253),
  port integer check (port between 1 and 65535),
  security text check (security in ('tls', 'starttls', 'plain')),
  user text,
  -- Sealed under the master key, and only for this row.
  sealed_password text,
  from_name text,
  from_address text,
  reply_to text,
  copy_to_self integer not null default 0 check (copy_to_self in (0, 1)),
  tested_at integer,
  version integer not null default 1,
  updated_at integer not null,
  check (channel = 'program' or (host is not null and port is not null and security is not null and from_address is not null))
) strict;

-- Words that a company says differently; the others are the program's.
create table mail_templates (
  company_id integer not null references companies,
  kind text not null check (kind in ('invoice', 'quote', 'reminder_1', 'reminder_2', 'reminder_3', 'statement')),
  language text not null check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  subject text not null,
  body text not null,
  updated_at integer not null,
  primary key (company_id, kind, language)
) strict, without rowid;

create table mails (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('invoice', 'quote', 'reminder', 'statement')),
  channel text not null check (channel in ('smtp', 'program')),
  state text not null check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'handed', 'discarded')),
  language text not null check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  contact_id integer references contacts on delete set null,
  from_name text,
  from_address text,
  reply_to text,
  recipients text not null check (json_valid(recipients)),
  copies text not null default '[]' check (json_valid(copies)),
  blind_copy text,
  subject text not null,
  body text not null,
  message_id text not null,
  -- What is noted elsewhere once it has gone: {invoiceIds, level, claimInterest} of a reminder.
  consequence text check (json_valid(consequence)),
  refused text not null default '[]' check (json_valid(refused)),
  attempts integer not null default 0,
  next_attempt_at integer,
  reason text,
  detail text,
  made_by text not null,
  created_at integer not null,
  settled_at integer,
  check ((state = 'queued') = (next_attempt_at is not null)),
  check ((channel = 'program') = (state = 'handed')),
  check (channel = 'program' or from_address is not null)
) strict;
create index mails_by_book on mails (book_id, id);
create index mails_open on mails (state, next_attempt_at) where state in ('queued', 'sending', 'failed', 'unknown');
create trigger mails_frozen before update of book_id, public_id, kind, channel, language, from_name, from_address, reply_to,
  recipients, copies, blind_copy, subject, body, message_id, consequence, made_by, created_at on mails
  begin select raise(abort, 'frozen: mails'); end;
create trigger mails_sent_once before update of state on mails
  when old.state in ('sent', 'handed', 'discarded') and new.state <> old.state
  begin select raise(abort, 'frozen: mails'); end;
create trigger mails_kept before delete on mails begin select raise(abort, 'frozen: mails'); end;

create table mail_documents (
  mail_id integer not null references mails,
  position integer not null,
  invoice_id integer references invoices,
  quote_id integer references quotes on delete set null,
  label text not null,
  primary key (mail_id, position)
) strict, without rowid;
create index mail_documents_by_invoice on mail_documents (invoice_id, mail_id) where invoice_id is not null;
create index mail_documents_by_quote on mail_documents (quote_id, mail_id) where quote_id is not null;

create table mail_attachments (
  mail_id integer not null references mails,
  position integer not null,
  name text not null,
  media_type text not null,
  size integer not null,
  sha256 blob not null check (length(sha256) = 32),
  -- The kept document of an issued invoice; its bytes are not kept twice.
  invoice_id integer references invoices,
  document_language text,
  bytes blob,
  primary key (mail_id, position),
  check ((invoice_id is null) = (bytes is not null) and (invoice_id is null) = (document_language is null))
) strict;
create trigger mail_attachments_frozen before update on mail_attachments
  begin select raise(abort, 'frozen: mail_attachments'); end;
create trigger mail_attachments_kept before delete on mail_attachments
  begin select raise(abort, 'frozen: mail_attachments'); end;
`
