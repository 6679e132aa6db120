/**
 * Rows of a person in every area, read with SQL over the tables of all slices: the one module that knows them all, so
 * that none of them needs to know it. A new table with personal data must be added here; the test that plants a
 * phrase in every field and searches for it afterwards detects omissions.
 */
import { contains, elementsOf, largest, numberList, stringList } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import type { Ctx } from '../../context.ts'
import type { RECEIVED_TARGET } from '../../purchases/invoices/index.ts'
import type { HISTORY_TARGET } from '../../sales/invoices/index.ts'
import { belongsTo, namesPerson } from './person.ts'
import type { Person } from './person.ts'

/** Key of the one-stop shop on lines not subject (N2); other treatments use the number for schemes of other taxes. */
const OSS_REGIME = '17'

/** Returns a list for `in`: of row numbers, or of strings. Nothing is in an empty one, whatever the column's type. */
export function listed(values: readonly (string | number)[]): RawBuilder<unknown> {
  if (values.length === 0) return sql`(null)`
  return typeof values[0] === 'number' ? numberList(values as number[]) : stringList(values as string[])
}

async function all<Row>(ctx: Ctx, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(ctx.db)).rows
}

interface InvoiceFacts {
  id: number
  public_id: string
  number: string | null
  state: 'draft' | 'issued' | 'history'
  issue_date: BusinessDate | null
  version: number
  party_id: number
  isOwed: number
  oneStopShop: number
  exemptInEu: number
}

/**
 * Returns invoices and drafts of the person's contacts, or that name the person without a contact, or with another
 * contact of the same number.
 */
export async function invoicesOf(ctx: Ctx, person: Person): Promise<InvoiceFacts[]> {
  const parties = await all(
    ctx,
    sql<{ id: number; name: string; nif: string | null; email: string | null }>`
      select id, name, nif, email from parties where book_id = ${ctx.book.id}
        and (nif is null or nif in ${listed(person.nifs)})`,
  )
  const theirs = parties.filter((row) => belongsTo(person, row))
  const sure = theirs.filter((row) => row.nif !== null).map((row) => row.id)
  const likely = theirs.filter((row) => row.nif === null).map((row) => row.id)
  return all(
    ctx,
    sql<InvoiceFacts>`
      select i.id, i.public_id, i.number, i.state, i.issue_date, i.version, i.party_id, i.is_owed as "isOwed",
        exists (select 1 from invoice_lines l where l.invoice_id = i.id and l.regime_key = ${OSS_REGIME} and l.tax_treatment = 'N2') as "oneStopShop",
        exists (select 1 from invoice_lines l where l.invoice_id = i.id and l.tax_treatment in ('E5', 'N2')) as "exemptInEu"
      from invoices i where i.book_id = ${ctx.book.id} and (i.contact_id in ${listed(person.contactRows)}
        or i.party_id in ${listed(sure)} or (i.party_id in ${listed(likely)} and i.contact_id is null))
      order by i.list_date desc, i.id desc`,
  )
}

interface QuoteFacts {
  id: number
  public_id: string
  number: string | null
  kind: string
  date: BusinessDate
  version: number
  /** Day of the last invoice issued from it. */
  invoicedOn: BusinessDate | null
}

export async function quotesOf(ctx: Ctx, person: Person): Promise<QuoteFacts[]> {
  const rows = await all(
    ctx,
    sql<QuoteFacts & { contact_id: number | null; client_name: string; client_nif: string | null }>`
      select q.id, q.public_id, q.number, q.kind, q.date, q.version, q.contact_id, q.client_name, q.client_nif,
        (select max(i.issue_date) from quote_conversions c join invoices i on i.id = c.invoice_id
          where c.quote_id = q.id and i.state = 'issued') as "invoicedOn"
      from quotes q where q.book_id = ${ctx.book.id} and (q.contact_id in ${listed(person.contactRows)}
        or q.client_nif in ${listed(person.nifs)} or (q.contact_id is null and q.client_nif is null))
      order by q.date desc, q.id desc`,
  )
  return rows.filter(
    (row) =>
      (row.contact_id !== null && person.contactRows.includes(row.contact_id)) ||
      belongsTo(person, { name: row.client_name, nif: row.client_nif }),
  )
}

