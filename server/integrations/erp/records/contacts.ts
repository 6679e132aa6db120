/** Compares contacts of the accounting system with the contacts here: linked, matching, different. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import { findContact, findContactByRow } from '../../../catalog/contacts/index.ts'
import type { ContactRecord } from '../../../catalog/contacts/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { orNotFound } from '../../../context.ts'
import { cursorPage, inOrder } from '../../../db/ordered-rows.ts'
import type { RowOrder } from '../../../db/ordered-rows.ts'
import { prepare } from '../../../db/query.ts'
import type { ErpContactsTable } from '../../../db/schema.ts'
import { matchesSearch } from '../../../db/text-search.ts'
import type { NeutralContact } from '../port.ts'
import { LINK_FIELDS } from './link-fields.ts'
import type {
  compareContactsContract,
  compareWithContract,
  Comparison,
  ErpContact,
  LinkField,
  listErpContactsContract,
  Matching,
} from './contract.ts'
import { shownConnection } from '../connection/rows.ts'
import type { ConnectionRow } from '../connection/rows.ts'

export type ErpContactRow = Selectable<ErpContactsTable>

const DEFAULT_LIMIT = 25
const DEFAULT_STRETCH = 50
const CANDIDATES = 10

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('erp_contacts')
    .innerJoin('erp_connections', 'erp_connections.id', 'erp_contacts.connection_id')
    .selectAll('erp_contacts')
    .where('erp_connections.book_id', '=', p.bookId)
    .where('erp_contacts.public_id', '=', p.publicId),
)

/** Returns a contact of the book's connections. Throws `not_found`. */
export async function findErpContact(ctx: Ctx, publicId: string): Promise<ErpContactRow> {
  return orNotFound(await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

export function neutralContact(row: Pick<ErpContactRow, 'record'>): NeutralContact {
  return JSON.parse(row.record) as NeutralContact
}

/** Returns the contact here that a row is linked to, also through a merge; null without one. */
export async function linkedTo(
  ctx: Ctx,
  row: Pick<ErpContactRow, 'contact_id'>,
): Promise<ContactRecord | null> {
  if (row.contact_id === null) return null
  const contact = await findContactByRow(ctx, row.contact_id)
  return contact && findContact(ctx, contact.public_id)
}

const linkOf = (contact: Pick<ContactRecord, 'public_id' | 'name'>) => ({
  contactId: contact.public_id,
  name: contact.name,
})

async function contactView(ctx: Ctx, row: ErpContactRow): Promise<ErpContact> {
  const record = neutralContact(row)
  const linked = await linkedTo(ctx, row)
  const { address } = record
  return {
    id: row.public_id,
    externalId: row.external_id,
    name: record.name,
    tradeName: record.tradeName,
    taxId: record.taxId,
    country: record.taxIdCountry ?? address?.countryCode ?? null,
    isClient: row.is_client === 1,
    isSupplier: row.is_supplier === 1,
    email: record.email,
    phone: record.phone ?? record.mobile,
    iban: record.iban,
    address: address && {
      street: address.line,
      postalCode: address.postalCode,
      city: address.city,
      province: address.province,
      country: address.countryCode,
    },
    archived: row.archived === 1,
    missingSince: row.missing_since === null ? null : new Date(row.missing_since).toISOString(),
    changedAt: new Date(row.changed_at).toISOString(),
    link: linked && linkOf(linked),
    warnings: [...record.warnings],
    untrusted: true,
  }
}

type Filter = Pick<ContractInput<typeof listErpContactsContract>, 'text' | 'missing' | 'role' | 'linked'>

function filtered(ctx: Ctx, connection: ConnectionRow, filter: Filter) {
  let query = ctx.db.selectFrom('erp_contacts').where('connection_id', '=', connection.id)
  if (filter.missing !== undefined)
    query = query.where('missing_since', filter.missing ? 'is not' : 'is', null)
  if (filter.role !== undefined)
    query = query.where(filter.role === 'client' ? 'is_client' : 'is_supplier', '=', 1)
  if (filter.linked !== undefined) query = query.where('contact_id', filter.linked ? 'is not' : 'is', null)
  return filter.text === undefined ? query : query.where(matchesSearch(sql.ref('search'), filter.text))
}

const BY_NAME: RowOrder<ErpContactRow> = {
  columns: ['search', 'id'],
  position: ({ search, id }) => [search, id],
}

/** Returns a page by name, with a cursor. */
export const listErpContacts: UseCase<typeof listErpContactsContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor, connectionId, ...filter },
) => {
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], nextCursor: null }
  const bound = { ...filter, connection: connection.public_id }
  const { rows, nextCursor } = await cursorPage(filtered(ctx, connection, filter).selectAll(), BY_NAME, {
    list: 'erp.contacts',
    bound,
    cursor,
    limit,
  })
  const items: ErpContact[] = []
  for (const row of rows) items.push(await contactView(ctx, row))
  return { items, nextCursor }
}

