/** Returns that Sello files itself: what is sent, what the agency answers, and what a filing needs beyond its boxes. */

export const filing = `
alter table filings add column nature text not null default 'first'
  check (nature in ('first', 'complementary', 'rectifying', 'substitutive'));
-- A person said so, the agency's service answered so, or another program's file was read.
alter table filings add column source text not null default 'marked' check (source in ('marked', 'service', 'file'));
-- The agency's number of the receipt, which a later return of the same period has to name.
alter table filings add column receipt text check (length(receipt) between 8 and 20);
-- The later filing of the same period that stands instead; null if a person withdrew it.
alter table filings add column replaced_by text;
create trigger filings_source_frozen before update of nature, source, receipt on filings
  begin select raise(abort, 'frozen: filings'); end;

alter table filing_inputs add column typed_at integer;
alter table filing_inputs add column typed_by text;
alter table filing_inputs add column reason text;

create table filing_settings (
  book_id integer primary key references books,
  -- As the forms want them: apart.
  surnames text,
  first_name text,
  contact_name text,
  contact_phone text,
  iban text,
  -- When, and by whom, filing with the real service was allowed.
  live_since integer,
  live_by text
) strict;

-- One row for each yes of a person. At most one of a period is under way.
create table filing_sendings (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  model text not null,
  year integer not null check (year between 2000 and 2999),
  period text not null,
  nature text not null check (nature in ('first', 'complementary', 'rectifying', 'substitutive')),
  -- The agency's letter: I, U, G, N, B, C, D, V, X; empty for what only informs.
  kind text not null check (length(kind) <= 1),
  result_cents integer not null,
  boxes text not null check (json_valid(boxes)),
  -- What the person chose: account, payment reference, previous receipt.
  choices text not null check (json_valid(choices)),
  -- The file as it is sent, compressed, and the hash of what the person confirmed.
  file blob not null,
  content_hash blob not null check (length(content_hash) = 32),
  confirmation_hash blob unique check (length(confirmation_hash) = 32),
  signer_nif text not null,
  signer_name text not null,
  approved_by text not null,
  state text not null check (state in ('preparing', 'sent', 'unknown', 'accepted', 'refused', 'not_sent', 'not_found')),
  created_at integer not null,
  -- Written before the first byte leaves.
  sent_at integer,
  settled_at integer,
  next_query_at integer,
  queries integer not null default 0,
  csv text,
  receipt text,
  register_number text,
  presented_at text,
  document_url text,
  -- What the agency said: errors of a refusal, notices beside an acceptance.
  answer text not null default '[]' check (json_valid(answer)),
  why text,
  filing_id text
) strict;
create unique index filing_sendings_open on filing_sendings (book_id, model, year, period)
  where state in ('preparing', 'sent', 'unknown');
create index filing_sendings_of_period on filing_sendings (book_id, model, year, period, id);
create index filing_sendings_by_state on filing_sendings (book_id, state);
create index filing_sendings_waiting on filing_sendings (book_id, next_query_at);
create trigger filing_sendings_frozen before update of book_id, public_id, model, year, period, nature, kind, result_cents,
  boxes, choices, file, content_hash, confirmation_hash, signer_nif, signer_name, approved_by, created_at on filing_sendings
  begin select raise(abort, 'frozen: filing_sendings'); end;
create trigger filing_sendings_settled before update of state, sent_at, csv, receipt, presented_at on filing_sendings
  when old.state in ('accepted', 'refused', 'not_sent')
  begin select raise(abort, 'frozen: filing_sendings'); end;
create trigger filing_sendings_kept before delete on filing_sendings
  begin select raise(abort, 'frozen: filing_sendings'); end;

-- The yes that a person may give: its token is stored as a hash.
create table filing_confirmations (
  token_hash blob primary key check (length(token_hash) = 32),
  book_id integer not null references books,
  actor text not null,
  model text not null,
  year integer not null,
  period text not null,
  content_hash blob not null check (length(content_hash) = 32),
  choices text not null check (json_valid(choices)),
  created_at integer not null,
  expires_at integer not null,
  used_at integer,
  superseded integer not null default 0 check (superseded in (0, 1))
) strict, without rowid;
create index filing_confirmations_of_period on filing_confirmations (book_id, model, year, period);
create index filing_confirmations_by_age on filing_confirmations (created_at);

-- The simulated agency of a test book: what it was given.
create table simulated_returns (
  id integer primary key,
  book_id integer not null references books,
  nif text not null,
  model text not null,
  year integer not null,
  period text not null,
  csv text not null,
  facts text not null check (json_valid(facts))
) strict;
create unique index simulated_returns_csv on simulated_returns (book_id, csv);
create index simulated_returns_of_period on simulated_returns (book_id, nif, model, year, period, id);
create table simulated_sendings (
  book_id integer not null references books,
  id text not null,
  nif text not null,
  model text not null,
  year integer not null,
  period text not null,
  facts text not null check (json_valid(facts)),
  primary key (book_id, id)
) strict, without rowid;
`