interface NamedRow {
  id: number
  public_id: string
  name: string
}

/** Returns recurring invoices of the person's contacts, or addressed to their name. */
export async function recurrencesOf(ctx: Ctx, person: Person): Promise<NamedRow[]> {
  const rows = await all(
    ctx,
    sql<NamedRow & { contact_id: number | null; content: string }>`
      select id, public_id, name, contact_id, content from recurrences where book_id = ${ctx.book.id}
        and (contact_id is null or contact_id in ${listed(person.contactRows)}) order by id`,
  )
  return rows.filter((row) => row.contact_id !== null || belongsTo(person, clientOf(row.content)))
}

export async function templatesOf(ctx: Ctx, person: Person): Promise<NamedRow[]> {
  const rows = await all(
    ctx,
    sql<NamedRow & { content: string }>`
      select id, public_id, name, content from templates where book_id = ${ctx.book.id} order by id`,
  )
  return rows.filter((row) => {
    const client = clientOf(row.content)
    return client.contactId === null
      ? belongsTo(person, client)
      : person.contactIds.includes(client.contactId)
  })
}

/** Returns the customer in the input of an invoice. */
function clientOf(content: string): { contactId: string | null; name: string | null; nif: string | null } {
  const { clientId, clientName, clientNif } = JSON.parse(content) as Record<string, string | null | undefined>
  return { contactId: clientId ?? null, name: clientName ?? null, nif: clientNif ?? null }
}

interface ReceivedFacts {
  id: number
  public_id: string
  supplier_number: string | null
  version: number
  /** Reception, or the first day of the quarter of a later deduction. */
  lastDay: BusinessDate
  capitalGoods: number
  property: number
}

export async function receivedOf(ctx: Ctx, person: Person): Promise<ReceivedFacts[]> {
  const rows = await all(
    ctx,
    sql<ReceivedFacts & { contact_id: number | null; supplier_name: string; supplier_nif: string | null }>`
      select r.id, r.public_id, r.supplier_number, r.version, r.contact_id, r.supplier_name, r.supplier_nif,
        ${largest(sql`r.reception_date`, sql`r.issue_date`, sql`coalesce(r.deduction_date, '')`)} as "lastDay",
        exists (select 1 from received_lines l where l.received_id = r.id and l.investment_good = 1) as "capitalGoods",
        exists (select 1 from received_lines l where l.received_id = r.id and l.investment_good = 1
          and (l.account like '210%' or l.account like '211%' or l.account like '22%' )) as property
      from received_invoices r where r.book_id = ${ctx.book.id} and (r.contact_id in ${listed(person.contactRows)}
        or r.supplier_nif in ${listed(person.nifs)} or (r.contact_id is null and r.supplier_nif is null))
      order by r.reception_date desc, r.id desc`,
  )
  return rows.filter(
    (row) =>
      (row.contact_id !== null && person.contactRows.includes(row.contact_id)) ||
      belongsTo(person, { name: row.supplier_name, nif: row.supplier_nif }),
  )
}

interface MandateFacts {
  id: number
  public_id: string
  reference: string
  state: string
  lastUsedOn: BusinessDate | null
}

export const mandatesOf = (ctx: Ctx, { contactRows }: Person): Promise<MandateFacts[]> =>
  all(
    ctx,
    sql<MandateFacts>`
      select m.id, m.public_id, m.reference, m.state, coalesce(m.last_used_on, (select max(r.execution_date)
        from remittance_items x join remittances r on r.id = x.remittance_id where x.mandate_id = m.id)) as "lastUsedOn"
      from mandates m where m.book_id = ${ctx.book.id} and m.contact_id in ${listed(contactRows)} order by m.id`,
  )

interface MailFacts {
  id: number
  public_id: string
  kind: string
  at: number
  /** Reminder of an amount that is still owed. */
  isClaim: number
}

