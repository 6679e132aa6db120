/** Finds people by name or number, shows their data by area, and lists those who are blocked. */
import { elementsOf, jsonText } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type {
  blockedPeopleContract,
  findPersonContract,
  liftBlockContract,
  previewErasureContract,
} from './contract.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { personOf } from './person.ts'
import { standingOf } from './standing.ts'

const MOST_PEOPLE = 20

type Someone = ContractOutput<typeof findPersonContract>['people'][number]

/** Escapes `%` and `_`, so that they match literally. */
const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

async function contactsFor(ctx: Ctx, text: string): Promise<Someone[]> {
  const words = searchText(text).split(' ')
  let query = ctx.db
    .selectFrom('contacts')
    .select(['public_id', 'name', 'nif', 'email', 'blocked_at'])
    .where('book_id', '=', ctx.book.id)
    .where('merged_into', 'is', null)
  query = query.where((where) =>
    where.or([
      where.and(words.map((word) => sql<boolean>`search like ${pattern(word)} escape '\\'`)),
      where('nif', '=', normalizeNif(text)),
    ]),
  )
  const rows = await query.orderBy('search').limit(MOST_PEOPLE).execute()
  return rows.map((row) => ({
    subject: { contactId: row.public_id },
    name: row.name,
    nif: row.nif,
    email: row.email,
    kind: row.blocked_at === null ? 'contact' : 'blocked',
  }))
}

/**
 * Returns people who appear on documents, in mails, in accounting system copies or as bank counterparties without
 * being a contact.
 */
async function othersFor(ctx: Ctx, text: string): Promise<Someone[]> {
  const folded = pattern(searchText(text))
  const nif = normalizeNif(text)
  const { rows } = await sql<{ name: string; nif: string | null }>`
    select name, nif from parties where book_id = ${ctx.book.id} and (search like ${folded} escape '\\' or nif = ${nif})
      and exists (select 1 from invoices i where i.party_id = parties.id and i.contact_id is null)
    union select supplier_name, supplier_nif from received_invoices where book_id = ${ctx.book.id} and contact_id is null
      and (search like ${folded} escape '\\' or supplier_nif = ${nif})
    union select client_name, client_nif from quotes where book_id = ${ctx.book.id} and contact_id is null
      and (search like ${folded} escape '\\' or client_nif = ${nif})
    union select name, nif from wage_recipients where book_id = ${ctx.book.id}
      and (nif = ${nif} or lower(name) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = wage_recipients.nif)
    union select landlord_name, landlord_nif from rented_premises where book_id = ${ctx.book.id}
      and (landlord_nif = ${nif} or lower(landlord_name) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = landlord_nif)
    union select coalesce(supplier_name, supplier_nif), supplier_nif from assets where book_id = ${ctx.book.id}
      and supplier_nif is not null and (supplier_nif = ${nif} or lower(supplier_name) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = supplier_nif)
    union select coalesce(issued_by_name, issued_by_nif), issued_by_nif from invoices where book_id = ${ctx.book.id}
      and issued_by = 'third_party' and (issued_by_nif = ${nif} or lower(issued_by_name) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = issued_by_nif)
    union select coalesce(partner_name, partner_nif), partner_nif from exchange_documents where book_id = ${ctx.book.id}
      and partner_nif is not null and (partner_nif = ${nif} or lower(partner_name) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = partner_nif)
    union select representative_name, representative_nif from exchange_settings where book_id = ${ctx.book.id}
      and representative_nif is not null
      and (representative_nif = ${nif} or lower(representative_name) like ${folded} escape '\\')
    union select coalesce(${jsonText(sql.ref('memory'), 'usual', 'supplierName', 'value')}, nif), nif from supplier_memory
      where book_id = ${ctx.book.id} and (nif = ${nif}
        or lower(${jsonText(sql.ref('memory'), 'usual', 'supplierName', 'value')}) like ${folded} escape '\\')
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = supplier_memory.nif)
    union select counterparty, null from bank_transactions where book_id = ${ctx.book.id} and counterparty is not null
      and search like ${folded} escape '\\'
    union select name, tax_id from erp_contacts where contact_id is null
      and connection_id in (select id from erp_connections where book_id = ${ctx.book.id})
      and (search like ${folded} escape '\\' or tax_id = ${nif})
    union select party_name, party_tax_id from erp_documents
      where connection_id in (select id from erp_connections where book_id = ${ctx.book.id})
      and (search like ${folded} escape '\\' or party_tax_id = ${nif})
      and not exists (select 1 from contacts where contacts.book_id = ${ctx.book.id} and contacts.nif = party_tax_id)
    limit ${MOST_PEOPLE}`.execute(ctx.db)
  const people = rows.map((row): Someone => ({
    subject: row.nif === null ? { name: row.name } : { nif: row.nif, name: row.name },
    name: row.name,
    nif: row.nif,
    email: null,
    kind: 'elsewhere',
  }))
  if (!text.includes('@')) return people
  const mails = await sql<{ email: string }>`
    select distinct lower(value) as email from mails, ${elementsOf(sql.ref('mails.recipients'))}
    where mails.book_id = ${ctx.book.id} and mails.emptied_at is null
      and lower(value) like ${pattern(text.trim().toLowerCase())} escape '\\' limit ${MOST_PEOPLE}`.execute(
    ctx.db,
  )
  return [
    ...people,
    ...mails.rows.map(({ email }): Someone => ({
      subject: { email },
      name: email,
      nif: null,
      email,
      kind: 'elsewhere',
    })),
  ]
}

