/** Contacts by name, NIF or e-mail, with what each was invoiced. Only the contacts shown are added up. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { eurosFromCents, percentFromBasisPoints } from '../core/money.ts'
import { normalizeNif } from '../core/nif.ts'
import { searchText } from '../core/text.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import type { Contact, ContactRow, IdType } from './contract.ts'
import { addressOf, findContact } from './rows.ts'
import type { ContactRecord } from './rows.ts'

const DEFAULT_LIMIT = 50
const MIN_NIF_SEARCH = 3

/** A contact as outsiders see it. */
export function contactView(row: ContactRecord): Contact {
  return {
    id: row.public_id,
    name: row.name,
    nif: row.nif,
    idType: row.id_type as IdType | null,
    address: addressOf(row),
    email: row.email,
    phone: row.phone,
    surcharge: row.surcharge === 1,
    withholdingPct: row.withholding_bp === null ? null : percentFromBasisPoints(row.withholding_bp),
    paymentDays: row.payment_days,
    language: row.language,
    notes: row.notes,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** Each contact with its invoices in force: how many, how much, what is not collected (after withholding), the last day. */
async function withTotals(ctx: Ctx, rows: readonly ContactRecord[]): Promise<ContactRow[]> {
  if (rows.length === 0) return []
  const totals = await ctx.db
    .selectFrom('invoices')
    .select((eb) => [
      'contact_id',
      eb.fn.countAll<number>().as('invoices'),
      eb.fn.sum<number>('total_cents').as('invoiced'),
      sql<number>`sum(case when is_owed = 1 then total_cents - withholding_cents - paid_cents else 0 end)`.as(
        'owed',
      ),
      eb.fn.max('list_date').as('last'),
    ])
    .where(
      'contact_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('state', '=', 'issued')
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

/** `%` and `_` typed by a person mean themselves. */
function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}

function matching(ctx: Ctx, text: string | undefined) {
  let query = ctx.db.selectFrom('contacts').where('book_id', '=', ctx.book.id)
  const words = searchText(text ?? '')
    .split(' ')
    .filter(Boolean)
  if (words.length === 0) return query
  const nif = normalizeNif(text ?? '')
  query = query.where((eb) => {
    const everyWord = eb.and(words.map((word) => sql<SqlBool>`search like ${likePattern(word)} escape '\\'`))
    // A NIF typed with its dots and hyphens is still that NIF.
    const looksLikeNif = nif.length >= MIN_NIF_SEARCH && /\d/.test(nif)
    return looksLikeNif
      ? eb.or([everyWord, sql<SqlBool>`nif like ${likePattern(nif)} escape '\\'`])
      : everyWord
  })
  return query
}

/** Contacts of the book, by name or last used first. */
export const listContacts: UseCase<ParsedInputOf<'contacts.list'>, OutputOf<'contacts.list'>> = async (
  ctx,
  input,
) => {
  const { count } = await matching(ctx, input.text)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  let query = matching(ctx, input.text).selectAll()
  if (input.sort === '-lastUsed') query = query.orderBy(sql`used_at is null`).orderBy('used_at', 'desc')
  const rows = await query
    .orderBy('search')
    .orderBy('id')
    .limit(input.limit ?? DEFAULT_LIMIT)
    .offset(input.offset ?? 0)
    .execute()
  return { items: await withTotals(ctx, rows), count }
}

/** One contact with what it has been invoiced. */
export const getContact: UseCase<ParsedInputOf<'contacts.get'>, OutputOf<'contacts.get'>> = async (
  ctx,
  { id },
) => {
  const row = found(await findContact(ctx, id))
  return found((await withTotals(ctx, [row]))[0])
}
