/**
 * What went between the company and others of the person's invoices: by the public platform, by the portal of public bodies, and
 * on reply pages. It stays as long as the invoices themselves. What was agreed about how somebody receives, and who acts for the
 * company, is erased.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { readExchanged } from '../../integrations/exchange/index.ts'
import { belongsTo } from './person.ts'
import type { Person } from './person.ts'
import { listed } from './rows.ts'

type Keys = readonly (number | string)[]
type Row = Record<string, unknown>

/** One thing: its key names its kind and row. */
interface ExchangedThing {
  key: string
  label: string
  link: string
  issuedOn: BusinessDate
  invoice: number | null
  received: number | null
}

async function all<Found>(ctx: Ctx, query: RawBuilder<Found>): Promise<Found[]> {
  return (await query.execute(ctx.db)).rows
}

const idsIn = (keys: Keys, kind: string): number[] =>
  keys.flatMap((key) => (String(key).startsWith(`${kind} `) ? [Number(String(key).split(' ')[1])] : []))

/** Returns what was exchanged of some invoices, and what names the person as the other party or by an address. */
export async function exchangedOf(
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
  received: readonly number[],
): Promise<ExchangedThing[]> {
  const documents = await all(
    ctx,
    sql<{
      id: number
      number: string
      day: string
      invoice: number | null
      received: number | null
    }>`
      select id, number, issue_date as day, invoice_id as invoice, received_id as received
      from exchange_documents where book_id = ${ctx.book.id} and (invoice_id in ${listed(invoices)}
        or received_id in ${listed(received)} or partner_nif in ${listed(person.nifs)}) order by id`,
  )
  const submissions = await all(
    ctx,
    sql<{ id: number; publicId: string; number: string; day: string; invoice: number }>`
      select s.id, i.public_id as "publicId", i.number, i.issue_date as day, i.id as invoice
      from portal_submissions s join invoices i on i.id = s.invoice_id
      where s.book_id = ${ctx.book.id} and (s.invoice_id in ${listed(invoices)}
        or lower(s.email) in ${listed(person.emails)}) order by s.id`,
  )
  const pages = await all(
    ctx,
    sql<{ id: number; publicId: string; number: string; day: string; invoice: number }>`
      select p.id, i.public_id as "publicId", i.number, i.issue_date as day, i.id as invoice
      from reply_pages p join invoices i on i.id = p.invoice_id
      where p.book_id = ${ctx.book.id} and p.invoice_id in ${listed(invoices)} order by p.id`,
  )
  return [
    ...documents.map(({ id, number, day, ...of }) => ({
      key: `document ${id}`,
      label: number,
      link: '/exchange/invoices',
      issuedOn: day,
      ...of,
    })),
    ...[
      ...submissions.map((row) => ['submission', row] as const),
      ...pages.map((row) => ['page', row] as const),
    ].map(([kind, { id, publicId, number, day, invoice }]) => ({
      key: `${kind} ${id}`,
      label: number,
      link: `/invoices/${publicId}`,
      issuedOn: day,
      invoice,
      received: null,
    })),
  ]
}

const instant = (at: unknown): string | null => (at === null ? null : new Date(Number(at)).toISOString())

/** Returns rows with their instants as ISO 8601. */
function dated(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name === 'at' || name.endsWith('_at') ? instant(value) : value,
      ]),
    ),
  )
}

/** Returns rows by the row that they belong to, without its key. */
function grouped(rows: readonly (Row & { of: unknown })[]): (id: unknown) => Row[] {
  return (id) => dated(rows.filter(({ of }) => of === id).map(({ of: _of, ...row }) => row))
}

/** Returns what was exchanged as it is handed to the person. */
export async function exchangedRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const documentIds = listed(idsIn(keys, 'document'))
  const documents = await all(
    ctx,
    sql<
      Row & { row: number }
    >`select id as row, public_id as id, direction, issuer_nif, number, issue_date, partner_nif, partner_name,
      total_cents, due_date, state, why, partner_said, partner_day, said, said_day, locator, csv, sent_at, created_at
      from exchange_documents where id in ${documentIds} order by id`,
  )
  const reportsOf = grouped(
    await all(
      ctx,
      sql<
        Row & { of: unknown }
      >`select document_id as "of", kind, day, due_date, reason, note, state, code, detail, sent_at, created_at
      from exchange_reports where document_id in ${documentIds} order by document_id, position`,
    ),
  )
  const factsOf = grouped(
    await all(
      ctx,
      sql<Row & { of: unknown }>`select document_id as "of", at, fact, day, code, note from exchange_facts
      where document_id in ${documentIds} order by id`,
    ),
  )
  const submissionIds = listed(idsIn(keys, 'submission'))
  const submissions = await all(
    ctx,
    sql<
      Row & { row: number }
    >`select s.id as row, s.public_id as id, i.number as invoice, s.units, s.email, s.file_name, s.state,
      s.registry_number, s.received_at as portal_received, s.why, s.detail, s.sent_at, s.created_at
      from portal_submissions s join invoices i on i.id = s.invoice_id where s.id in ${submissionIds} order by s.id`,
  )
  const statesOf = grouped(
    await all(
      ctx,
      sql<
        Row & { of: unknown }
      >`select submission_id as "of", kind, code, description, reason, seen_at from portal_states
      where submission_id in ${submissionIds} order by id`,
    ),
  )
  const cancellationsOf = grouped(
    await all(
      ctx,
      sql<
        Row & { of: unknown }
      >`select submission_id as "of", reason, state, why, detail, created_at from portal_cancellations
      where submission_id in ${submissionIds} order by id`,
    ),
  )
  const pages = await all(
    ctx,
    sql<
      Row & { facts: string }
    >`select p.public_id as id, i.number as invoice, p.language, p.facts, p.offered_at, p.superseded_at
      from reply_pages p join invoices i on i.id = p.invoice_id where p.id in ${listed(idsIn(keys, 'page'))} order by p.id`,
  )
  return [
    ...documents.map(({ row, ...document }) => ({
      by: 'platform',
      ...dated([document])[0],
      reports: reportsOf(row),
      facts: factsOf(row),
    })),
    ...submissions.map(({ row, units, ...submission }) => ({
      by: 'portal',
      ...dated([submission])[0],
      units: JSON.parse(String(units)) as unknown,
      states: statesOf(row),
      cancellations: cancellationsOf(row),
    })),
    ...pages.map(({ facts, ...page }) => ({
      by: 'reply page',
      ...dated([page])[0],
      facts: JSON.parse(facts) as unknown,
    })),
  ]
}

