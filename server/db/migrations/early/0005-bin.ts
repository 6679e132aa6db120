/** What was deleted and can be had back for a while, and void received invoices that can be entered again. */

/**
 * A void received invoice stays frozen but for two changes: its contact may go or be merged, as before, and it may be
 * entered again as it stands, which changes what says that it is void and nothing else.
 */
export const bin = `
create table bin (
  id integer primary key,
  book_id integer not null references books,
  -- Of what was deleted, as everybody knows it.
  public_id text not null,
  -- Its rows, what they pointed at and what pointed at them: {roots, sides}.
  content text not null check (json_valid(content)),
  -- What tells that it is back: {action, target, event}.
  told text not null check (json_valid(told)),
  deleted_at integer not null
) strict;
create unique index bin_by_public_id on bin (book_id, public_id);
create index bin_by_age on bin (deleted_at);

drop trigger received_void_frozen;
create trigger received_void_frozen before update on received_invoices
  when old.state = 'void' and new.contact_id is old.contact_id
    and not (new.state = 'entered' and new.voided_at is null and new.version > old.version
      and new.kind = old.kind and new.supplier_name = old.supplier_name and new.supplier_nif is old.supplier_nif
      and new.supplier_number is old.supplier_number and new.issue_date = old.issue_date
      and new.reception_date = old.reception_date and new.operation_date is old.operation_date
      and new.deduction_date is old.deduction_date and new.base_cents = old.base_cents and new.tax_cents = old.tax_cents
      and new.surcharge_cents = old.surcharge_cents and new.deductible_cents = old.deductible_cents
      and new.self_assessed_cents = old.self_assessed_cents and new.total_cents = old.total_cents
      and new.withholding_cents = old.withholding_cents and new.payable_cents = old.payable_cents
      and new.paid_cents = 0 and new.concept = old.concept and new.currency = old.currency
      and new.cash_accounting = old.cash_accounting and new.files = old.files)
  begin select raise(abort, 'frozen: received_invoices'); end;
`
