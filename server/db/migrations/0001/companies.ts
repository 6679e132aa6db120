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
  default_language text not null default 'es' check (default_language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  version integer not null default 1,
  created_at integer not null
) strict;

-- How a company's papers look; without a row, as the house's.
create table company_designs (
  company_id integer primary key references companies,
  accent text check (accent glob '#[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]'),
  footer text,
  simplified_format text not null default 'a4' check (simplified_format in ('a4', 'ticket')),
  payment_qr integer not null default 1 check (payment_qr in (0, 1)),
  logo blob,
  logo_media_type text check (logo_media_type in ('image/png', 'image/jpeg')),
  logo_width integer,
  logo_height integer,
  logo_sha256 blob check (length(logo_sha256) = 32),
  check ((logo is null) = (logo_media_type is null) and (logo is null) = (logo_width is null)
    and (logo is null) = (logo_height is null) and (logo is null) = (logo_sha256 is null))
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
