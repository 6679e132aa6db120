/** Fixed assets: the register, what was depreciated, and the percentages of deduction of each year. */

export const assets = `
create table assets (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  description text not null,
  -- Code of the investment goods book: 11 tips … 49 other livestock.
  kind text not null check (kind in ('11', '12', '21', '22', '23', '24', '25', '26', '27', '28', '29', '31', '32', '33',
    '39', '41', '42', '43', '44', '49')),
  -- Number plate or cadastral number.
  identifier text,
  account text not null,
  accumulated_account text not null,
  expense_account text not null,
  acquired_on text not null,
  in_use_on text not null,
  base_cents integer not null check (base_cents >= 0),
  vat_bp integer check (vat_bp between 0 and 10000),
  vat_cents integer not null check (vat_cents >= 0),
  vat_deducted_cents integer not null check (vat_deducted_cents between 0 and vat_cents),
  -- Value at the end of its life, or of the land: not depreciated.
  residual_cents integer not null check (residual_cents >= 0),
  method text not null check (method in ('percent', 'years', 'free', 'none')),
  rate_bp integer check (rate_bp between 1 and 10000),
  years integer check (years between 1 and 100),
  -- Row of a table of coefficients.
  table_row text,
  pace text not null default 'normal' check (pace in ('normal', 'used', 'accelerated')),
  -- Depreciated before these books, until the day; the day before the first use if nothing was.
  prior_cents integer not null default 0 check (prior_cents >= 0),
  prior_until text not null,
  prior_year_cents integer not null default 0 check (prior_year_cents between 0 and prior_cents),
  -- The terms count from the day after, on top of the amount.
  counted_until text not null,
  counted_cents integer not null check (counted_cents >= 0),
  -- Null: those of the received invoice, or unknown.
  supplier_name text,
  supplier_nif text,
  supplier_id_type text check (supplier_id_type in ('02', '03', '04', '05', '06', '07')),
  supplier_country text,
  invoice_number text,
  invoice_date text,
  received_id integer references received_invoices,
  received_position integer check (received_position >= 0),
  notes text,
  -- First day that does not count any more.
  out_on text,
  out_cause text check (out_cause in ('sale', 'destroyed', 'scrapped', 'lost', 'stolen', 'other')),
  sale_cents integer check (sale_cents >= 0),
  sale_vat text check (sale_vat in ('taxed', 'exempt', 'deductible')),
  sale_vat_cents integer check (sale_vat_cents >= 0),
  sale_invoice_id integer references invoices,
  sale_account text,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  check ((method = 'percent') = (rate_bp is not null)),
  check ((method = 'years') = (years is not null)),
  check ((received_id is null) = (received_position is null)),
  check ((out_on is null) = (out_cause is null)),
  check (coalesce(out_cause, '') = 'sale' or (sale_cents is null and sale_invoice_id is null)),
  check ((sale_cents is null) = (sale_vat is null)),
  check ((sale_cents is null) = (sale_vat_cents is null)),
  check ((sale_cents is null) = (sale_account is null))
) strict;
create index assets_of_book on assets (book_id, in_use_on, id);
create unique index assets_of_line on assets (received_id, received_position) where received_id is not null;
create index assets_by_sale on assets (sale_invoice_id) where sale_invoice_id is not null;

-- What is booked of the depreciation of an asset, days of one year each; the entry has this row as its source.
create table asset_depreciations (
  id integer primary key,
  asset_id integer not null references assets,
  from_day text not null,
  to_day text not null check (to_day >= from_day),
  cents integer not null check (cents > 0),
  -- 1: booked with the disposal, and undone with it.
  of_disposal integer not null default 0 check (of_disposal in (0, 1)),
  booked_at integer not null,
  booked_by text not null
) strict;
create unique index asset_depreciations_of_asset on asset_depreciations (asset_id, from_day);

-- Final percentage of deduction (prorrata definitiva) of a year, as a person stated it.
create table vat_proratas (
  book_id integer not null references books,
  year integer not null check (year between 1986 and 2999),
  rate_bp integer not null check (rate_bp between 0 and 10000),
  stated_at integer not null,
  stated_by text not null,
  primary key (book_id, year)
) strict, without rowid;

-- Whether a line may be a fixed asset, so that the goods bought are found without a look at every line.
alter table received_invoices add column has_goods integer not null default 0 check (has_goods in (0, 1));
update received_invoices set has_goods = 1 where state <> 'void' and id in (select received_id from received_lines
  where base_cents > 0 and (investment_good = 1 or (account >= '20' and account < '23')));
create index received_with_goods on received_invoices (book_id, issue_date, id) where has_goods = 1;
`
