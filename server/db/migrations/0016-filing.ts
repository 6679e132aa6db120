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

-- Withholds from dividends or interest, as a person has stated: form 123 is listed.
alter table fiscal_profiles add column files_123 integer not null default 0 check (files_123 in (0, 1));

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
  live_by text,
  -- A person stated that the holder of this certificate may file for the company. Number and name are the certificate's.
  representation text check (representation in ('attorney', 'collaborator', 'legal')),
  representative_nif text,
  representative_name text,
  representative_certificate text,
  representation_since integer,
  representation_by text,
  check ((representation is null) = (representative_nif is null)
    and (representation is null) = (representative_name is null)
    and (representation is null) = (representative_certificate is null)
    and (representation is null) = (representation_since is null)
    and (representation is null) = (representation_by is null))
) strict;

-- The schemes of a year, as a person has stated them; without a row they are not known.
create table filing_schemes (
  book_id integer not null references books,
  year integer not null check (year between 2000 and 2999),
  -- Monthly refunds (REDEME, RIVA art. 30), and turnover of the year before above 6,010,121.04 euros.
  refund_register integer not null check (refund_register in (0, 1)),
  large_company integer not null check (large_company in (0, 1)),
  voluntary_sii integer not null check (voluntary_sii in (0, 1)),
  joint_return integer not null check (joint_return in (0, 1)),
  insolvency integer not null check (insolvency in (0, 1)),
  prorata text not null check (prorata in ('none', 'opts', 'uses', 'revokes')),
  excused_390 integer not null check (excused_390 in (0, 1)),
  monthly_349 integer not null check (monthly_349 in (0, 1)),
  fuel_depositary integer not null check (fuel_depositary in (0, 1)),
  stated_at integer not null,
  stated_by text not null,
  primary key (book_id, year)
) strict, without rowid;

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
  -- Whose return it is, and the holder of the certificate that files it; how the second represents the first, null for itself.
  filer_nif text not null,
  filer_name text not null,
  signer_nif text not null,
  signer_name text not null,
  representation text check (representation in ('attorney', 'collaborator', 'legal')),
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
  -- As the agency's answer names them: who filed, in which capacity, and for whom.
  presenter_nif text,
  presenter_name text,
  presenter_as text,
  declarant_nif text,
  declarant_name text,
  -- The agency's own identifier of the exchange (IDENVIO), for informative returns.
  exchange_id text,
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
  boxes, choices, file, content_hash, confirmation_hash, filer_nif, filer_name, signer_nif,
  signer_name, representation, approved_by, created_at on filing_sendings
  begin select raise(abort, 'frozen: filing_sendings'); end;
create trigger filing_sendings_settled before update of state, sent_at, csv, receipt, presented_at,
  presenter_nif, presenter_name, presenter_as, declarant_nif, declarant_name, exchange_id on filing_sendings
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

-- What model 190 asks of a recipient of wages beside the amounts: the form of one year as data, in cents.
alter table wage_recipients add column facts text check (json_valid(facts));

-- Rented premises as model 180 asks for them, typed by a person. What was filed is in the file of its sending.
create table rented_premises (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  landlord_nif text not null,
  landlord_name text not null,
  -- 1 rent in money, 2 in kind.
  rent_kind integer not null check (rent_kind in (1, 2)),
  -- 1 Spain, 2 Basque Country, 3 Navarre, each with a cadastral number; 4 without one.
  situation integer not null check (situation between 1 and 4),
  cadastral_number text check (length(cadastral_number) = 20),
  street_type text not null,
  street text not null,
  numbering text not null,
  house_number integer check (house_number between 0 and 99999),
  qualifier text,
  block text,
  entrance text,
  staircase text,
  floor text,
  door text,
  complement text,
  town text,
  municipality text not null,
  municipality_code text not null check (length(municipality_code) = 5),
  province text not null check (length(province) = 2),
  postal_code text not null check (length(postal_code) = 5),
  from_year integer not null check (from_year between 2000 and 2999),
  to_year integer check (to_year between 2000 and 2999),
  typed_at integer not null,
  typed_by text not null
) strict;
create index rented_premises_of_landlord on rented_premises (book_id, landlord_nif);
-- Rent of a year for premises whose landlord has several: a person divides the sum of the books.
create table rent_bases (
  premises_id integer not null references rented_premises on delete cascade,
  year integer not null check (year between 2000 and 2999),
  base_cents integer not null,
  typed_at integer not null,
  typed_by text not null,
  primary key (premises_id, year)
) strict, without rowid;
`