/** Contacts here with a tax number: neither merged nor blocked. */
const HERE = (bookId: number) => sql`contacts where contacts.book_id = ${bookId}
  and contacts.nif = erp_contacts.tax_id and contacts.merged_into is null and contacts.blocked_at is null`

/** Returns how an external contact relates to those here. */
function matchingSql(bookId: number) {
  return sql<Matching>`case
    when contact_id is not null then 'linked'
    when tax_id is null or not exists (select 1 from ${HERE(bookId)}) then 'new'
    when (select count(*) from ${HERE(bookId)}) = 1
      and (select count(*) from erp_contacts as twins where twins.connection_id = erp_contacts.connection_id
        and twins.tax_id = erp_contacts.tax_id and twins.missing_since is null) <= 1 then 'same_tax_id'
    else 'conflict' end`
}

async function candidatesOf(ctx: Ctx, row: ErpContactRow): Promise<ContactRecord[]> {
  if (row.tax_id === null) return []
  return ctx.db
    .selectFrom('contacts')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('nif', '=', row.tax_id)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('id')
    .limit(CANDIDATES)
    .execute()
}

const joined = (...parts: (string | null | undefined)[]): string | null =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ') || null

/** Returns the value of a field of a contact here, as text for the comparison. */
function hereText(contact: ContactRecord, field: LinkField): string | null {
  if (field === 'tradeName') return contact.trade_name
  if (field === 'address')
    return joined(
      contact.street,
      contact.postal_code,
      contact.city,
      contact.province,
      contact.street && contact.country,
    )
  return contact[field]
}

function thereText(record: NeutralContact, field: LinkField): string | null {
  const { address } = record
  if (field === 'nif') return record.taxId
  if (field === 'phone') return record.phone ?? record.mobile
  if (field === 'address')
    return (
      address &&
      joined(
        address.line,
        address.postalCode,
        address.city,
        address.province,
        address.line && (address.countryCode ?? 'ES'),
      )
    )
  return record[field]
}

const same = (a: string | null, b: string | null) =>
  (a ?? '').replace(/\s+/g, ' ').trim().toLowerCase() === (b ?? '').replace(/\s+/g, ' ').trim().toLowerCase()

/** Returns the fields in which both have different values, or only the external one has a value. */
function differencesOf(contact: ContactRecord, record: NeutralContact): Comparison['differences'] {
  return LINK_FIELDS.flatMap((field) => {
    const here = hereText(contact, field)
    const there = thereText(record, field)
    return there === null || same(here, there) ? [] : [{ field, here, there }]
  })
}

/** Compares external contacts with those here. Reads only. */
export const compareContacts: UseCase<typeof compareContactsContract> = async (
  ctx,
  { offset = 0, limit = DEFAULT_STRETCH, connectionId, matching, ...filter },
) => {
  const counts: Record<Matching, number> = { linked: 0, same_tax_id: 0, new: 0, conflict: 0 }
  const connection = await shownConnection(ctx, connectionId)
  if (!connection) return { items: [], offset, count: 0, counts }
  const how = matchingSql(ctx.book.id)
  const grouped = await filtered(ctx, connection, filter)
    .select((eb) => [how.as('matching'), eb.fn.countAll<number>().as('count')])
    .groupBy('matching')
    .execute()
  for (const each of grouped) counts[each.matching] = each.count
  let query = filtered(ctx, connection, filter).selectAll().select(how.as('matching'))
  if (matching !== undefined) query = query.where(sql<SqlBool>`${how} = ${matching}`)
  const rows = await inOrder(query, BY_NAME).limit(limit).offset(offset).execute()
  const items: Comparison[] = []
  for (const { matching: kind, ...row } of rows) {
    const candidates = kind === 'linked' || kind === 'new' ? [] : await candidatesOf(ctx, row)
    const beside =
      kind === 'linked' ? await linkedTo(ctx, row) : kind === 'same_tax_id' ? candidates[0] : null
    items.push({
      erp: await contactView(ctx, row),
      // Its contact is blocked by now: there is nothing to show.
      matching: kind,
      candidates: candidates.map(linkOf),
      differences: beside ? differencesOf(beside, neutralContact(row)) : [],
    })
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { items, offset, count: matching === undefined ? all : counts[matching], counts }
}

/** Compares one external contact with any contact here. */
export const compareWith: UseCase<typeof compareWithContract> = async (ctx, { id, contactId }) => {
  const row = await findErpContact(ctx, id)
  const contact = orNotFound(await findContact(ctx, contactId))
  return { differences: differencesOf(contact, neutralContact(row)) }
}
