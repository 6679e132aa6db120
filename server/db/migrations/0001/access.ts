/** First schema: keys, history, outbox, repetitions and the inbox. */

export const accessTables = `
create table api_keys (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null check (length(name) between 1 and 64),
  lookup text not null unique,
  prefix text not null,
  secret_hash blob not null check (length(secret_hash) = 32),
  scopes text not null check (json_valid(scopes)),
  approval text not null check (approval in ('always', 'never')),
  assistant integer not null check (assistant in (0, 1)),
  per_day integer check (per_day >= 1),
  cents_per_day integer check (cents_per_day >= 0),
  created_at integer not null,
  last_used_at integer,
  expires_at integer,
  revoked_at integer,
  check (assistant = 0 or approval = 'always')
) strict;
create unique index api_keys_by_name on api_keys (book_id, name) where revoked_at is null;

create table key_usage (
  key_id integer not null references api_keys,
  day text not null,
  issued integer not null,
  cents integer not null,
  primary key (key_id, day)
) strict, without rowid;

-- Actors of the audit log, one row for each distinct one.
create table actors (
  id integer primary key,
  kind text not null check (kind in ('user', 'key', 'system')),
  public_id text not null,
  name text not null,
  unique (kind, public_id, name)
) strict;
create trigger actors_frozen before update on actors begin select raise(abort, 'frozen: actors'); end;
create trigger actors_kept before delete on actors begin select raise(abort, 'frozen: actors'); end;

create table audit_events (
  book_id integer not null references books,
  sequence integer not null check (sequence >= 1),
  at integer not null,
  actor_id integer not null references actors,
  channel text not null check (channel in ('ui', 'rest', 'mcp', 'system')),
  action text not null,
  target_type text,
  target_id text,
  target_label text,
  outcome text not null check (outcome in ('ok', 'refused', 'failed')),
  code text,
  request_id text not null,
  hash blob not null check (length(hash) = 32),
  primary key (book_id, sequence)
) strict, without rowid;
create index audit_events_by_target on audit_events (book_id, target_id, sequence) where target_id is not null;
create trigger audit_events_frozen before update on audit_events begin select raise(abort, 'frozen: audit_events'); end;
create trigger audit_events_kept before delete on audit_events begin select raise(abort, 'frozen: audit_events'); end;

-- Outbox: facts that others want to hear of, written with the fact itself.
create table events (
  id integer primary key autoincrement,
  book_id integer not null references books,
  type text not null,
  at integer not null,
  data text not null check (json_valid(data))
) strict;
create index events_by_book on events (book_id, id);

create table idempotency_keys (
  scope text not null,
  idempotency_key text not null,
  operation text not null,
  input_hash blob not null check (length(input_hash) = 32),
  status integer not null,
  reply text not null,
  sealed integer not null default 0 check (sealed in (0, 1)),
  created_at integer not null,
  primary key (scope, idempotency_key)
) strict, without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table proposals (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  key_id integer references api_keys,
  status text not null check (status in ('pending_user', 'not_applicable', 'accepted', 'rejected', 'expired')),
  action text not null,
  target_id text,
  reason text not null,
  body text not null check (json_valid(body)),
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  decision_note text
) strict;
create index proposals_by_status on proposals (book_id, status, id);
`
