/** First schema: money in and out, what it settles, reminders, and direct debits and transfers by file. */

export const paymentsTables = `
-- Who collects by direct debit: the creditor identifier belongs to the company and serves both its books.
create table debit_creditors (
  company_id integer primary key references companies,
  creditor_id text not null,
  name text not null,
  iban text not null,
  bic text,
  updated_at integer not null
) strict;

create table mandates (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  contact_id integer not null references contacts on delete restrict,
  reference text not null check (length(reference) between 1 and 35),
  scheme text not null check (scheme in ('CORE', 'B2B')),
  type text not null check (type in ('recurrent', 'one_off')),
  signed_on text not null,
  holder text not null,
  iban text not null,
  bic text,
  state text not null check (state in ('active', 'cancelled')),
  -- Debits presented under it: the first is told apart from those that follow.
  uses integer not null default 0 check (uses >= 0),
  last_used_on text,
  created_at integer not null,
  unique (book_id, reference)
) strict;
create index mandates_by_contact on mandates (contact_id);

-- A file for the bank: debits of customers, or transfers to suppliers.
create table remittances (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('debit', 'transfer')),
  state text not null check (state in ('prepared', 'settled', 'discarded')),
  scheme text check (scheme in ('CORE', 'B2B')),
  message_id text not null,
  execution_date text not null,
  name text not null,
  creditor_id text,
  iban text not null,
  bic text,
  account text not null,
  total_cents integer not null check (total_cents > 0),
  settled_on text,
  created_at integer not null,
  check ((kind = 'debit') = (scheme is not null and creditor_id is not null)),
  check ((state = 'settled') = (settled_on is not null)),
  unique (book_id, message_id)
) strict;
create index remittances_by_date on remittances (book_id, execution_date, id);

-- Money in or out, the set-off of one thing against another (amount 0), or what is given up as uncollectible (amount 0).
create table payments (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  kind text not null check (kind in ('payment', 'compensation', 'write_off')),
  direction text not null check (direction in ('in', 'out')),
  date text not null,
  amount_cents integer not null check (amount_cents >= 0),
  -- What stays on account of the contact.
  advance_cents integer not null default 0 check (advance_cents >= 0 and advance_cents <= amount_cents),
  -- Gain (or loss, negative) against the rate of the invoice.
  exchange_cents integer not null default 0,
  written_off_cents integer not null default 0,
  -- What the bank kept of it, or asked for giving a debit back.
  fee_cents integer not null default 0 check (fee_cents >= 0),
  method text check (method in ('transfer', 'direct_debit', 'card', 'cash', 'bizum', 'cheque', 'other')),
  account text,
  reference text,
  contact_id integer references contacts on delete set null,
  bank_transaction_id integer,
  remittance_id integer references remittances,
  created_at integer not null,
  check ((kind = 'payment') = (amount_cents > 0)),
  check ((kind = 'payment') = (method is not null and account is not null)),
  check (kind = 'write_off' or written_off_cents = 0),
  check (advance_cents = 0 or kind = 'payment')
) strict;
create index payments_by_date on payments (book_id, date, id);
create index payments_by_contact on payments (contact_id, date, id) where contact_id is not null;
create index payments_on_account on payments (contact_id) where advance_cents > 0;
create index payments_by_transaction on payments (bank_transaction_id) where bank_transaction_id is not null;
create trigger payments_frozen before update of book_id, public_id, kind, direction, date, amount_cents, advance_cents,
  exchange_cents, written_off_cents, fee_cents, method, account, reference, remittance_id, created_at on payments
  begin select raise(abort, 'frozen: payments'); end;

-- What a payment settles: signed like what is due of the thing, so negative for a credit; in euros at the thing's own rate.
create table payment_allocations (
  payment_id integer not null references payments on delete cascade,
  position integer not null check (position >= 0),
  invoice_id integer references invoices,
  received_id integer references received_invoices,
  advance_id integer references payments,
  cents integer not null check (cents <> 0),
  primary key (payment_id, position),
  check ((invoice_id is not null) + (received_id is not null) + (advance_id is not null) = 1),
  check (advance_id is null or (cents > 0 and advance_id <> payment_id))
) strict, without rowid;
create index payment_allocations_by_invoice on payment_allocations (invoice_id) where invoice_id is not null;
create index payment_allocations_by_received on payment_allocations (received_id) where received_id is not null;
create index payment_allocations_by_advance on payment_allocations (advance_id) where advance_id is not null;
create trigger payment_allocations_frozen before update on payment_allocations
  begin select raise(abort, 'frozen: payment_allocations'); end;

create table remittance_items (
  remittance_id integer not null references remittances,
  position integer not null check (position >= 0),
  invoice_id integer references invoices,
  received_id integer references received_invoices,
  mandate_id integer references mandates,
  -- Which debit of its mandate it is.
  sequence text check (sequence in ('FRST', 'RCUR', 'OOFF', 'FNAL')),
  cents integer not null check (cents > 0),
  end_to_end_id text not null,
  name text not null,
  iban text not null,
  bic text,
  payment_id integer references payments on delete set null,
  returned_on text,
  return_reason text,
  return_fee_cents integer check (return_fee_cents >= 0),
  -- While it waits for its money, it can stand in no other file.
  is_open integer not null default 1 check (is_open in (0, 1)),
  primary key (remittance_id, position),
  check ((invoice_id is not null) + (received_id is not null) = 1)
) strict, without rowid;
create unique index remittance_items_open_invoice on remittance_items (invoice_id)
  where is_open = 1 and invoice_id is not null;
create unique index remittance_items_open_received on remittance_items (received_id)
  where is_open = 1 and received_id is not null;
create index remittance_items_by_mandate on remittance_items (mandate_id) where mandate_id is not null;
create index remittance_items_by_payment on remittance_items (payment_id) where payment_id is not null;

create table reminders (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  contact_id integer references contacts on delete set null,
  level integer not null check (level between 1 and 3),
  date text not null,
  language text not null check (language in ('es', 'en')),
  channel text not null check (channel in ('letter', 'email', 'phone', 'other')),
  due_cents integer not null check (due_cents > 0),
  interest_cents integer not null check (interest_cents >= 0),
  recovery_cents integer not null check (recovery_cents >= 0),
  created_at integer not null
) strict;
create index reminders_by_book on reminders (book_id, date, id);
create trigger reminders_frozen before update of book_id, public_id, level, date, language, channel, due_cents,
  interest_cents, recovery_cents, created_at on reminders
  begin select raise(abort, 'frozen: reminders'); end;

create table reminder_invoices (
  reminder_id integer not null references reminders on delete cascade,
  invoice_id integer not null references invoices,
  due_cents integer not null,
  interest_cents integer not null,
  recovery_cents integer not null,
  primary key (reminder_id, invoice_id)
) strict, without rowid;
create index reminder_invoices_by_invoice on reminder_invoices (invoice_id);
`
