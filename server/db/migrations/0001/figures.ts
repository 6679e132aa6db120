/** First schema: figures kept with each fact, so that a period is read and never scanned. */

export const figuresTables = `
-- Everything by which returns tell operations apart, each combination once. -1 and '' stand for what does not apply, so
-- that they can be part of the key. 'accrued' and 'settled' part what accrues from what is paid or deducted later.
create table figure_groups (
  id integer primary key,
  book_id integer not null references books,
  side text not null check (side in ('issued', 'received')),
  stage text not null check (stage in ('both', 'accrued', 'settled')),
  rectifying integer not null check (rectifying in (0, 1)),
  tax text not null,
  tax_treatment text not null,
  regime_key text not null,
  vat_rate_bp integer not null,
  surcharge_bp integer not null,
  place text not null check (place in ('domestic', 'outside', 'eu', 'non_eu')),
  nature text not null check (nature in ('', 'goods', 'services')),
  deductible integer not null check (deductible in (0, 1)),
  investment integer not null check (investment in (0, 1)),
  eu_key text not null,
  -- Of the customer, where the tax is another country's (one-stop shop).
  country text not null,
  unique (book_id, side, stage, rectifying, tax, tax_treatment, regime_key, vat_rate_bp, surcharge_bp, place, nature,
    deductible, investment, eu_key, country)
) strict;

-- What each document added, for the way back from a figure to its documents. Months are numbers: 202607. Sources: 1 issued
-- invoice, 2 received invoice; the part is a payment's where the tax accrues with payments.
create table figure_entries (
  group_id integer not null references figure_groups,
  month integer not null,
  source integer not null check (source in (1, 2)),
  source_id integer not null,
  part integer not null,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  deductible_cents integer not null,
  -- Income or expense of income tax.
  income_cents integer not null,
  primary key (group_id, month, source, source_id, part)
) strict, without rowid;
create index figure_entries_by_part on figure_entries (source, source_id, part) where part <> 0;

create table month_figures (
  group_id integer not null references figure_groups,
  month integer not null,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  deductible_cents integer not null,
  income_cents integer not null,
  documents integer not null,
  primary key (group_id, month)
) strict, without rowid;

create table period_totals (
  book_id integer not null references books,
  side text not null check (side in ('issued', 'received')),
  month integer not null,
  documents integer not null,
  base_cents integer not null,
  -- Tax and surcharge that stand on the documents; what the buyer assesses is not among it.
  tax_cents integer not null,
  total_cents integer not null,
  -- Income or expense of income tax.
  income_cents integer not null,
  withheld_base_cents integer not null,
  withholding_cents integer not null,
  missing_nif integer not null,
  without_file integer not null,
  primary key (book_id, side, month)
) strict, without rowid;

-- Who figures are told of: one row for each tax number, or each name where there is none, under the latest name.
create table figure_parties (
  id integer primary key,
  book_id integer not null references books,
  party_key text not null,
  name text not null,
  nif text,
  country text not null,
  id_type text,
  unique (book_id, party_key)
) strict;

-- Sides: 0 issued, 1 received. Periods: 202600 the year, 202607 the month, 202623 the third quarter.
create table party_figures (
  party_id integer not null references figure_parties,
  side integer not null check (side in (0, 1)),
  period integer not null,
  book_id integer not null references books,
  base_cents integer not null,
  total_cents integer not null,
  -- What counts for the return of operations with third parties (model 347).
  third_cents integer not null,
  documents integer not null,
  primary key (party_id, side, period)
) strict, without rowid;
create index party_figures_by_base on party_figures (book_id, side, period, base_cents);
create index party_figures_by_third on party_figures (book_id, side, period, third_cents) where period % 100 = 0;

create table eu_figures (
  book_id integer not null references books,
  month integer not null,
  eu_key text not null,
  rectifying integer not null check (rectifying in (0, 1)),
  party_id integer not null references figure_parties,
  base_cents integer not null,
  documents integer not null,
  primary key (book_id, month, eu_key, rectifying, party_id)
) strict, without rowid;

-- Withheld from suppliers and staff.
create table withholding_figures (
  book_id integer not null references books,
  month integer not null,
  reason text not null check (reason in ('professional', 'work', 'rent', 'capital', 'other')),
  party_id integer not null references figure_parties,
  base_cents integer not null,
  amount_cents integer not null,
  documents integer not null,
  primary key (book_id, month, reason, party_id)
) strict, without rowid;

-- Operations whose tax accrues with their payments, until all of it has.
create table cash_operations (
  source integer not null check (source in (1, 2)),
  source_id integer not null,
  part integer not null,
  book_id integer not null references books,
  -- 31 December of the year after the operation: what is unpaid accrues then.
  last_day text not null,
  is_open integer not null check (is_open in (0, 1)),
  operation text not null check (json_valid(operation)),
  primary key (source, source_id, part)
) strict, without rowid;
create index cash_operations_open on cash_operations (book_id, last_day) where is_open = 1;
`
