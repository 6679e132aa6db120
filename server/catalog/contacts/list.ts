/** Lists contacts by name, NIF or e-mail, with each one's invoiced total. Only the shown contacts are added up. */
import { elementsOf } from '../../db/engine-sql.ts'
import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { readMetadata } from '../../domain/contract/metadata.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText, normalizeText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { countOf, cursorPage, batchesOf } from '../../db/ordered-rows.ts'
import type { CursorPage, RowOrder } from '../../db/ordered-rows.ts'
import { chosen } from '../../db/selected-rows.ts'
import { matchesSearch } from '../../db/text-search.ts'
import type {
  Contact,
  ContactRow,
  exportContactsContract,
  getContactContract,
  IdType,
  listContactsContract,
} from './contract.ts'
import {
  addressOf,
  dir3Of,
  enclosuresOf,
  findContact,
  isBusinessOf,
  kindOf,
  shownNif,
  termsOf,
  vatDefaultOf,
} from './rows.ts'
import type { ContactRecord } from './rows.ts'

const DEFAULT_LIMIT = 50
const MIN_NIF_SEARCH = 3

/** Returns a contact in the form of the contract. */
export function contactView(row: ContactRecord): Contact {
  return {
    id: row.public_id,
    name: row.name,
    tradeName: row.trade_name,
    nif: shownNif(row),
    kind: kindOf(row),
    isBusiness: isBusinessOf(row),
    roles: { customer: row.is_customer === 1, supplier: row.is_supplier === 1 },
    idType: row.id_type as IdType | null,
    address: addressOf(row),
    email: row.email,
    phone: row.phone,
    iban: row.iban,
    paymentMethod: row.payment_method as Contact['paymentMethod'],
    vatDefault: vatDefaultOf(row),
    dir3: dir3Of(row),
    tags: JSON.parse(row.tags) as string[],
    externalRefs: JSON.parse(row.external_refs) as string[],
    metadata: readMetadata(row.metadata),
    surcharge: row.surcharge === 1,
    remindersOff: row.reminders_off === 1,
    invoiceEnclosures: enclosuresOf(row),
    withholdingPct: row.withholding_bp === null ? null : percentFromBasisPoints(row.withholding_bp),
    paymentDays: row.payment_days,
    paymentTerms:
      termsOf(row)?.map(({ days, percentBp }) => ({
        days,
        ...(percentBp === null ? {} : { percent: percentFromBasisPoints(percentBp) }),
      })) ?? null,
    language: row.language,
    notes: row.notes,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** Adds the valid invoices of each contact: count, total, uncollected amount (after withholding), last date. */
async function withTotals(ctx: Ctx, rows: readonly ContactRecord[]): Promise<ContactRow[]> {
  if (rows.length === 0) return []
  const totals = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [
      'contact_id',
      eb.fn.countAll<number>().as('invoices'),
      eb.fn.sum<number>('total_cents').as('invoiced'),
      sql<number>`sum(case when is_owed = 1 then due_cents else 0 end)`.as('owed'),
      eb.fn.max('list_date').as('last'),
    ])
    .where(
      'contact_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('state', '<>', 'draft')
    .where('cancelled_at', 'is', null)
    .groupBy('contact_id')
    .execute()
  const byContact = new Map(totals.map((total) => [total.contact_id, total]))
  return rows.map((row) => {
    const total = byContact.get(row.id)
    return {
      ...contactView(row),
      invoices: total?.invoices ?? 0,
      invoiced: eurosFromCents(total?.invoiced ?? 0),
      owed: eurosFromCents(total?.owed ?? 0),
      lastInvoiceOn: total?.last ?? null,
    }
  })
}

/** Escapes `%` and `_`, so that they match literally. */
function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}

/** Condition for a contact with this external reference; ignores case. */
function hasExternalRef(ref: string): Expression<SqlBool> {
  return sql<SqlBool>`(external_refs <> '[]' and exists (select 1 from ${elementsOf(sql.ref('external_refs'))} where lower(value) = ${normalizeText(ref).toLowerCase()}))`
}

/** Returns another contact that already has one of these references. */
export async function contactWithExternalRef(
  ctx: Ctx,
  refs: readonly string[],
  rowId: number,
): Promise<ContactRecord | undefined> {
  if (refs.length === 0) return undefined
  return matching(ctx, {})
    .selectAll()
    .where('id', '<>', rowId)
    .where((eb) => eb.or(refs.map(hasExternalRef)))
    .limit(1)
    .executeTakeFirst()
}

type Filter = Pick<
  ContractInput<typeof listContactsContract>,
  'text' | 'role' | 'tag' | 'nif' | 'externalRef' | 'updatedSince'
>

function matching(ctx: Ctx, { text, role, tag, nif: exactNif, externalRef, updatedSince }: Filter) {
  let query = ctx.db
    .selectFrom('contacts')
    .where('book_id', '=', ctx.book.id)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
  if (role === 'customer') query = query.where('is_customer', '=', 1)
  // A contact that has sent an invoice is a supplier, whether or not it was marked as one.
  if (role === 'supplier')
    query = query.where(
      sql<SqlBool>`(is_supplier = 1 or exists (select 1 from received_invoices r where r.contact_id = contacts.id))`,
    )
  if (tag !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select 1 from ${elementsOf(sql.ref('tags'))} where lower(value) = ${tag.trim().toLowerCase()})`,
    )
  if (exactNif !== undefined) query = query.where('nif', '=', normalizeNif(exactNif))
  if (externalRef !== undefined) query = query.where(hasExternalRef(externalRef))
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', Date.parse(updatedSince))
  const words = searchText(text ?? '')
    .split(' ')
    .filter(Boolean)
  if (words.length === 0) return query
  const nif = normalizeNif(text ?? '')
  return query.where((eb) => {
    const everyWord = matchesSearch(sql.ref('search'), text ?? '')
    // A NIF may be entered with dots and hyphens.
    const looksLikeNif = nif.length >= MIN_NIF_SEARCH && /\d/.test(nif)
    const ways = [everyWord, hasExternalRef(text ?? '')]
    if (looksLikeNif) ways.push(sql<SqlBool>`nif like ${likePattern(nif)} escape '\\'`)
    return eb.or(ways)
  })
}

const BY_NAME: RowOrder<ContactRecord> = {
  columns: ['search', 'id'],
  position: ({ search, id }) => [search, id],
}
const LAST_USED = sql<number>`coalesce(used_at, -1)`

/** A page of those last used first: no index has that order, in which names run the other way. */
async function pageByUse(ctx: Ctx, filter: Filter, page: CursorPage) {
  const { list, bound, cursor, limit, offset } = page
  let query = matching(ctx, filter).selectAll().orderBy(LAST_USED, 'desc')
  if (cursor !== undefined) {
    const [used, search, id] = readCursor(cursor, list, bound)
    query = query.where(
      sql<SqlBool>`(${LAST_USED} < ${used} or (${LAST_USED} = ${used} and (search, id) > (${search}, ${id})))`,
    )
  }
  const found = await query
    .orderBy('search')
    .orderBy('id')
    .limit(limit + 1)
    .offset(offset ?? 0)
    .execute()
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const position = last && [last.used_at ?? -1, last.search, last.id]
  return {
    rows,
    nextCursor: found.length > limit && position ? createCursor(list, bound, position) : null,
  }
}

/** Returns contacts of the book, by name or last used first. */
export const listContacts: UseCase<typeof listContactsContract> = async (
  ctx,
  { cursor, offset, limit = DEFAULT_LIMIT, sort = 'name', ...filter },
) => {
  const count = await countOf(matching(ctx, filter))
  const page = { list: 'contacts', bound: { ...filter, sort }, cursor, limit, offset }
  const { rows, nextCursor } =
    sort === '-lastUsed'
      ? await pageByUse(ctx, filter, page)
      : await cursorPage(matching(ctx, filter).selectAll(), BY_NAME, page)
  return { items: await withTotals(ctx, rows), count, nextCursor }
}

/** Yields all contacts of a selection, in batches. Throws `not_found` when one of them does not exist. */
export async function contactsChosen(
  ctx: Ctx,
  { ids, ...filter }: ContractInput<typeof exportContactsContract>,
): Promise<AsyncGenerator<readonly ContactRow[], void, undefined>> {
  const named = ids && (await chosen(ids, 'public_id', (some) => countOf(matching(ctx, {}).where(some))))
  const meant = named ? matching(ctx, filter).where(named) : matching(ctx, filter)
  return withTotalsOf(ctx, batchesOf(meant.selectAll(), BY_NAME))
}

async function* withTotalsOf(
  ctx: Ctx,
  stretches: AsyncIterable<readonly ContactRecord[]>,
): AsyncGenerator<readonly ContactRow[], void, undefined> {
  for await (const rows of stretches) yield await withTotals(ctx, rows)
}

/** Returns one contact with its invoiced total. */
export const getContact: UseCase<typeof getContactContract> = async (ctx, { id }) => {
  const row = orNotFound(await findContact(ctx, id))
  return orNotFound((await withTotals(ctx, [row]))[0])
}
