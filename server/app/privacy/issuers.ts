/**
 * Third parties that issue invoices in the company's name, whom invoices, recurring invoices and templates name: found,
 * taken out of what is not issued yet, and written for the person.
 */
import { sql } from 'kysely'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { belongsTo } from './person.ts'
import type { Person } from './person.ts'

const STORED = ['recurrences', 'templates'] as const
type StoredTable = (typeof STORED)[number]

interface IssuerThing {
  /** Kind and row: `invoices 12`. */
  key: string
  version: number
  label: string
  link: string
  /** Day of the issue; null for what is not issued. */
  issuedOn: BusinessDate | null
}

interface NamedIssuer {
  kind?: string
  name?: string | null
  nif?: string | null
}

/** Returns who issues the invoices of a stored content. */
function issuerOf(content: string): NamedIssuer {
  const { issuedBy } = JSON.parse(content) as { issuedBy?: NamedIssuer | null }
  return issuedBy ?? {}
}

const isTheirs = (person: Person, { name = null, nif = null }: NamedIssuer): boolean =>
  (name !== null || nif !== null) && belongsTo(person, { name, nif })

/** Returns what names the person as whoever issues it. */
export async function issuersOf(ctx: Ctx, person: Person): Promise<IssuerThing[]> {
  const invoices = await ctx.db
    .selectFrom('invoices')
    .select([
      'id',
      'public_id',
      'number',
      'state',
      'issue_date',
      'version',
      'issued_by_name',
      'issued_by_nif',
    ])
    .where('book_id', '=', ctx.book.id)
    .where('issued_by', '=', 'third_party')
    .orderBy('id')
    .execute()
  const found = invoices
    .filter((row) => isTheirs(person, { name: row.issued_by_name, nif: row.issued_by_nif }))
    .map((row) => ({
      key: `invoices ${row.id}`,
      version: row.version,
      label: row.number ?? '',
      link: row.state === 'draft' ? `/invoices/${row.public_id}/edit` : `/invoices/${row.public_id}`,
      issuedOn: row.state === 'draft' ? null : row.issue_date,
    }))
  for (const table of STORED) {
    const rows = await ctx.db
      .selectFrom(table)
      .select(['id', 'public_id', 'name', 'content', 'version'])
      .where('book_id', '=', ctx.book.id)
      .where('content', 'like', '%"issuedBy"%')
      .orderBy('id')
      .execute()
    for (const { id, public_id: publicId, name, content, version } of rows)
      if (isTheirs(person, issuerOf(content)))
        found.push({
          key: `${table} ${id}`,
          version,
          label: name,
          link: table === 'templates' ? '/templates' : `/recurring/${publicId}`,
          issuedOn: null,
        })
  }
  return found
}

type Keys = readonly (number | string)[]

const idsIn = (keys: Keys, table: 'invoices' | StoredTable): number[] =>
  keys.flatMap((key) => (String(key).startsWith(`${table} `) ? [Number(String(key).split(' ')[1])] : []))

const BLANK = {
  issued_by: null,
  issued_by_name: null,
  issued_by_nif: null,
  issued_by_id_type: null,
  issued_by_country: null,
  issued_by_street: null,
  issued_by_postal_code: null,
  issued_by_city: null,
  issued_by_province: null,
}

/** Takes the person out of drafts, recurring invoices and templates: they are issued by the company again. */
export async function eraseIssuers(tx: Ctx, keys: Keys): Promise<void> {
  for (const id of idsIn(keys, 'invoices'))
    await tx.db
      .updateTable('invoices')
      .set((eb) => ({ ...BLANK, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'draft')
      .execute()
  for (const table of STORED)
    for (const id of idsIn(keys, table)) {
      const row = await tx.db.selectFrom(table).select('content').where('id', '=', id).executeTakeFirst()
      // What was addressed to the person as well is gone already.
      if (!row) continue
      const { issuedBy: _erased, ...content } = JSON.parse(row.content) as Record<string, unknown>
      await tx.db
        .updateTable(table)
        .set((eb) => ({ content: JSON.stringify(content), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }
}

/** Returns what the book holds of the person as whoever issues invoices, and of which ones. */
export async function issuerRows(ctx: Ctx, keys: Keys): Promise<Record<string, unknown>[]> {
  const ids = idsIn(keys, 'invoices')
  const invoices =
    ids.length === 0
      ? []
      : await ctx.db
          .selectFrom('invoices')
          .select([
            'public_id as id',
            'number',
            'issue_date',
            'issued_by_name as name',
            'issued_by_nif as nif',
          ])
          .select([
            'issued_by_id_type as id_type',
            'issued_by_country as country',
            'issued_by_street as street',
          ])
          .select(['issued_by_postal_code as postal_code', 'issued_by_city as city'])
          .select('issued_by_province as province')
          .where('id', 'in', ids)
          .execute()
  const stored: Record<string, unknown>[] = []
  for (const table of STORED) {
    const { rows } = await sql<{ public_id: string; name: string; content: string }>`
      select public_id, name, content from ${sql.table(table)} where book_id = ${ctx.book.id}
        and id in (${sql.join([0, ...idsIn(keys, table)])})`.execute(ctx.db)
    for (const { public_id: id, name, content } of rows) stored.push({ id, of: name, ...issuerOf(content) })
  }
  return [...invoices, ...stored]
}
