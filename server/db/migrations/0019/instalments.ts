/** Invoices with several due dates: what is agreed, what is open of each instalment, and what settles it. */
import type { WidenedCondition } from '../list.ts'

/**
 * Each step of a plan stands once for an invoice (a unique constraint, which cannot change without copying the table): the
 * step of instalment n is stored with 200·n added.
 */
export const instalmentConditions: readonly WidenedCondition[] = [
  {
    table: 'planned_reminders',
    from: 'step integer not null check (step between -60 and 90)',
    to: 'step integer not null check (step between -60 and 2490)',
  },
]

export const instalments = `
-- Agreed days with a percentage or an amount each; frozen with the invoice.
alter table invoices add column instalments text check (instalments is null or json_valid(instalments));

-- What each instalment of an issued invoice comes to, and what of it is paid.
create table invoice_instalments (
  invoice_id integer not null references invoices on delete cascade,
  position integer not null check (position between 1 and 12),
  book_id integer not null references books,
  due_date text not null,
  cents integer not null check (cents > 0),
  paid_cents integer not null default 0,
  open_cents integer not null generated always as (cents - paid_cents) virtual,
  primary key (invoice_id, position),
  check (paid_cents between 0 and cents)
) strict, without rowid;
create index invoice_instalments_open on invoice_instalments (book_id, due_date, invoice_id) where open_cents > 0;
create trigger invoice_instalments_frozen before update of invoice_id, position, book_id, due_date, cents on invoice_instalments
  begin select raise(abort, 'frozen: invoice_instalments'); end;
create trigger invoice_instalments_kept before delete on invoice_instalments
  when (select state from invoices where id = old.invoice_id) = 'issued'
  begin select raise(abort, 'frozen: invoice_instalments'); end;

-- Of an invoice in instalments the due date is that of the next open one.
drop trigger invoices_frozen;
create trigger invoices_frozen before update of book_id, public_id, state, kind, tax, series_id, sequence, number, issue_date,
  list_date, operation_date, instalments, party_id, issuer_id, price_mode, base_cents, tax_cents, surcharge_cents,
  outside_cents, disbursements_cents, discount_bp, discount_cents, currency, fx_micro, fx_date, fx_source,
  rectification_method, rectification_cause, rectification_reason, rectified_base_cents, rectified_tax_cents,
  rectified_surcharge_cents, property_situation, cadastral_ref, total_cents, withholding_bp, withholding_base_cents, withholding_cents, replaced_cents, simplified_art7273, notes,
  language, payment_method, external_ref, customer_order, customer_contract, customer_file, content_hash, version, created_at, issued_at
  on invoices when old.state = 'issued'
  begin select raise(abort, 'frozen: invoices'); end;
create trigger invoices_due_frozen before update of due_date on invoices
  when old.state = 'issued' and old.instalments is null
  begin select raise(abort, 'frozen: invoices'); end;

-- 0: an invoice without instalments, or no part of it in particular.
alter table payment_allocations add column instalment integer not null default 0 check (instalment between 0 and 12);
alter table remittance_items add column instalment integer not null default 0 check (instalment between 0 and 12);
drop index remittance_items_open_invoice;
create unique index remittance_items_open_invoice on remittance_items (invoice_id, instalment)
  where is_open = 1 and invoice_id is not null;

-- Of an invoice in instalments, which of them a reminder named.
create table reminder_instalments (
  reminder_id integer not null references reminders on delete cascade,
  invoice_id integer not null references invoices,
  instalment integer not null check (instalment between 1 and 12),
  due_cents integer not null,
  interest_cents integer not null,
  recovery_cents integer not null,
  primary key (reminder_id, invoice_id, instalment)
) strict, without rowid;
create index reminder_instalments_by_invoice on reminder_instalments (invoice_id, instalment);

-- Days after the issue with a percentage each; null: payment_days.
alter table contacts add column payment_terms text check (payment_terms is null or json_valid(payment_terms));
`