/** Returns mails of the person's contacts, to their address, or about their invoices and quotes, except emptied ones. */
export const mailsOf = (
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
  quotes: readonly number[],
): Promise<MailFacts[]> =>
  all(
    ctx,
    sql<MailFacts>`
      select m.id, m.public_id, m.kind, m.created_at as at, (m.kind = 'reminder' and exists (select 1 from mail_documents d
        join invoices i on i.id = d.invoice_id where d.mail_id = m.id and i.is_owed = 1)) as "isClaim"
      from mails m where m.book_id = ${ctx.book.id} and m.emptied_at is null and (m.contact_id in ${listed(person.contactRows)}
        or exists (select 1 from ${elementsOf(sql`m.recipients`)} where lower(value) in ${listed(person.emails)})
        or exists (select 1 from ${elementsOf(sql`m.copies`)} where lower(value) in ${listed(person.emails)})
        or exists (select 1 from mail_documents d where d.mail_id = m.id
          and (d.invoice_id in ${listed(invoices)} or d.quote_id in ${listed(quotes)})))
      order by m.id desc`,
  )

interface ReminderFacts {
  id: number
  date: BusinessDate
  isClaim: number
}

export const remindersOf = (
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
): Promise<ReminderFacts[]> =>
  all(
    ctx,
    sql<ReminderFacts>`
      select r.id, r.date, exists (select 1 from reminder_invoices x join invoices i on i.id = x.invoice_id
        where x.reminder_id = r.id and i.is_owed = 1) as "isClaim"
      from reminders r where r.book_id = ${ctx.book.id} and (r.contact_id in ${listed(person.contactRows)}
        or exists (select 1 from reminder_invoices x where x.reminder_id = r.id and x.invoice_id in ${listed(invoices)}))
      order by r.date desc, r.id desc`,
  )

interface CheckFacts {
  id: number
  kind: 'vat' | 'census'
  number: string
}

export async function checksOf(ctx: Ctx, person: Person): Promise<CheckFacts[]> {
  const rows = await all(
    ctx,
    sql<CheckFacts & { contact_id: number | null }>`
      select id, 'vat' as kind, vat_number as number, contact_id from vat_number_checks where book_id = ${ctx.book.id}
      union all
      select id, 'census', nif, contact_id from census_checks where book_id = ${ctx.book.id}`,
  )
  return rows.filter(
    (row) =>
      (row.contact_id !== null && person.contactRows.includes(row.contact_id)) ||
      person.nifs.includes(normalizeNif(row.number)),
  )
}

/** Data that imports store: row results, cells not yet imported, and column samples. */
export interface ImportFacts {
  rows: { runId: number; row: number }[]
  chunks: { runId: number; position: number; cells: string }[]
  runs: number[]
  /** Rows of moves that wait or were not taken in, and files of moves that show cells of theirs. */
  moved: { fileId: number; position: number }[]
  movedFiles: number[]
}

type CellRow = [number, unknown[]]

/** Returns the cells of a chunk with the person's rows emptied; null when none is theirs. */
function withoutTheirCells(person: Person, cells: string): string | null {
  let touched = false
  const rows = (JSON.parse(cells) as CellRow[]).map(([row, values]): CellRow => {
    if (!values.some((value) => typeof value === 'string' && namesPerson(person, value))) return [row, values]
    touched = true
    return [row, values.map(() => null)]
  })
  return touched ? JSON.stringify(rows) : null
}

