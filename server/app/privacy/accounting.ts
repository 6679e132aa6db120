/** A person's data copied from an external accounting system: the copies are erased, the other system keeps its own. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { belongsTo, namesPerson } from './person.ts'
import type { Person } from './person.ts'
import { listed } from './rows.ts'

interface ReadElsewhere {
  /** `erp_contacts`, `erp_documents` or `erp_rejects`, and the row. */
  key: string
  table: 'erp_contacts' | 'erp_documents' | 'erp_rejects'
  id: number
  label: string
}

/** Returns the copied contacts of the person, documents in their name, and unreadable rows that mention them. */
export async function erpCopiesOf(ctx: Ctx, person: Person): Promise<ReadElsewhere[]> {
  const connections = sql`(select id from erp_connections where book_id = ${ctx.book.id})`
  const contacts = (
    await sql<{
      id: number
      external_id: string
      name: string
      nif: string | null
      email: string | null
      contact_id: number | null
    }>`select id, external_id, name, tax_id as nif, email, contact_id from erp_contacts
      where connection_id in ${connections} and (tax_id is null or tax_id in ${listed(person.nifs)}
        or contact_id in ${listed(person.contactRows)})`.execute(ctx.db)
  ).rows.filter(
    (row) =>
      (row.contact_id !== null && person.contactRows.includes(row.contact_id)) || belongsTo(person, row),
  )
  const documents = (
    await sql<{ id: number; number: string | null; name: string; nif: string | null; party: string | null }>`
      select id, number, party_name as name, party_tax_id as nif, party_external_id as party from erp_documents
      where connection_id in ${connections} and (party_tax_id is null or party_tax_id in ${listed(person.nifs)}
        or party_external_id in ${listed(contacts.map((row) => row.external_id))})`.execute(ctx.db)
  ).rows.filter(
    (row) => belongsTo(person, row) || contacts.some((contact) => contact.external_id === row.party),
  )
  const rejects = (
    await sql<{ id: number; resource: string; raw: string }>`select id, resource, raw from erp_rejects
      where connection_id in ${connections}`.execute(ctx.db)
  ).rows.filter(({ raw }) => namesPerson(person, raw))
  const of = (table: ReadElsewhere['table'], id: number, label: string): ReadElsewhere => ({
    key: `${table} ${id}`,
    table,
    id,
    label,
  })
  return [
    ...contacts.map((row) => of('erp_contacts', row.id, row.name)),
    ...documents.map((row) => of('erp_documents', row.id, row.number ?? row.name)),
    ...rejects.map((row) => of('erp_rejects', row.id, row.resource)),
  ]
}

function parted(keys: readonly (string | number)[]): { table: ReadElsewhere['table']; id: number }[] {
  return keys.map((key) => {
    const [table, id] = String(key).split(' ')
    return { table: table as ReadElsewhere['table'], id: Number(id) }
  })
}

/** Erases the copies. The next synchronization brings back what the other system still has. */
export async function eraseElsewhere(tx: Ctx, keys: readonly (string | number)[]): Promise<void> {
  for (const { table, id } of parted(keys)) await tx.db.deleteFrom(table).where('id', '=', id).execute()
}

/** Returns the copied records as they were read, for the person's export. */
export async function erpCopyRows(
  ctx: Ctx,
  keys: readonly (string | number)[],
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (const { table, id } of parted(keys)) {
    const column = table === 'erp_rejects' ? sql<string>`raw` : sql<string>`record`
    const row = await ctx.db
      .selectFrom(table)
      .select(column.as('record'))
      .where('id', '=', id)
      .executeTakeFirst()
    if (row)
      rows.push(
        table === 'erp_rejects'
          ? { raw: row.record }
          : (JSON.parse(row.record) as object as Record<string, unknown>),
      )
  }
  return rows
}
