/** First schema: drafts and issued invoices with their lines, taxes, documents and confirmations. */

export const invoicesTables = `
create table invoices (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  state text not null check (state in ('draft', 'issued')),
  kind text not null check (kind in ('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5')),
  -- The registry's list: 01 IVA, 02 IPSI, 03 IGIC.
  tax text not null default '01' check (tax in ('01', '02', '03')),
  series_id integer references series,
  sequence integer check (sequence >= 1),
  number text,
  issue_date text,
  list_date text not null,
  operation_date text,
  due_date text,
  party_id integer not null references parties,
  contact_id integer references contacts on delete set null,
  issuer_id integer references parties,
  price_mode text not null check (price_mode in ('net', 'gross')),
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_cents integer not null,
  outside_cents integer not null default 0,
  disbursements_cents integer not null,
  total_cents integer not null,
  withholding_bp integer check (withholding_bp between 0 and 5000),
  withholding_base_cents integer not null,
  withholding_cents integer not null,
  -- What the invoices in whose place it stands (rectified by substitution, or simplified ones) asked to be paid already.
  replaced_cents integer not null default 0,
  paid_cents integer not null default 0,
  due_cents integer not null generated always as (total_cents - withholding_cents - replaced_cents - paid_cents) virtual,
  is_owed integer not null default 0 check (is_owed in (0, 1)),
  registry_status text not null check (registry_status in
    ('not_issued', 'pending', 'sending', 'accepted', 'accepted_with_errors', 'rejected', 'unknown', 'cancelled')),
  -- A person gave the rest up as uncollectible.
  uncollectible_at integer,
  discount_bp integer not null default 0 check (discount_bp between 0 and 10000),
  discount_cents integer not null default 0,
  -- Amounts of this row are euros; prices of the lines are in this currency, so many millionths of it for a euro.
  currency text not null default 'EUR' check (length(currency) = 3),
  fx_micro integer check (fx_micro > 0),
  fx_date text,
  fx_source text,
  rectification_method text check (rectification_method in ('S', 'I')),
  rectification_cause text,
  rectification_reason text,
  -- With method S: what the rectified invoices said.
  rectified_base_cents integer,
  rectified_tax_cents integer,
  rectified_surcharge_cents integer,
  property_situation text check (property_situation in ('1', '2', '3', '4')),
  cadastral_ref text,
  simplified_art7273 integer not null default 0 check (simplified_art7273 in (0, 1)),
  notes text,
  language text not null check (language in ('es', 'ca', 'eu', 'gl', 'en', 'fr', 'de', 'pt')),
  payment_method text,
  external_ref text,
  -- What the customer calls it by.
  customer_order text, customer_contract text, customer_file text,
  content_hash blob check (content_hash is null or length(content_hash) = 32),
  version integer not null default 1,
  created_at integer not null,
  issued_at integer,
  cancelled_at integer,
  check (total_cents = base_cents + tax_cents + outside_cents + disbursements_cents),
  check ((kind in ('R1', 'R2', 'R3', 'R4', 'R5')) = (rectification_method is not null)),
  check ((rectification_method is 'S') = (rectified_base_cents is not null and rectified_tax_cents is not null)),
  check ((currency = 'EUR') = (fx_micro is null)),
  check (state = 'draft' or (series_id is not null and sequence is not null and number is not null and issue_date is not null
    and issuer_id is not null and content_hash is not null and issued_at is not null and list_date = issue_date
    and registry_status <> 'not_issued')),
  check (state = 'issued' or (sequence is null and number is null and registry_status = 'not_issued'))
) strict;
create unique index invoices_by_number on invoices (series_id, sequence) where sequence is not null;
create index invoices_by_date on invoices (book_id, list_date, id);
create index invoices_by_total on invoices (book_id, total_cents, id);
create index invoices_by_party on invoices (party_id, list_date, id);
create index invoices_by_contact on invoices (contact_id, list_date, id) where contact_id is not null;
create index invoices_not_accepted on invoices (book_id, registry_status, list_date, id) where registry_status <> 'accepted';
-- Dropping a draft's party asks whether any invoice still shows it, as customer or as issuer.
create index invoices_by_issuer on invoices (issuer_id) where issuer_id is not null;
create index invoices_owed on invoices (book_id, due_date, id) where is_owed = 1;
create index invoices_credits on invoices (book_id, id) where due_cents < 0;

create trigger parties_kept before delete on parties
  when exists (select 1 from invoices where state = 'issued' and (party_id = old.id or issuer_id = old.id))
  begin select raise(abort, 'frozen: parties'); end;
create trigger invoices_frozen before update of book_id, public_id, state, kind, tax, series_id, sequence, number, issue_date,
  list_date, operation_date, due_date, party_id, issuer_id, price_mode, base_cents, tax_cents, surcharge_cents,
  outside_cents, disbursements_cents, discount_bp, discount_cents, currency, fx_micro, fx_date, fx_source,
  rectification_method, rectification_cause, rectification_reason, rectified_base_cents, rectified_tax_cents,
  rectified_surcharge_cents, property_situation, cadastral_ref, total_cents, withholding_bp, withholding_base_cents, withholding_cents, replaced_cents, simplified_art7273, notes,
  language, payment_method, external_ref, customer_order, customer_contract, customer_file, content_hash, version, created_at, issued_at
  on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;
create trigger invoices_kept before delete on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;

create table invoice_lines (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position >= 0),
  description text not null,
  quantity_micro integer not null,
  unit text,
  unit_price_micro integer not null,
  discount_bp integer not null check (discount_bp between 0 and 10000),
  discount_cents integer not null default 0,
  tax_treatment text not null,
  regime_key text not null,
  vat_rate_bp integer check (vat_rate_bp between 0 and 10000),
  surcharge_bp integer check (surcharge_bp between 0 and 10000),
  withholdable integer not null check (withholdable in (0, 1)),
  is_disbursement integer not null check (is_disbursement in (0, 1)),
  -- Margin schemes: what it cost. Cause: why it is exempt or not subject, when the treatment alone does not say.
  cost_cents integer,
  cause text,
  -- Where it comes from and where it is booked; not part of what the customer sees.
  item_id integer references items on delete set null,
  account text,
  net_cents integer not null,
  primary key (invoice_id, position)
) strict, without rowid;
create index invoice_lines_by_item on invoice_lines (item_id) where item_id is not null;
create trigger invoice_lines_no_insert before insert on invoice_lines
  when (select state from invoices where id = new.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_lines'); end;
create trigger invoice_lines_no_update before update on invoice_lines
  when exists (select 1 from invoices where id in (old.invoice_id, new.invoice_id) and state = 'issued')
  begin select raise(abort, 'frozen: invoice_lines'); end;
create trigger invoice_lines_no_delete before delete on invoice_lines
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_lines'); end;

create table invoice_taxes (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position >= 0),
  tax_treatment text not null,
  regime_key text not null,
  vat_rate_bp integer,
  base_cents integer not null,
  tax_cents integer not null,
  surcharge_bp integer,
  surcharge_cents integer not null,
  outside_cents integer not null default 0,
  primary key (invoice_id, position)
) strict, without rowid;
create trigger invoice_taxes_no_insert before insert on invoice_taxes
  when (select state from invoices where id = new.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_taxes'); end;
create trigger invoice_taxes_no_update before update on invoice_taxes
  when exists (select 1 from invoices where id in (old.invoice_id, new.invoice_id) and state = 'issued')
  begin select raise(abort, 'frozen: invoice_taxes'); end;
create trigger invoice_taxes_no_delete before delete on invoice_taxes
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_taxes'); end;

-- Invoices that an invoice rectifies, or simplified ones that it substitutes. One made with another program has no row of ours.
create table invoice_references (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position >= 0),
  role text not null check (role in ('rectifies', 'substitutes')),
  target_id integer references invoices,
  number text not null,
  issue_date text not null,
  primary key (invoice_id, position)
) strict, without rowid;
create index invoice_references_by_target on invoice_references (target_id) where target_id is not null;
create trigger invoice_references_no_insert before insert on invoice_references
  when (select state from invoices where id = new.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_references'); end;
create trigger invoice_references_no_update before update on invoice_references
  when exists (select 1 from invoices where id in (old.invoice_id, new.invoice_id) and state = 'issued')
  begin select raise(abort, 'frozen: invoice_references'); end;
create trigger invoice_references_no_delete before delete on invoice_references
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_references'); end;

-- What an issued invoice took the place of: an F3 of tickets, a rectification by substitution of an invoice and of what
-- rectified it before. What they asked to be paid stands in replaced_cents of the invoice.
create table invoice_replacements (
  invoice_id integer not null references invoices,
  replaced_id integer not null references invoices,
  primary key (invoice_id, replaced_id)
) strict, without rowid;
create index invoice_replacements_by_replaced on invoice_replacements (replaced_id);
create trigger invoice_replacements_frozen before update on invoice_replacements
  begin select raise(abort, 'frozen: invoice_replacements'); end;
create trigger invoice_replacements_kept before delete on invoice_replacements
  begin select raise(abort, 'frozen: invoice_replacements'); end;

-- Documents of issued invoices, kept for ever. PDFs stand without their signature, which is appended to them; Facturae is
-- kept only signed, because its signature stands inside.
create table documents (
  id integer primary key,
  invoice_id integer not null references invoices,
  format text not null check (format in ('a4', 'ticket', 'facturae')),
  language text not null,
  sha256 blob not null check (length(sha256) = 32),
  bytes blob not null,
  renderer text not null,
  rendered_at integer not null,
  unique (invoice_id, format, language)
) strict;
create trigger documents_frozen before update on documents begin select raise(abort, 'frozen: documents'); end;
create trigger documents_kept before delete on documents begin select raise(abort, 'frozen: documents'); end;

create table document_signatures (
  document_id integer primary key references documents,
  level text not null check (level in ('PAdES-B-B', 'XAdES-EPES')),
  certificate_id integer not null references certificates,
  -- What follows the document's own bytes in the signed file.
  appended blob not null,
  -- Of the whole signed file.
  sha256 blob not null check (length(sha256) = 32),
  signed_at integer not null
) strict;
create trigger document_signatures_frozen before update on document_signatures
  begin select raise(abort, 'frozen: document_signatures'); end;
create trigger document_signatures_kept before delete on document_signatures
  begin select raise(abort, 'frozen: document_signatures'); end;

-- Invoices whose document is still to be drawn.
create table document_queue (
  invoice_id integer primary key references invoices,
  attempts integer not null default 0,
  next_attempt_at integer not null default 0
) strict;

create table confirmations (
  token_hash blob primary key not null check (length(token_hash) = 32),
  book_id integer not null references books,
  actor text not null,
  action text not null check (action in ('issue', 'cancel', 'amend')),
  invoice_id integer not null references invoices on delete cascade,
  draft_version integer not null,
  content_hash blob not null check (length(content_hash) = 32),
  -- What an amendment changes, or the reason of a cancellation.
  details text check (details is null or json_valid(details)),
  created_at integer not null,
  expires_at integer not null,
  superseded integer not null default 0 check (superseded in (0, 1)),
  used_at integer
) strict, without rowid;
create index confirmations_by_invoice on confirmations (invoice_id);
create index confirmations_by_age on confirmations (created_at);

-- What an amendment changed of what the registry is told. The invoice itself stays as it was issued.
create table invoice_amendments (
  record_id integer primary key references registry_records,
  invoice_id integer not null references invoices,
  changes text not null check (json_valid(changes))
) strict;
create index invoice_amendments_by_invoice on invoice_amendments (invoice_id);
create trigger invoice_amendments_frozen before update on invoice_amendments
  begin select raise(abort, 'frozen: invoice_amendments'); end;
create trigger invoice_amendments_kept before delete on invoice_amendments
  begin select raise(abort, 'frozen: invoice_amendments'); end;
`