export async function importsOf(ctx: Ctx, person: Person, received: readonly number[]): Promise<ImportFacts> {
  const rows = await all(
    ctx,
    sql<{
      runId: number
      row: number
      kind: string
      target: number | null
      before: string | null
      faults: string | null
    }>`
      select x.run_id as "runId", x.row, r.kind, x.target_id as target, x.before, x.faults
      from import_rows x join import_runs r on r.id = x.run_id where r.book_id = ${ctx.book.id}
        and (x.before is not null or x.faults is not null or (r.kind = 'contacts' and x.target_id in ${listed(person.contactRows)})
          or (r.kind = 'received' and x.target_id in ${listed(received)}))`,
  )
  const theirs = rows.filter(
    ({ kind, target, before, faults }) =>
      (kind === 'contacts' && target !== null && person.contactRows.includes(target)) ||
      (kind === 'received' && target !== null && received.includes(target)) ||
      namesPerson(person, before) ||
      namesPerson(person, faults),
  )
  const chunks = await all(
    ctx,
    sql<{ runId: number; position: number; cells: string }>`
      select c.run_id as "runId", c.position, c.cells from import_chunks c join import_runs r on r.id = c.run_id
      where r.book_id = ${ctx.book.id} and r.kind <> 'items'`,
  )
  const theirChunks = chunks.flatMap(({ runId, position, cells }) => {
    const emptied = namesPerson(person, cells) ? withoutTheirCells(person, cells) : null
    return emptied === null ? [] : [{ runId, position, cells: emptied }]
  })
  const runs = await all(
    ctx,
    sql<{ id: number; titles: string }>`
      select id, titles from import_runs where book_id = ${ctx.book.id} and titles like '%"samples":["%'`,
  )
  const touched = new Set([...theirs, ...theirChunks].map(({ runId }) => runId))
  const moved = await all(
    ctx,
    sql<{ fileId: number; position: number; text: string }>`
      select x.file_id as "fileId", x.position,
        x.label || ' ' || coalesce(x.document, '') || ' ' || coalesce(x.faults, '') as text
      from moving_rows x join moving_files f on f.id = x.file_id join moving_runs r on r.id = f.run_id
      where r.book_id = ${ctx.book.id}`,
  )
  const movedFiles = await all(
    ctx,
    sql<{ id: number; text: string }>`
      select f.id, f.recognition || ' ' || f.summary || ' ' || f.answers as text
      from moving_files f join moving_runs r on r.id = f.run_id where r.book_id = ${ctx.book.id}`,
  )
  return {
    moved: moved
      .filter(({ text }) => namesPerson(person, text))
      .map(({ fileId, position }) => ({ fileId, position })),
    movedFiles: movedFiles.filter(({ text }) => namesPerson(person, text)).map(({ id }) => id),
    rows: theirs.map(({ runId, row }) => ({ runId, row })),
    chunks: theirChunks,
    runs: runs.filter(({ id, titles }) => touched.has(id) || namesPerson(person, titles)).map(({ id }) => id),
  }
}

/** Returns notes and tasks on the person's contact, or that name the person. */
export async function notesOf(
  ctx: Ctx,
  person: Person,
): Promise<{ id: number; of: 'note' | 'task'; version: number }[]> {
  const rows = await all(
    ctx,
    sql<{ id: number; of: 'note' | 'task'; version: number; target: string | null; text: string }>`
      select id, 'note' as "of", version, target_id as target, target_label || ' ' || text as text
      from notes where book_id = ${ctx.book.id}
      union all select id, 'task', version, target_id, coalesce(target_label, '') || ' ' || title
      from tasks where book_id = ${ctx.book.id}`,
  )
  return rows.filter(
    ({ target, text }) =>
      (target !== null && person.contactIds.includes(target)) || namesPerson(person, text),
  )
}

export async function proposalsOf(
  ctx: Ctx,
  person: Person,
  invoiceIds: readonly string[],
): Promise<{ id: number }[]> {
  const rows = await all(
    ctx,
    sql<{ id: number; target: string | null; text: string }>`
      select id, target_id as target, reason || ' ' || body || ' ' || coalesce(decision_note, '') as text
      from proposals where book_id = ${ctx.book.id}`,
  )
  return rows.filter(
    ({ target, text }) =>
      (target !== null && (invoiceIds.includes(target) || person.contactIds.includes(target))) ||
      namesPerson(person, text),
  )
}

/** Facts of a recipient of wages with the tax number of somebody else. */
const WAGE_MENTIONS = ['spouseNif', 'representativeNif'] as const

/**
 * Returns the wages typed for model 190 that are the person's, or that name the person as spouse or representative: then
 * `mention` says as what.
 */
export async function wagesOf(
  ctx: Ctx,
  person: Person,
): Promise<{ year: number; position: number; mention: (typeof WAGE_MENTIONS)[number] | null }[]> {
  const own = await all(
    ctx,
    sql<{ year: number; position: number }>`select year, position from wage_recipients
      where book_id = ${ctx.book.id} and nif in ${listed(person.nifs)} order by year desc, position`,
  )
  const others = await all(
    ctx,
    sql<{ year: number; position: number; facts: string }>`select year, position, facts from wage_recipients
      where book_id = ${ctx.book.id} and facts is not null order by year desc, position`,
  )
  return [
    ...own.map((row) => ({ ...row, mention: null })),
    ...others.flatMap(({ year, position, facts }) => {
      const typed = JSON.parse(facts) as Partial<Record<(typeof WAGE_MENTIONS)[number], string>>
      return WAGE_MENTIONS.flatMap((mention) =>
        person.nifs.includes(typed[mention] ?? '') ? [{ year, position, mention }] : [],
      )
    }),
  ]
}