export const findPerson: UseCase<typeof findPersonContract> = async (ctx, { text }) => {
  const contacts = await contactsFor(ctx, text)
  const nifs = new Set(contacts.map(({ nif }) => nif))
  const emails = new Set(contacts.map(({ email }) => email?.toLowerCase()))
  const names = new Set(contacts.map(({ name }) => searchText(name)))
  const others = (await othersFor(ctx, text)).filter(({ nif, email, name }) =>
    nif !== null ? !nifs.has(nif) : email !== null ? !emails.has(email) : !names.has(searchText(name)),
  )
  return { people: [...contacts, ...others].slice(0, MOST_PEOPLE) }
}

export const previewErasure: UseCase<typeof previewErasureContract> = async (ctx, { subject }) => {
  const { person, findings, blockUntil, hash } = await standingOf(ctx, await personOf(ctx, subject))
  return {
    name: person.name,
    nif: person.contacts[0]?.nif ?? subject.nif ?? null,
    contactId: person.contactIds[0] ?? null,
    isBlocked: person.contacts[0]?.blocked_at != null,
    findings,
    keepUntil: blockUntil ?? null,
    hash,
  }
}

export const blockedPeople: UseCase<typeof blockedPeopleContract> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('contacts')
    .select(['public_id', 'name', 'nif', 'blocked_at', 'keep_until'])
    .where('book_id', '=', ctx.book.id)
    .where('blocked_at', 'is not', null)
    .orderBy(sql`coalesce(keep_until, '9')`)
    .orderBy('search')
    .execute()
  const today = ctx.today()
  return {
    items: rows.map((row) => ({
      contactId: row.public_id,
      name: row.name,
      nif: row.nif,
      blockedAt: new Date(row.blocked_at ?? 0).toISOString(),
      keepUntil: row.keep_until,
      isOver: row.keep_until !== null && row.keep_until < today,
    })),
  }
}

/** Unblocks a contact: lawful when it becomes a customer again, when it was blocked by mistake, or for a claim. */
export const liftBlock: UseCase<typeof liftBlockContract> = (ctx, { contactId, reason }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(
      await tx.db
        .selectFrom('contacts')
        .select(['id', 'version'])
        .where('book_id', '=', tx.book.id)
        .where('public_id', '=', contactId)
        .where('blocked_at', 'is not', null)
        .executeTakeFirst(),
    )
    await tx.db
      .updateTable('contacts')
      .set({ blocked_at: null, keep_until: null, version: row.version + 1, updated_at: tx.now().getTime() })
      .where('id', '=', row.id)
      .execute()
    await recordAudit(tx, {
      action: 'privacy.block_lifted',
      target: { type: 'contact', id: contactId, label: reason },
    })
    await emitEvent(tx, 'contact.changed', { contactId })
    return { contactId }
  })
