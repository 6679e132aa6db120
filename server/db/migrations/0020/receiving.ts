/** Invoices that arrive by several channels: which documents belong to which purchase. */
export const receiving = `
-- Each document of a supplier's invoice that arrived: by which channel, in which form, and what it says.
create table purchase_arrivals (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  channel text not null check (channel in ('platform', 'mail', 'folder', 'drop', 'program')),
  form text not null check (form in ('facturae', 'ubl', 'cii', 'facturx', 'document')),
  name text not null,
  sha256 blob not null check (length(sha256) = 32),
  -- The document to which it belongs, which names its purchase once it is entered.
  incoming_id integer not null references incoming_documents on delete cascade,
  -- What it says of the invoice, as JSON: compared when another document of the same invoice arrives. Null until it is read.
  facts text check (facts is null or json_valid(facts)),
  -- What it says otherwise than the documents before it, as a JSON list.
  differences text not null default '[]' check (json_valid(differences)),
  -- 1: same code, other content. Nothing of the earlier document was changed by it.
  is_conflict integer not null default 0 check (is_conflict in (0, 1)),
  arrived_at integer not null,
  unique (book_id, channel, sha256)
) strict;
create index purchase_arrivals_by_incoming on purchase_arrivals (incoming_id, id);
create index purchase_arrivals_by_digest on purchase_arrivals (book_id, sha256);
`