/** Returns the premises typed for model 180 that the person rents out. */
export async function premisesOf(
  ctx: Ctx,
  person: Person,
): Promise<{ id: number; street: string; to_year: number | null }[]> {
  return all(
    ctx,
    sql<{
      id: number
      street: string
      to_year: number | null
    }>`select id, street, to_year from rented_premises
      where book_id = ${ctx.book.id} and landlord_nif in ${listed(person.nifs)} order by id`,
  )
}

/** Returns the fixed assets that name the person as the supplier; those with a received invoice have it there. */
export async function assetsOf(
  ctx: Ctx,
  person: Person,
): Promise<{ id: number; public_id: string; description: string; out_on: string | null }[]> {
  return all(
    ctx,
    sql<{
      id: number
      public_id: string
      description: string
      out_on: string | null
    }>`select id, public_id, description, out_on from assets
      where book_id = ${ctx.book.id} and supplier_nif in ${listed(person.nifs)} order by id`,
  )
}

export async function bankRulesOf(ctx: Ctx, person: Person): Promise<{ id: number }[]> {
  const rows = await all(
    ctx,
    sql<{ id: number; contact_id: number | null; iban: string | null; words: string | null }>`
      select id, contact_id, counterparty_iban as iban, text_key as words from bank_rules where book_id = ${ctx.book.id}`,
  )
  return rows.filter(
    ({ contact_id: contact, iban, words }) =>
      (contact !== null && person.contactRows.includes(contact)) ||
      (iban !== null && person.ibans.includes(iban)) ||
      (words !== null && person.names.some((name) => searchText(words).includes(name))),
  )
}

/** Returns what is remembered of the person's documents as a supplier. */
export const supplierMemoryOf = (
  ctx: Ctx,
  { nifs }: Person,
): Promise<{ nif: string; documents: number; updated_at: number }[]> =>
  all(
    ctx,
    sql<{ nif: string; documents: number; updated_at: number }>`select nif, documents, updated_at
      from supplier_memory where book_id = ${ctx.book.id} and nif in ${listed(nifs)} order by nif`,
  )

/** Returns documents of the person as a supplier, and those that they sent by mail, entered or not. */
export async function incomingOf(
  ctx: Ctx,
  person: Person,
): Promise<{ id: number; public_id: string; name: string; version: number }[]> {
  const found = await all(
    ctx,
    sql<{
      id: number
      public_id: string
      name: string
      version: number
      supplier_name: string | null
      supplier_nif: string | null
      sender: string | null
    }>`select id, public_id, name, version, supplier_name, supplier_nif, sender
      from incoming_documents where book_id = ${ctx.book.id} order by id`,
  )
  return found.filter(
    ({ supplier_name: name, supplier_nif: nif, sender, name: title }) =>
      belongsTo(person, { name, nif }) ||
      person.emails.some((email) => sender?.toLowerCase().includes(email)) ||
      // One that could not be read has no supplier yet.
      (nif === null && person.names.some((own) => searchText(title).includes(own))),
  )
}

/**
 * Returns stored replies to idempotent requests. Those of operations that must happen only once are kept for their
 * week, otherwise the operation could run twice.
 */
export const repliesOf = (ctx: Ctx, person: Person): Promise<{ id: string; isOnce: number }[]> =>
  all(
    ctx,
    sql<{ id: string; isOnce: number }>`
      select scope || ${'\u001f'} || idempotency_key as id,
        not (operation like 'contacts.%' or operation like 'quotes.%' or operation like 'templates.%' or operation like 'recurring.%'
          or operation like 'imports.%' or operation like 'lookups.%' or operation like 'inbox.%'
          or operation in ('invoices.create', 'invoices.update', 'invoices.delete', 'mandates.create')) as "isOnce"
      from idempotency_keys where exists (select 1 from ${elementsOf(JSON.stringify(person.needles))}
        where ${contains(sql`reply`, sql`value`)})`,
  )

