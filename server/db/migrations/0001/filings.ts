/** First schema: returns marked as filed, with the figures they were filed with. */

export const filingsTables = `
-- Periods: 1T to 4T, 01 to 12, 0A the year.
create table filings (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  model text not null,
  year integer not null check (year between 2000 and 2999),
  period text not null,
  filed_on text not null,
  outcome text not null check (outcome in ('pay', 'offset', 'refund', 'none')),
  result_cents integer not null,
  reference text,
  -- Every box with the amount it had.
  boxes text not null check (json_valid(boxes)),
  created_at integer not null,
  withdrawn_at integer
) strict;
create unique index filings_in_force on filings (book_id, model, year, period) where withdrawn_at is null;
create trigger filings_frozen before update of book_id, public_id, model, year, period, filed_on, outcome, result_cents,
  reference, boxes, created_at on filings
  begin select raise(abort, 'frozen: filings'); end;
create trigger filings_kept before delete on filings begin select raise(abort, 'frozen: filings'); end;

-- What only a person knows and a box needs: depreciation, regularisations, what was to be offset when Sello began.
create table filing_inputs (
  book_id integer not null references books,
  model text not null,
  year integer not null,
  period text not null,
  box text not null,
  cents integer not null,
  primary key (book_id, model, year, period, box)
) strict, without rowid;

-- What the returns and the books have to know of a business beyond its company data.
create table fiscal_profiles (
  book_id integer primary key references books,
  activity_code text check (activity_code in ('A', 'B', 'C', 'D')),
  activity_type text check (length(activity_type) = 2),
  iae text check (length(iae) between 1 and 4),
  income_method text not null check (income_method in ('direct_simplified', 'direct_normal', 'modules', 'none')),
  annual_vat_exempt integer not null check (annual_vat_exempt in (0, 1))
) strict;
`
