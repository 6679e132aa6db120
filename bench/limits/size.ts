/**
 * The limit of T13: the facts of a book in the smallest usable schema. Whole numbers for keys, days and values of
 * small sets, no derivable column (the amount of a line follows from quantity, price and rate, the number from series
 * and sequence), each customer stored once, but the registered tax totals and monthly totals as in the product, the
 * records compressed as in the product, and the indexes that its lists need.
 */
import Database from 'better-sqlite3'
import { join } from 'node:path'
import type { Handle } from './database.ts'

const SCHEMA = `
create table places (id integer primary key, city text, province text) strict;
create table series (id integer primary key, code text) strict;
create table contacts (
  id integer primary key, public_id blob, name text, nif text, street text, postal_code text, place integer, email text, terms integer,
  version integer, created integer, updated integer
) strict;
create unique index contacts_by_id on contacts (public_id);
create index contacts_by_name on contacts (name);
create index contacts_by_nif on contacts (nif);
create table parties (id integer primary key, digest blob, name text, nif text, street text, postal_code text, place integer, email text) strict;
create unique index parties_by_digest on parties (digest);
create index parties_by_nif on parties (nif);
create table invoices (
  id integer primary key, book integer, public_id blob, kind integer, series integer, sequence integer, day integer, operation_day integer,
  due integer, party integer, contact integer, issuer integer, price_mode integer, base integer, tax integer, surcharge integer,
  disbursements integer, withholding_rate integer, withholding_base integer, withholding integer, paid integer, owed integer,
  status integer, notes text, language integer, payment_method integer, external_ref text, hash blob, version integer, created integer,
  issued integer, cancelled integer
) strict;
create unique index invoices_by_id on invoices (public_id);
create unique index invoices_by_number on invoices (series, sequence);
create index invoices_by_day on invoices (book, day);
create index invoices_by_party on invoices (party, day);
create index invoices_by_contact on invoices (contact, day);
create index invoices_by_total on invoices (book, base + tax + disbursements);
create index invoices_open on invoices (book, status, day) where status <> 0;
create index invoices_owed on invoices (book, due) where owed = 1;
create table lines (
  invoice integer, position integer, description text, quantity integer, unit text, price integer, discount integer, treatment integer,
  regime integer, rate integer, surcharge integer, flags integer, primary key (invoice, position)
) strict, without rowid;
create table taxes (
  invoice integer, position integer, treatment integer, regime integer, rate integer, base integer, tax integer, surcharge_rate integer,
  surcharge integer, primary key (invoice, position)
) strict, without rowid;
create table months (grp integer, month integer, base integer, tax integer, surcharge integer, documents integer, primary key (grp, month)) strict, without rowid;
create table figures (grp integer, month integer, invoice integer, base integer, tax integer, surcharge integer, primary key (grp, month, invoice)) strict, without rowid;
create table customers (party integer, period integer, base integer, total integer, third integer, documents integer, primary key (party, period)) strict, without rowid;
create index customers_by_base on customers (period, base);
create table entries (id integer primary key, book integer, day integer, source integer, invoice integer) strict;
create unique index entries_by_invoice on entries (source, invoice);
create index entries_by_day on entries (book, day, id);
create table entry_lines (entry integer, position integer, account integer, day integer, amount integer, contact integer, primary key (entry, position)) strict, without rowid;
create index entry_lines_by_account on entry_lines (account, day);
create index entry_lines_by_contact on entry_lines (contact) where contact is not null;
create table balances (account integer, month integer, debit integer, credit integer, primary key (account, month)) strict, without rowid;
create table records (
  book integer, sequence integer, kind integer, turn integer, invoice integer, hash blob, generated integer, xml blob, status integer, attempts integer,
  primary key (book, sequence)
) strict;
create index records_by_invoice on records (invoice);
create index records_open on records (book, sequence) where status = 0;
create table audit (
  book integer, sequence integer, at integer, actor integer, channel integer, action integer, target_type integer, target integer,
  outcome integer, code integer, request blob, hash blob, primary key (book, sequence)
) strict, without rowid;
create index audit_by_target on audit (book, target, sequence);
create table events (id integer primary key, book integer, type integer, at integer, target integer) strict;
`

