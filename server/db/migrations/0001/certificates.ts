/** First schema: the company's certificate. */

export const certificatesTables = `
-- The company's certificate for the registry and for signing. The private key is sealed, and gone once removed.
create table certificates (
  id integer primary key,
  company_id integer not null references companies,
  public_id text not null unique,
  kind text not null check (kind in ('person', 'representative', 'seal')),
  subject text not null,
  holder_name text not null,
  holder_nif text,
  organization_nif text,
  issuer text not null,
  serial text not null,
  fingerprint blob not null check (length(fingerprint) = 32),
  key_type text not null check (key_type in ('rsa', 'ec')),
  valid_from integer not null,
  valid_to integer not null,
  -- PEM, the holder's certificate first.
  chain text not null,
  sealed_key text,
  imported_at integer not null,
  removed_at integer,
  check ((sealed_key is null) = (removed_at is not null))
) strict;
create unique index certificates_active on certificates (company_id) where removed_at is null;

-- Which warnings of the coming end were given in a book.
create table certificate_warnings (
  certificate_id integer not null references certificates,
  book_id integer not null references books,
  days_left integer not null,
  warned_at integer not null,
  primary key (certificate_id, book_id, days_left)
) strict, without rowid;
`
