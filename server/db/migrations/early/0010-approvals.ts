/** Approvals: what keys ask a person to say yes to, before a step that cannot be undone. */

/**
 * Asked with the validation that gives the token, and bound to the same content. It leaves `pending` once, for good; one that
 * ran out stays `pending` with a past `expires_at`.
 */
export const approvals = `
create table approvals (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  key_id integer not null references api_keys,
  channel text not null check (channel in ('rest', 'mcp')),
  action text not null check (action in ('issue', 'cancel', 'amend')),
  invoice_id integer not null references invoices on delete cascade,
  content_hash blob not null check (length(content_hash) = 32),
  -- The token that an approval spends.
  token_hash blob not null check (length(token_hash) = 32),
  -- Number, customer and total as asked: what a list shows of it later.
  summary text not null check (json_valid(summary)),
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'withdrawn')),
  created_at integer not null,
  expires_at integer not null,
  decided_at integer,
  note text,
  check ((status = 'pending') = (decided_at is null))
) strict;
create index approvals_waiting on approvals (book_id, expires_at) where status = 'pending';
create index approvals_by_book on approvals (book_id, id);
create index approvals_by_token on approvals (token_hash);
create index approvals_by_invoice on approvals (invoice_id);
create trigger approvals_frozen before update of book_id, public_id, key_id, channel, action, invoice_id, content_hash, created_at
  on approvals begin select raise(abort, 'frozen: approvals'); end;
create trigger approvals_decided before update on approvals when old.status <> 'pending'
  begin select raise(abort, 'frozen: approvals'); end;
`
