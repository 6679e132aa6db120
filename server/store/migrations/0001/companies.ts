/** First schema: companies, their books, and what the store says of itself. */

export const companiesTables = `
create table settings (
  name text primary key not null,
  value text not null check (json_valid(value))
) strict, without rowid;

create table companies (
  id integer primary key,
  public_id text not null unique,
  legal_name text not null check (length(legal_name) between 1 and 120),
  trade_name text,
  nif text not null unique check (length(nif) = 9),
  kind text not null check (kind in ('natural', 'legal')),
  street text, postal_code text, city text, province text,
  country text not null default 'ES' check (length(country) = 2),
  territory text not null check (territory in ('mainland', 'canary', 'ceuta_melilla')),
  vat_regime text not null check (vat_regime in ('general', 'surcharge', 'simplified', 'cash', 'exempt', 'used_goods', 'travel')),
  email text, phone text, iban text, registry_inscription text,
  default_withholding_bp integer check (default_withholding_bp between 0 and 5000),
  default_payment_days integer not null default 30 check (default_payment_days between 0 and 365),
  default_language text not null default 'es' check (default_language in ('es', 'en')),
  version integer not null default 1,
  created_at integer not null
) strict;

create table books (
  id integer primary key,
  public_id text not null unique,
  company_id integer not null references companies,
  mode text not null check (mode in ('live', 'test')),
  -- Which of the authority's services a live book talks to; fixed by its first record. Test books talk to none.
  environment text not null default 'production' check (environment in ('production', 'preproduction')),
  created_at integer not null,
  unique (company_id, mode)
) strict;
`
