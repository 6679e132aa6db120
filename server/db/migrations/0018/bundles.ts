/** Encrypted files between a company's books and its adviser: pairings, files sent and received, and changes. */

export const bundles = `
-- Copies of other installations' books that an adviser works with here: they never issue.
create table advised_companies (
  company_id integer primary key references companies,
  -- Pairing that keeps it up to date.
  pairing text not null unique,
  -- Subtracted from the row ids of entries for their identifiers, which are those at the client.
  entry_shift integer not null,
  -- 0: the changes that are not decided have yet to be made again on the books that arrived.
  rebased integer not null default 0 check (rebased in (0, 1)),
  arrived_at integer not null
) strict;

-- Pairings of a company with the books or the adviser at another installation.
create table bundle_pairings (
  id integer primary key,
  company_id integer not null references companies,
  -- The same at both ends.
  public_id text not null unique,
  side text not null check (side in ('client', 'adviser')),
  state text not null default 'invited' check (state in ('invited', 'joined', 'active', 'ended')),
  -- Private keys, sealed.
  secret_keys text not null,
  -- Public keys, as in the files.
  own_keys text not null,
  peer_keys text,
  -- Of the two installations, as people call them; the person is the adviser's.
  client_name text not null,
  client_nif text,
  client_company text not null,
  adviser_name text,
  adviser_person text,
  -- Numbers of the last file sent and received, with its digest.
  sent integer not null default 0,
  received integer not null default 0,
  received_hash text,
  -- Highest number of a change of the adviser that was given or received.
  changes integer not null default 0,
  -- Highest row id of the attached files that the adviser has.
  files_there integer not null default 0,
  created_at integer not null,
  ended_at integer
) strict;
create index bundle_pairings_of_company on bundle_pairings (company_id, id);

-- Files sent: which books a set of changes was made on, and which attached files went along.
create table bundle_files (
  pairing_id integer not null references bundle_pairings,
  number integer not null,
  hash text not null,
  files_upto integer not null,
  size integer not null,
  at integer not null,
  note text,
  primary key (pairing_id, number)
) strict, without rowid;

-- Changes of an adviser: at the adviser as they were made, at the client as they came.
create table bundle_changes (
  id integer primary key,
  pairing_id integer not null references bundle_pairings,
  public_id text not null unique,
  number integer not null,
  -- Public identifier of the book.
  book text not null,
  operation text not null,
  -- Input of the operation; what an earlier change created is named by that change.
  input text not null check (json_valid(input)),
  -- What it created: at the adviser, and at the client.
  created text,
  created_there text,
  person_id text not null,
  person_name text not null,
  made_at integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'rejected')),
  -- What it does, for lists.
  summary text not null default '{}' check (json_valid(summary)),
  -- Why it could not be taken so far.
  problem text check (json_valid(problem)),
  sent_in integer,
  decided_at integer,
  decided_by text,
  note text,
  check ((state = 'waiting') = (decided_at is null))
) strict;
create index bundle_changes_of_pairing on bundle_changes (pairing_id, number);
`
