/** Invoices between businesses by the public platform: what was sent, what it answered, what the other side said. */

const NOT_ENDING = 'not exists (select 1 from company_ends)'

export const exchange = `
-- How a book uses the platform; without a row not at all.
create table exchange_settings (
  book_id integer primary key references books,
  -- Invoices and statuses leave by themselves since; null while the switch is off.
  sending_since integer,
  sending_by text,
  -- First day of issue of the invoices that are followed.
  followed_from text check (length(followed_from) = 10),
  -- Turnover of the last calendar year as a person stated it, and of which year; null: from the books.
  turnover text check (turnover in ('above', 'up_to')),
  turnover_year integer check (turnover_year between 2000 and 2999),
  -- Kind of person as a person stated it; null: from the tax number.
  person_kind text check (person_kind in ('natural', 'attribution', 'company')),
  -- Collections of issued invoices are reported too, which is voluntary.
  report_collections integer not null default 1 check (report_collections in (0, 1)),
  -- How the holder of the certificate may act for the company, as a person stated it; null: it is the company's own.
  representation text check (representation in ('attorney', 'collaborator', 'legal')),
  representative_nif text,
  representative_name text,
  representative_certificate text,
  representation_since integer,
  representation_by text,
  version integer not null default 1,
  check ((sending_since is null) = (sending_by is null)),
  check ((turnover is null) = (turnover_year is null)),
  check ((representation is null) = (representative_nif is null)
    and (representation is null) = (representative_name is null)
    and (representation is null) = (representative_certificate is null)
    and (representation is null) = (representation_since is null)
    and (representation is null) = (representation_by is null))
) strict;

-- Positions and pace of a book: up to where its events and those of the platform are known, and when it goes on.
create table exchange_flows (
  book_id integer primary key references books,
  event_id integer not null default 0,
  -- Position at the platform, as the platform wrote it.
  position text,
  next_send_at integer not null default 0,
  failures integer not null default 0,
  batch_limit integer not null default 100 check (batch_limit between 1 and 100),
  -- Why nothing leaves: the code of the last failure, and its text.
  fault_code text,
  fault_detail text,
  next_poll_at integer not null default 0,
  poll_failures integer not null default 0,
  polled_at integer
) strict;

-- How a customer receives, as was agreed; without a row by the public platform.
create table exchange_contacts (
  contact_id integer primary key references contacts on delete cascade,
  book_id integer not null references books,
  -- platform: the original; copy: another platform, and a copy from here; other: another platform, which sends the copy; none.
  channel text not null check (channel in ('platform', 'copy', 'other', 'none')),
  platform_name text,
  entry_point text,
  agreed_on text check (length(agreed_on) = 10),
  -- The customer expressly accepts the original format without a readable copy beside it.
  accepts_original_on text check (length(accepts_original_on) = 10),
  version integer not null default 1
) strict;

-- Exact bytes of what was sent and received.
create table exchange_contents (
  id integer primary key,
  book_id integer not null references books,
  sha256 blob not null check (length(sha256) = 32),
  size integer not null,
  bytes blob not null
) strict;
create unique index exchange_contents_by_hash on exchange_contents (book_id, sha256);

-- Invoices that are followed. What is known now; exchange_facts says how it came to be.
create table exchange_documents (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  direction text not null check (direction in ('issued', 'received')),
  invoice_id integer references invoices,
  received_id integer references received_invoices,
  incoming_id integer references incoming_documents on delete set null,
  -- The unique code of the invoice.
  issuer_nif text not null,
  number text not null,
  issue_date text not null check (length(issue_date) = 10),
  partner_nif text,
  partner_name text,
  total_cents integer,
  due_date text check (length(due_date) = 10),
  is_copy integer not null default 0 check (is_copy in (0, 1)),
  state text not null check (state in
    ('not_due', 'to_send', 'sent_unknown', 'admitted', 'refused', 'withdrawn', 'open', 'rejected', 'paid', 'paid_on_the_invoice')),
  -- Code of the reason: why it is not due, why it cannot be written, why it was refused.
  why text,
  -- What the other side says now, and of which day.
  partner_said text check (partner_said in ('rejected', 'paid', 'settled', 'defaulted')),
  partner_day text check (length(partner_day) = 10),
  -- What this side has said now, and of which day.
  said text check (said in ('rejected', 'paid', 'settled', 'defaulted')),
  said_day text check (length(said_day) = 10),
  -- Its invoice as it was sent or received.
  content_id integer references exchange_contents,
  locator text,
  csv text,
  -- Written before the first byte leaves.
  sent_at integer,
  attempts integer not null default 0,
  queries integer not null default 0,
  -- When the worker looks at it next; null: it waits for nothing.
  next_at integer,
  created_at integer not null,
  changed_at integer not null,
  check ((direction = 'issued') = (state in ('not_due', 'to_send', 'sent_unknown', 'admitted', 'refused')) or state = 'withdrawn'),
  check (direction = 'received' or invoice_id is not null)
) strict;
create unique index exchange_documents_by_code on exchange_documents (book_id, direction, issuer_nif, number, issue_date)
  where state <> 'withdrawn';
create index exchange_documents_of_invoice on exchange_documents (invoice_id) where invoice_id is not null;
create index exchange_documents_of_received on exchange_documents (received_id) where received_id is not null;
create index exchange_documents_of_incoming on exchange_documents (incoming_id) where incoming_id is not null;
create index exchange_documents_by_state on exchange_documents (book_id, direction, state, issue_date, id);
create index exchange_documents_of_book on exchange_documents (book_id, issue_date, id);
create index exchange_documents_waiting on exchange_documents (book_id, next_at) where next_at is not null;

-- What this side says of an invoice: statuses and withdrawals, each once and in order.
create table exchange_reports (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  document_id integer not null references exchange_documents,
  -- Its place among those of the invoice.
  position integer not null,
  kind text not null check (kind in ('rejected', 'rejection_cancelled', 'paid', 'payment_cancelled', 'settled',
    'settlement_cancelled', 'defaulted', 'default_cancelled', 'withdrawn')),
  day text not null check (length(day) = 10),
  due_date text check (length(due_date) = 10),
  reason text,
  note text,
  -- 1: a payment made it; 0: a person or program asked for it.
  by_machine integer not null check (by_machine in (0, 1)),
  asked_by text not null,
  -- Last day to report it; null where none is set.
  last_day text check (length(last_day) = 10),
  -- dropped: taken back before it left.
  state text not null check (state in ('to_send', 'unknown', 'admitted', 'refused', 'dropped')),
  code text,
  detail text,
  csv text,
  sent_at integer,
  attempts integer not null default 0,
  queries integer not null default 0,
  next_at integer,
  created_at integer not null,
  settled_at integer
) strict;
create unique index exchange_reports_of_document on exchange_reports (document_id, position);
create index exchange_reports_waiting on exchange_reports (book_id, next_at) where next_at is not null;
create index exchange_reports_open on exchange_reports (book_id, last_day, id) where state in ('to_send', 'unknown');
create trigger exchange_reports_frozen before update of book_id, public_id, document_id, position, kind, day, due_date, reason,
  note, by_machine, asked_by, created_at on exchange_reports
  begin select raise(abort, 'frozen: exchange_reports'); end;
create trigger exchange_reports_settled before update of state on exchange_reports
  when old.state in ('admitted', 'dropped')
  begin select raise(abort, 'frozen: exchange_reports'); end;

-- Each exchange with the platform that could change something there, written before it begins.
create table exchange_messages (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('send', 'withdraw', 'report')),
  -- Of statuses.
  role text check (role in ('issuer', 'recipient')),
  sent_at integer not null,
  sent_by text not null,
  -- The message of statuses; invoices have their own content.
  content_id integer references exchange_contents,
  answer_id integer references exchange_contents,
  outcome text not null check (outcome in ('sent', 'answered', 'nothing_done', 'unknown')),
  csv text,
  batch integer check (batch in (200, 206, 400)),
  detail text,
  ended_at integer
) strict;
create index exchange_messages_of_book on exchange_messages (book_id, id);
create index exchange_messages_open on exchange_messages (book_id, id) where outcome = 'sent';
create trigger exchange_messages_frozen before update of book_id, public_id, kind, role, sent_at, sent_by, content_id
  on exchange_messages
  begin select raise(abort, 'frozen: exchange_messages'); end;
create trigger exchange_messages_ended before update of outcome, csv, batch, answer_id on exchange_messages
  when old.outcome <> 'sent'
  begin select raise(abort, 'frozen: exchange_messages'); end;

-- What was in each, and what the platform answered of it.
create table exchange_items (
  message_id integer not null references exchange_messages,
  position integer not null,
  document_id integer not null references exchange_documents,
  report_id integer references exchange_reports,
  code text,
  detail text,
  locator text,
  primary key (message_id, position)
) strict, without rowid;
create index exchange_items_of_document on exchange_items (document_id, message_id);

-- How what is known came to be: added, never changed.
create table exchange_facts (
  id integer primary key,
  book_id integer not null references books,
  document_id integer not null references exchange_documents,
  at integer not null,
  fact text not null,
  day text check (length(day) = 10),
  report_id integer references exchange_reports,
  message_id integer references exchange_messages,
  code text,
  note text,
  actor text not null
) strict;
create index exchange_facts_of_document on exchange_facts (document_id, id);
create trigger exchange_facts_frozen before update on exchange_facts
  begin select raise(abort, 'frozen: exchange_facts'); end;
${['documents', 'reports', 'messages', 'facts']
  .map(
    (name) => `create trigger exchange_${name}_kept before delete on exchange_${name} when ${NOT_ENDING}
  begin select raise(abort, 'frozen: exchange_${name}'); end;`,
  )
  .join('\n')}

-- The yes that somebody may give: its token is stored as a hash.
create table exchange_confirmations (
  token_hash blob primary key check (length(token_hash) = 32),
  book_id integer not null references books,
  actor text not null,
  document_id integer not null references exchange_documents,
  content_hash blob not null check (length(content_hash) = 32),
  -- What is to be said: kind, day, reason, note.
  choices text not null check (json_valid(choices)),
  created_at integer not null,
  expires_at integer not null,
  used_at integer,
  -- The report that it allowed.
  report_id integer references exchange_reports
) strict, without rowid;
create index exchange_confirmations_by_age on exchange_confirmations (created_at);
create index exchange_confirmations_of_document on exchange_confirmations (document_id);

-- The simulated platform of a test book: what it holds.
create table simulated_exchange (
  book_id integer not null references books,
  -- Order of presentation.
  sequence integer not null check (sequence > 0),
  issuer_nif text not null,
  number text not null,
  issue_date text not null,
  recipient_nif text not null,
  locator text not null,
  -- Day in Spain on which it was presented.
  presented_on text not null check (length(presented_on) = 10),
  withdrawn integer not null check (withdrawn in (0, 1)),
  facts text not null check (json_valid(facts)),
  primary key (book_id, sequence)
) strict, without rowid;
create unique index simulated_exchange_by_code on simulated_exchange (book_id, issuer_nif, number, issue_date)
  where withdrawn = 0;
create index simulated_exchange_by_locator on simulated_exchange (book_id, locator);
create index simulated_exchange_of_issuer on simulated_exchange (book_id, issuer_nif, presented_on, sequence);
create index simulated_exchange_of_recipient on simulated_exchange (book_id, recipient_nif, presented_on, sequence);
`
