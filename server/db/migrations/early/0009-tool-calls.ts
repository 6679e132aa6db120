/** What assistants asked and were answered, in short and for a while; and who each key's assistant says it is. */

/**
 * No history: it is kept for days and cut to a number of rows, and what matters for good stands in `audit_events`. Texts were
 * shortened and freed of secrets before they came here.
 */
export const toolCalls = `
create table tool_calls (
  id integer primary key,
  key_id integer not null references api_keys on delete cascade,
  at integer not null,
  -- Name and version as the assistant gave them; null when it never did.
  client text,
  tool text not null,
  -- Pairs of a name and a text, in the order they are shown.
  arguments text not null check (json_valid(arguments)),
  outcome text not null check (outcome in ('ok', 'refused', 'failed')),
  code text,
  answer text not null check (json_valid(answer)),
  -- The invoice it was about.
  invoice_id text,
  -- Invoices that stood in the answer, by identifier and number.
  seen text not null check (json_valid(seen)),
  ms integer not null check (ms >= 0),
  request_id text not null
) strict;
create index tool_calls_by_key on tool_calls (key_id, id);
create index tool_calls_by_age on tool_calls (at);

create table key_clients (
  key_id integer primary key references api_keys on delete cascade,
  name text not null,
  version text,
  at integer not null
) strict;
`
