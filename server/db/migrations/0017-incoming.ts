/** Documents of suppliers before they are entered: where they come from, what was read of them, and what a supplier's are like. */

export const incoming = `
-- Where documents come from by themselves.
create table incoming_sources (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('folder', 'mailbox')),
  name text not null,
  -- A folder: {path}. A mailbox: host, port, user, mailbox and how to sign in.
  settings text not null check (json_valid(settings)),
  -- Password or refresh token of a mailbox, as JSON, sealed under the master key, and only for this row.
  sealed_secret text,
  state text not null check (state in ('active', 'paused', 'failing')),
  -- Code of the fault while it is failing.
  why text,
  -- Where reading goes on, such as {uidValidity, lastUid}, and what was left.
  position text check (json_valid(position)),
  next_at integer,
  checked_at integer,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  check ((state = 'failing') = (why is not null))
) strict;
create index incoming_sources_of_book on incoming_sources (book_id, id);
-- What a source has handed over, so that nothing comes twice; also after it was rejected and its file deleted. Of files
-- also their name, size and time, so that none is read twice.
create table incoming_seen (
  source_id integer not null references incoming_sources on delete cascade,
  digest blob not null check (length(digest) = 32),
  seen_at integer not null,
  primary key (source_id, digest)
) strict, without rowid;

create table incoming_documents (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  source text not null check (source in ('window', 'folder', 'mailbox', 'phone', 'program', 'assistant')),
  source_id integer references incoming_sources on delete set null,
  name text not null,
  -- Who sent it, as a mail says: shown, never trusted.
  sender text,
  state text not null check (state in
    ('queued', 'reading', 'ready', 'doubtful', 'duplicate', 'not_invoice', 'failed', 'entered', 'rejected')),
  -- Its pages, from 0, if it is only a part of its file.
  first_page integer check (first_page >= 0),
  last_page integer check (last_page >= first_page),
  pages integer,
  pages_read integer not null default 0,
  attempts integer not null default 0,
  due_at integer,
  lease_until integer,
  -- Version of the reader whose reading this is.
  engine integer,
  reading text check (json_valid(reading)),
  -- JSON list of the fields that nothing proves: lists do not read the reading.
  doubts text not null default '[]' check (json_valid(doubts)),
  why text,
  supplier_name text,
  supplier_nif text,
  supplier_number text,
  number_key text,
  issue_date text check (length(issue_date) = 10),
  total_cents integer,
  currency text,
  -- Difference hash of its first page, to find the same paper in another picture.
  picture_hash blob check (length(picture_hash) = 8),
  duplicate_of text check (json_valid(duplicate_of)),
  received_id integer references received_invoices,
  received_at integer not null,
  decided_at integer,
  decided_by text,
  version integer not null default 1,
  updated_at integer not null,
  check ((first_page is null) = (last_page is null)),
  check ((state = 'entered') = (received_id is not null)),
  check ((state in ('entered', 'rejected')) = (decided_at is not null))
) strict;
create index incoming_documents_of_book on incoming_documents (book_id, received_at, id);
create index incoming_documents_by_state on incoming_documents (book_id, state, received_at, id);
create index incoming_documents_due on incoming_documents (due_at, id) where state in ('queued', 'reading');
create index incoming_documents_by_number on incoming_documents (book_id, number_key) where number_key is not null;
create index incoming_documents_by_total on incoming_documents (book_id, total_cents) where total_cents is not null;

-- The rule by which a person lets several be entered at once; without a row none is.
create table incoming_rules (
  book_id integer primary key references books,
  known_suppliers_only integer not null check (known_suppliers_only in (0, 1)),
  highest_total_cents integer not null check (highest_total_cents >= 0),
  set_at integer not null,
  set_by text not null,
  version integer not null default 1
) strict;

-- How scans and photos are read; without a row in Spanish.
create table incoming_settings (
  book_id integer primary key references books,
  -- JSON list of languages, the most frequent first.
  languages text not null check (json_valid(languages)),
  version integer not null default 1
) strict;

-- What a person confirmed of a supplier's documents: where its fields stand, and how it is booked.
create table supplier_memory (
  book_id integer not null references books,
  -- Tax number in capitals.
  nif text not null,
  memory text not null check (json_valid(memory)),
  documents integer not null default 0,
  updated_at integer not null,
  primary key (book_id, nif)
) strict, without rowid;
`