/** Returns the exact files that went between the company and the platform, with names for an archive. */
export async function* exchangedFiles(
  ctx: Ctx,
  keys: Keys,
): AsyncGenerator<{ name: string; bytes: Uint8Array }, void, undefined> {
  const rows = await all(
    ctx,
    sql<{ number: string; content: number }>`select number, content_id as content from exchange_documents
      where content_id is not null and id in ${listed(idsIn(keys, 'document'))} order by id`,
  )
  for (const { number, content } of rows)
    yield { name: `${number}.xml`, bytes: await readExchanged(ctx, content) }
}

/** An agreement or statement that names the person. */
interface AgreementThing {
  key: string
  version: number
  label: string
  link: string
}

/** Returns how the person receives invoices, where they act for the company, and where answers about them go to their mail. */
export async function agreementsOf(ctx: Ctx, person: Person): Promise<AgreementThing[]> {
  const contacts = await all(
    ctx,
    sql<{
      id: number
      version: number
      name: string
      publicId: string
    }>`select c.id, e.version, c.name, c.public_id as "publicId"
      from exchange_contacts e join contacts c on c.id = e.contact_id
      where e.book_id = ${ctx.book.id} and e.contact_id in ${listed(person.contactRows)} order by c.id`,
  )
  const representatives = await all(
    ctx,
    sql<{
      version: number
      nif: string
      name: string
    }>`select version, representative_nif as nif, representative_name as name
      from exchange_settings where book_id = ${ctx.book.id} and representative_nif is not null`,
  )
  const mails = await all(
    ctx,
    sql<{ email: string }>`select email from portal_settings where book_id = ${ctx.book.id}
      and lower(email) in ${listed(person.emails)}`,
  )
  return [
    ...contacts.map(({ id, version, name, publicId }) => ({
      key: `contact ${id}`,
      version,
      label: name,
      link: `/contacts/${publicId}`,
    })),
    ...representatives
      .filter((row) => belongsTo(person, row))
      .map(({ version, name }) => ({
        key: `representative ${ctx.book.id}`,
        version,
        label: name,
        link: '/exchange/law',
      })),
    ...mails.map(({ email }) => ({
      key: `address ${ctx.book.id}`,
      version: 0,
      label: email,
      link: '/settings/portal',
    })),
  ]
}

/** Returns agreements as they are handed to the person. */
export async function agreementRows(ctx: Ctx, keys: Keys): Promise<Row[]> {
  const contacts = await all(
    ctx,
    sql<Row>`select 'receives' as what, c.name, e.channel, e.platform_name, e.entry_point, e.agreed_on, e.accepts_original_on
      from exchange_contacts e join contacts c on c.id = e.contact_id
      where e.contact_id in ${listed(idsIn(keys, 'contact'))} order by c.id`,
  )
  const representatives = await all(
    ctx,
    sql<Row>`select 'represents' as what, representation, representative_nif as nif, representative_name as name,
      representation_since as since_at from exchange_settings where book_id in ${listed(idsIn(keys, 'representative'))}`,
  )
  const addresses = await all(
    ctx,
    sql<Row>`select 'is written to by the portal' as what, email from portal_settings
      where book_id in ${listed(idsIn(keys, 'address'))}`,
  )
  return dated([...contacts, ...representatives, ...addresses])
}

/** Erases agreements: the person receives by the public platform, acts for nobody, and gets no mail of the portal. */
export async function eraseAgreements(tx: Ctx, keys: Keys): Promise<void> {
  await sql`delete from exchange_contacts where contact_id in ${listed(idsIn(keys, 'contact'))}`.execute(
    tx.db,
  )
  await sql`update exchange_settings set representation = null, representative_nif = null, representative_name = null,
    representative_certificate = null, representation_since = null, representation_by = null, version = version + 1
    where book_id in ${listed(idsIn(keys, 'representative'))}`.execute(tx.db)
  await sql`update portal_settings set email = null where book_id in ${listed(idsIn(keys, 'address'))}`.execute(
    tx.db,
  )
}