export interface DatedRow {
  id: number
  date: BusinessDate
}

export const paymentsOf = (
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
  received: readonly number[],
): Promise<DatedRow[]> =>
  all(
    ctx,
    sql<DatedRow>`
      select p.id, p.date from payments p where p.book_id = ${ctx.book.id} and (p.contact_id in ${listed(person.contactRows)}
        or exists (select 1 from payment_allocations a where a.payment_id = p.id
          and (a.invoice_id in ${listed(invoices)} or a.received_id in ${listed(received)})))
      order by p.date desc, p.id desc`,
  )

/** Returns lines of remittances by row number, because they have no key of their own. */
export const debitsOf = (
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
  received: readonly number[],
): Promise<(DatedRow & { position: number })[]> =>
  all(
    ctx,
    sql<DatedRow & { position: number }>`
      select r.id, x.position, r.execution_date as date from remittance_items x join remittances r on r.id = x.remittance_id
      where r.book_id = ${ctx.book.id} and (x.invoice_id in ${listed(invoices)} or x.received_id in ${listed(received)}
        or x.iban in ${listed(person.ibans)})`,
  )

/** Returns the entries that name the person. */
export const entriesOf = (ctx: Ctx, person: Person): Promise<DatedRow[]> =>
  all(
    ctx,
    sql<DatedRow>`
      select e.id, substr(e.day, 1, 4) || '-' || substr(e.day, 5, 2) || '-' || substr(e.day, 7, 2) as date
      from (select id, book_id, cast(day as text) as day from journal_entries) e where e.book_id = ${ctx.book.id}
        and e.id in (select l.entry_id from journal_lines l where l.contact_id in ${listed(person.contactRows)})`,
  )

/** Returns the movements with the person as counterparty, or that settle their documents. */
export async function movementsOf(
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
  received: readonly number[],
): Promise<DatedRow[]> {
  const rows = await all(
    ctx,
    sql<DatedRow & { search: string; linked: number }>`
      select t.id, t.date, t.search, (t.counterparty_iban in ${listed(person.ibans)} or exists (select 1 from bank_parts b
        where b.transaction_id = t.id and (b.contact_id in ${listed(person.contactRows)}
          or b.invoice_id in ${listed(invoices)} or b.received_id in ${listed(received)}))) as linked
      from bank_transactions t where t.book_id = ${ctx.book.id}`,
  )
  return rows.filter(
    ({ linked, search }) =>
      linked === 1 ||
      [...person.names, ...person.nifs.map(searchText)].some(
        (word) => word.length > 3 && search.includes(word),
      ),
  )
}

/** Returns the files of received invoices, or the original documents of invoices of an earlier program. */
export const filesAttachedTo = (
  ctx: Ctx,
  type: typeof RECEIVED_TARGET | typeof HISTORY_TARGET,
  rows: readonly number[],
): Promise<{ id: number; public_id: string; name: string; target: number }[]> =>
  all(
    ctx,
    sql<{ id: number; public_id: string; name: string; target: number }>`
      select f.id, f.public_id, f.name, l.target_id as target from file_links l join files f on f.id = l.file_id
      where f.book_id = ${ctx.book.id} and l.target_type = ${type} and l.target_id in ${listed(rows)}`,
  )

export const recordsOf = (ctx: Ctx, invoices: readonly number[]): Promise<{ id: number }[]> =>
  all(ctx, sql<{ id: number }>`select id from registry_records where invoice_id in ${listed(invoices)}`)

export const documentsOf = (ctx: Ctx, invoices: readonly number[]): Promise<{ id: number }[]> =>
  all(ctx, sql<{ id: number }>`select id from documents where invoice_id in ${listed(invoices)}`)

/** Returns the audit events about the person's contacts. */
export const historyOf = (ctx: Ctx, person: Person): Promise<{ sequence: number }[]> =>
  all(
    ctx,
    sql<{ sequence: number }>`
      select sequence from audit_events where book_id = ${ctx.book.id} and target_id in ${listed(person.contactIds)}`,
  )
