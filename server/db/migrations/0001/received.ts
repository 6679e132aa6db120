/** First schema: received invoices and expenses with their tax lines. */

export const receivedTables = `
create table received_invoices (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  -- Own correlative by the year of reception (RIVA art. 64.1): never reused, never skipped.
  year integer not null check (year between 2000 and 2999),
  sequence integer not null check (sequence >= 1),
  state text not null check (state in ('entered', 'void')),
  kind text not null check (kind in ('invoice', 'simplified', 'rectifying', 'receipt', 'customs', 'reagyp', 'self_billed')),
  contact_id integer references contacts on delete set null,
  supplier_name text not null,
  supplier_nif text,
  supplier_id_type text check (supplier_id_type in ('02', '03', '04', '05', '06', '07')),
  supplier_country text not null check (length(supplier_country) = 2),
  supplier_street text, supplier_postal_code text, supplier_city text, supplier_province text,
  supplier_number text check (supplier_number is not null or kind = 'receipt'),
  -- The number as duplicates are looked for: letters and digits alone.
  number_key text not null,
  issue_date text not null,
  reception_date text not null,
  operation_date text,
  due_date text,
  -- First day of the quarter in which the VAT is deducted, when that is later than its reception.
  deduction_date text,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  self_assessed_cents integer not null,
  deductible_cents integer not null,
  total_cents integer not null,
  withholding_bp integer check (withholding_bp between 0 and 5000),
  withholding_base_cents integer not null,
  withholding_cents integer not null,
  withholding_reason text check (withholding_reason in ('professional', 'rent', 'other')),
  payable_cents integer not null,
  paid_cents integer not null default 0,
  is_owed integer not null check (is_owed in (0, 1)),
  concept text not null,
  currency text not null check (length(currency) = 3),
  fx_rate_micro integer check (fx_rate_micro > 0),
  currency_total_cents integer not null,
  payment_method text,
  cash_accounting integer not null check (cash_accounting in (0, 1)),
  property_situation integer check (property_situation between 1 and 5),
  cadastral_reference text,
  rectifies text,
  notes text,
  external_ref text,
  files integer not null default 0 check (files >= 0),
  search text not null,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  voided_at integer,
  check (total_cents = base_cents + tax_cents),
  check ((currency = 'EUR') = (fx_rate_micro is null)),
  check ((withholding_bp is null) = (withholding_reason is null)),
  check ((state = 'void') = (voided_at is not null)),
  check (state = 'entered' or (is_owed = 0 and paid_cents = 0)),
  check (cast(substr(reception_date, 1, 4) as integer) = year)
) strict;
create unique index received_by_number on received_invoices (book_id, year, sequence);
create index received_by_date on received_invoices (book_id, reception_date, id);
create index received_by_total on received_invoices (book_id, total_cents, id);
create index received_by_due on received_invoices (book_id, due_date, id);
create index received_by_issue on received_invoices (book_id, issue_date, id);
create index received_by_number_key on received_invoices (book_id, number_key, issue_date) where number_key <> '';
create index received_by_nif on received_invoices (book_id, supplier_nif, reception_date, id) where supplier_nif is not null;
create index received_by_contact on received_invoices (contact_id, reception_date, id) where contact_id is not null;
create index received_owed on received_invoices (book_id, due_date, id) where is_owed = 1;
create index received_without_file on received_invoices (book_id, reception_date, id) where files = 0 and state = 'entered';

create trigger received_number_frozen before update of book_id, public_id, year, sequence, created_at on received_invoices
  begin select raise(abort, 'frozen: received_invoices'); end;
-- A contact may still go, or be merged into another.
create trigger received_void_frozen before update on received_invoices
  when old.state = 'void' and new.contact_id is old.contact_id
  begin select raise(abort, 'frozen: received_invoices'); end;
create trigger received_kept before delete on received_invoices
  begin select raise(abort, 'frozen: received_invoices'); end;

create table received_lines (
  received_id integer not null references received_invoices,
  position integer not null check (position >= 0),
  description text,
  tax_treatment text not null,
  nature text not null check (nature in
    ('domestic', 'reverse_charge', 'eu_goods', 'eu_services', 'foreign_services', 'import', 'reagyp')),
  regime_key text not null,
  vat_rate_bp integer check (vat_rate_bp between 0 and 10000),
  base_cents integer not null,
  -- Charged by the supplier, or declared by the company where self_assessed.
  tax_cents integer not null,
  self_assessed integer not null check (self_assessed in (0, 1)),
  surcharge_bp integer check (surcharge_bp between 0 and 10000),
  surcharge_cents integer not null,
  deductible_bp integer not null check (deductible_bp between 0 and 10000),
  deductible_cents integer not null,
  concept text not null,
  account text not null,
  investment_good integer not null check (investment_good in (0, 1)),
  -- As the document says it, in its own currency.
  document_base_cents integer not null,
  document_tax_cents integer not null,
  document_surcharge_cents integer not null,
  primary key (received_id, position)
) strict, without rowid;
`
