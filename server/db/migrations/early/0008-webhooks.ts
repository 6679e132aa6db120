/** Webhooks: endpoints, what is on its way to them, every attempt, and how far the outbox was handed out. */

/**
 * A delivery is written when its event is handed out and leaves its state only for another: due -> leased -> done, dead, or due
 * again. What is on its way holds a lease, so that a crash gives it back. Its message is kept as it was first sent.
 */
export const webhooks = `
create table webhooks (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  url text not null check (length(url) between 1 and 2000),
  description text,
  -- Types, families such as invoice.*, or *.
  events text not null check (json_valid(events)),
  sealed_secret text not null,
  -- After a rotation, while both sign.
  sealed_previous text,
  previous_until integer,
  -- A person typed an address of this computer or its network.
  allow_local integer not null default 0 check (allow_local in (0, 1)),
  state text not null default 'active' check (state in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
  -- Since the last success.
  failing_since integer,
  failures integer not null default 0,
  last_success_at integer,
  -- The receiver asked to be left alone until then.
  hold_until integer,
  -- Only later events are for it.
  after_event_id integer not null,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((sealed_previous is null) = (previous_until is null)),
  check ((failing_since is null) = (failures = 0))
) strict;
create index webhooks_by_book on webhooks (book_id, id);

create table webhook_deliveries (
  id integer primary key,
  webhook_id integer not null references webhooks on delete cascade,
  -- The webhook-id of the message, the same in every attempt.
  public_id text not null unique,
  -- Null for a test.
  event_id integer,
  type text not null,
  event_at integer not null,
  body text not null check (json_valid(body)),
  state text not null check (state in ('due', 'leased', 'done', 'dead')),
  -- Ever, and since it last began anew.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_at integer,
  leased_until integer,
  -- Why the last attempt failed.
  reason text,
  created_at integer not null,
  settled_at integer,
  unique (webhook_id, event_id),
  check ((state = 'due') = (next_at is not null)),
  check ((state = 'leased') = (leased_until is not null)),
  check ((state in ('done', 'dead')) = (settled_at is not null)),
  check (state <> 'dead' or reason is not null)
) strict;
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, id);
create index webhook_deliveries_by_time on webhook_deliveries (webhook_id, state, next_at);
create index webhook_deliveries_settled on webhook_deliveries (state, settled_at);

create table webhook_attempts (
  delivery_id integer not null references webhook_deliveries on delete cascade,
  number integer not null,
  at integer not null,
  ms integer not null check (ms >= 0),
  -- Null where nobody answered.
  status integer,
  -- Null where it was taken.
  fault text,
  answer text,
  primary key (delivery_id, number)
) strict, without rowid;

-- One row: events up to here are handed out.
create table webhook_fan_out (
  id integer primary key check (id = 1),
  event_id integer not null
) strict;
insert into webhook_fan_out (id, event_id) select 1, coalesce(max(id), 0) from events;
`