type Row = Record<string, unknown>

/** Writes the content of the product's open book; returns the path of the new file. */
export function writeTightly(source: Handle, folder: string): string {
  const file = join(folder, 'tight.db')
  const target = new Database(file)
  target.pragma("cipher='sqlcipher'")
  target.pragma('legacy=4')
  ;(target as unknown as { key(key: Buffer): void }).key(Buffer.from(`x'${'0'.repeat(64)}'`, 'ascii'))
  target.exec(SCHEMA)
  target.exec('begin')
  const numbers = new Map<string, number>()
  /** Returns the row number of a text in a table, inserting it if new. */
  const numberOf = (table: string, ...values: unknown[]): number => {
    const name = JSON.stringify([table, ...values])
    let id = numbers.get(name)
    if (id === undefined) {
      const places = values.map(() => '?').join(', ')
      id = Number(
        target.prepare(`insert into ${table} values (null, ${places})`).run(...values).lastInsertRowid,
      )
      numbers.set(name, id)
    }
    return id
  }
  const codes = new Map<unknown, number>([['accepted', 0]])
  /** Returns a small number for a text from a small set. */
  const codeOf = (text: unknown): number | null => {
    if (text === null) return null
    if (!codes.has(text)) codes.set(text, codes.size)
    return codes.get(text) ?? null
  }
  /** Converts millionths to the unit that gives a small whole number; unchanged if none does. */
  const whole = (micro: unknown, unit: number): number =>
    Number(micro) % unit === 0 ? Number(micro) / unit : Number(micro)
  const insert = (table: string, count: number) => {
    const statement = target.prepare(
      `insert into ${table} values (${Array.from({ length: count }, () => '?').join(', ')})`,
    )
    return (...values: unknown[]) => statement.run(...values.map((value) => value ?? null))
  }
  const rows = (sql: string) => source.prepare(sql).all() as Row[]
  const day = (text: unknown): number | null =>
    typeof text === 'string' ? Date.parse(text) / 86_400_000 : null
  /** Returns the 80 bits of a public identifier. */
  const bits = (id: unknown): Buffer => {
    let value = 0n
    for (const letter of String(id).slice(String(id).indexOf('_') + 1))
      value = value * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter))
    return Buffer.from(value.toString(16).padStart(20, '0'), 'hex')
  }

  const place = (row: Row): number => numberOf('places', row.city, row.province)
  const contact = insert('contacts', 12)
  const contacts = new Map<unknown, unknown>()
  for (const row of rows('select * from contacts')) {
    const terms = row.payment_days ?? row.withholding_bp
    contacts.set(row.public_id, row.id)
    contact(
      ...[
        row.id,
        bits(row.public_id),
        row.name,
        row.nif,
        row.street,
        row.postal_code,
        place(row),
        row.email,
        terms,
      ],
      ...[row.version, row.created_at, row.updated_at],
    )
  }
  const party = insert('parties', 8)
  for (const row of rows('select * from parties'))
    party(row.id, row.digest, row.name, row.nif, row.street, row.postal_code, place(row), row.email)

  const invoice = insert('invoices', 32)
  const targets = new Map<unknown, unknown>()
  for (const row of rows(
    'select i.*, s.code from invoices i left join series s on s.id = i.series_id order by i.id',
  )) {
    targets.set(row.public_id, row.id)
    const series = row.code === null ? null : numberOf('series', row.code)
    const few = {
      kind: row.kind === 'F1' ? 0 : 1,
      priceMode: row.price_mode === 'net' ? 0 : 1,
      status: codeOf(row.registry_status),
    }
    invoice(
      ...[
        row.id,
        row.book_id,
        bits(row.public_id),
        few.kind,
        series,
        row.sequence,
        day(row.list_date),
        day(row.operation_date),
      ],
      ...[
        day(row.due_date),
        row.party_id,
        row.contact_id,
        row.issuer_id,
        few.priceMode,
        row.base_cents,
        row.tax_cents,
      ],
      ...[
        row.surcharge_cents,
        row.disbursements_cents,
        row.withholding_bp,
        row.withholding_base_cents,
        row.withholding_cents,
      ],
      ...[
        row.paid_cents,
        row.is_owed,
        few.status,
        row.notes,
        codeOf(row.language),
        codeOf(row.payment_method),
      ],
      ...[row.external_ref, row.content_hash, row.version, row.created_at, row.issued_at, row.cancelled_at],
    )
  }
  const line = insert('lines', 12)
  for (const row of rows('select * from invoice_lines'))
    line(
      ...[
        row.invoice_id,
        row.position,
        row.description,
        whole(row.quantity_micro, 1e6),
        row.unit,
        whole(row.unit_price_micro, 1e4),
      ],
      ...[
        row.discount_bp,
        codeOf(row.tax_treatment),
        Number(row.regime_key),
        row.vat_rate_bp,
        row.surcharge_bp,
      ],
      Number(row.withholdable) + 2 * Number(row.is_disbursement),
    )
  const tax = insert('taxes', 9)
  for (const row of rows('select * from invoice_taxes'))
    tax(
      ...[
        row.invoice_id,
        row.position,
        codeOf(row.tax_treatment),
        Number(row.regime_key),
        row.vat_rate_bp,
        row.base_cents,
      ],
      ...[row.tax_cents, row.surcharge_bp, row.surcharge_cents],
    )
  const month = insert('months', 6)
  for (const row of rows('select * from month_figures'))
    month(row.group_id, row.month, row.base_cents, row.tax_cents, row.surcharge_cents, row.documents)
  const figure = insert('figures', 6)
  for (const row of rows('select * from figure_entries'))
    figure(row.group_id, row.month, row.source_id, row.base_cents, row.tax_cents, row.surcharge_cents)
  const customer = insert('customers', 6)
  for (const row of rows('select * from party_figures'))
    customer(row.party_id, row.period, row.base_cents, row.total_cents, row.third_cents, row.documents)
  const entry = insert('entries', 5)
  for (const row of rows('select * from journal_entries'))
    entry(row.id, row.book_id, row.day, row.source_type, row.source_id)
  const entryLine = insert('entry_lines', 6)
  for (const row of rows('select * from journal_lines'))
    entryLine(row.entry_id, row.position, row.account_id, row.day, row.amount_cents, row.contact_id)
  const balance = insert('balances', 4)
  for (const row of rows('select * from account_months'))
    balance(row.account_id, row.month, row.debit_cents, row.credit_cents)
  const record = insert('records', 10)
  for (const row of rows(
    'select r.*, s.status, s.attempts from registry_records r join registry_submissions s on s.record_id = r.id',
  ))
    record(
      row.book_id,
      row.sequence,
      0,
      codeOf(row.turn),
      row.invoice_id,
      row.hash,
      row.generated_at,
      row.xml,
      codeOf(row.status),
      row.attempts,
    )
  const audit = insert('audit', 12)
  for (const row of rows('select * from audit_events'))
    audit(
      ...[
        row.book_id,
        row.sequence,
        row.at,
        row.actor_id,
        codeOf(row.channel),
        codeOf(row.action),
        codeOf(row.target_type),
      ],
      ...[
        targets.get(row.target_id) ?? contacts.get(row.target_id),
        codeOf(row.outcome),
        row.code,
        bits(row.request_id),
        row.hash,
      ],
    )
  const event = insert('events', 5)
  for (const row of rows(
    "select *, coalesce(json_extract(data, '$.invoiceId'), json_extract(data, '$.contactId')) as target from events",
  ))
    event(row.id, row.book_id, codeOf(row.type), row.at, targets.get(row.target) ?? contacts.get(row.target))
  target.exec('commit')
  target.close()
  return file
}
