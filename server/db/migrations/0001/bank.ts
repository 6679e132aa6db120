/** First schema: bank accounts, what the bank says moved on them, what each movement is, and rules for the next ones. */

export const bankTables = `
create table bank_accounts (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  name text not null,
  iban text,
  currency text not null default 'EUR' check (currency = 'EUR'),
  ledger_account text not null,
  opening_cents integer not null default 0,
  opening_date text not null,
  active integer not null default 1 check (active in (0, 1)),
  -- How the columns of this bank's CSV were read the last time.
  csv_mapping text check (csv_mapping is null or json_valid(csv_mapping)),
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict;
create unique index bank_accounts_by_iban on bank_accounts (book_id, iban) where iban is not null;
create unique index bank_accounts_by_ledger_account on bank_accounts (book_id, ledger_account);

create table bank_imports (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  file_name text not null,
  format text not null check (format in ('n43', 'camt053', 'csv')),
  sha256 blob not null check (length(sha256) = 32),
  movements integer not null,
  duplicates integer not null,
  imported_at integer not null
) strict;
create index bank_imports_by_book on bank_imports (book_id, id);

-- What a file says of one account: the days it covers and the balances at both ends.
create table bank_statements (
  id integer primary key,
  import_id integer not null references bank_imports on delete cascade,
  account_id integer not null references bank_accounts,
  from_date text,
  to_date text,
  opening_cents integer,
  closing_cents integer
) strict;
create index bank_statements_by_account on bank_statements (account_id, to_date);
create index bank_statements_by_import on bank_statements (import_id);

create table bank_transactions (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  account_id integer not null references bank_accounts,
  import_id integer references bank_imports,
  date text not null,
  value_date text,
  amount_cents integer not null check (amount_cents <> 0),
  balance_cents integer,
  text text not null,
  counterparty text,
  counterparty_iban text,
  reference text,
  concept text,
  -- What the bank put together into this movement, one operation each.
  details text check (details is null or json_valid(details)),
  fingerprint blob not null check (length(fingerprint) = 16),
  search text not null,
  status text not null default 'pending' check (status in ('pending', 'matched', 'ignored')),
  note text,
  -- The automatic rule that booked it, and what was remembered from it.
  rule_id integer references bank_rules on delete set null,
  learned_rule_id integer references bank_rules on delete set null,
  created_at integer not null,
  unique (account_id, fingerprint)
) strict;
create index bank_transactions_by_date on bank_transactions (account_id, date, id, amount_cents);
create index bank_transactions_by_book on bank_transactions (book_id, date, id);
create index bank_transactions_pending on bank_transactions (book_id, account_id, date, id, amount_cents) where status = 'pending';
create index bank_transactions_ignored on bank_transactions (account_id, date, amount_cents) where status = 'ignored';
create index bank_transactions_by_import on bank_transactions (import_id, status);
create index bank_transactions_by_rule on bank_transactions (rule_id) where rule_id is not null;
create index bank_transactions_by_learned on bank_transactions (learned_rule_id) where learned_rule_id is not null;
create trigger bank_transactions_frozen before update of book_id, public_id, account_id, date, value_date, amount_cents,
  balance_cents, text, counterparty, counterparty_iban, reference, concept, details, fingerprint, created_at on bank_transactions
  begin select raise(abort, 'frozen: bank_transactions'); end;

-- What a movement is in the books. The parts of a matched movement add up to it.
create table bank_parts (
  transaction_id integer not null references bank_transactions on delete cascade,
  position integer not null check (position >= 0),
  kind text not null check (kind in ('invoice', 'received', 'payment', 'remittance', 'transfer', 'account')),
  amount_cents integer not null check (amount_cents <> 0),
  invoice_id integer references invoices,
  received_id integer references received_invoices,
  payment_id integer references payments,
  remittance_id integer references remittances,
  -- Of a transfer: the other account, and the movement on it once it is there.
  other_account_id integer references bank_accounts,
  other_transaction_id integer references bank_transactions,
  -- The entry of a transfer is booked with one of its two movements.
  books_entry integer not null default 0 check (books_entry in (0, 1)),
  -- Both halves were accepted as one, so they are undone as one.
  joined integer not null default 0 check (joined in (0, 1)),
  -- A prepared file for the bank was settled with it.
  settled integer not null default 0 check (settled in (0, 1)),
  ledger_account text,
  contact_id integer references contacts on delete set null,
  text text,
  primary key (transaction_id, position)
) strict, without rowid;
create index bank_parts_by_payment on bank_parts (payment_id) where payment_id is not null;
create index bank_parts_by_remittance on bank_parts (remittance_id) where remittance_id is not null;
create index bank_parts_by_transfer on bank_parts (other_account_id, other_transaction_id) where kind = 'transfer';
create index bank_parts_by_other on bank_parts (other_transaction_id) where other_transaction_id is not null;
create trigger bank_parts_no_change before update of transaction_id, position, kind, amount_cents on bank_parts
  begin select raise(abort, 'frozen: bank_parts'); end;
create trigger bank_parts_add_up before update of status on bank_transactions when new.status = 'matched'
  and new.amount_cents <> (select coalesce(sum(amount_cents), 0) from bank_parts where transaction_id = new.id)
  begin select raise(abort, 'unbalanced: bank_parts'); end;
create trigger bank_parts_only_of_matched before update of status on bank_transactions when new.status <> 'matched'
  and exists (select 1 from bank_parts where transaction_id = new.id)
  begin select raise(abort, 'left over: bank_parts'); end;
create trigger bank_parts_settled before insert on bank_parts
  when (select status from bank_transactions where id = new.transaction_id) <> 'pending'
  begin select raise(abort, 'settled: bank_parts'); end;

create table bank_rules (
  id integer primary key,
  book_id integer not null references books,
  public_id text not null unique,
  origin text not null check (origin in ('learned', 'person')),
  automatic integer not null default 0 check (automatic in (0, 1)),
  active integer not null default 1 check (active in (0, 1)),
  direction text not null check (direction in ('in', 'out')),
  counterparty_iban text,
  text_key text,
  ledger_account text,
  contact_id integer references contacts on delete cascade,
  uses integer not null default 0 check (uses >= 0),
  created_at integer not null,
  check (counterparty_iban is not null or text_key is not null),
  check (ledger_account is not null or contact_id is not null),
  -- A machine's own memory never books by itself.
  check (automatic = 0 or (origin = 'person' and ledger_account is not null))
) strict;
create index bank_rules_by_book on bank_rules (book_id, id);
`
