/** The contacts' own rows. */
import type { Selectable } from 'kysely'
import { normalizeNif } from '../core/nif.ts'
import type { Ctx } from '../ctx.ts'
import { prepare } from '../store/query.ts'
import type { ContactsTable } from '../store/schema.ts'
import type { Address } from '../company/contract.ts'
import type { IdType } from './contract.ts'

export type ContactRecord = Selectable<ContactsTable>

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('contacts').selectAll().where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

const byNif = prepare((db, p: { bookId: number; nif: string }) =>
  db
    .selectFrom('contacts')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('nif', '=', p.nif)
    .orderBy('id')
    .limit(2),
)

/** A contact of the book by its public identifier, or null. */
export async function findContact(ctx: Ctx, publicId: string): Promise<ContactRecord | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

/** The contacts of a NIF, oldest first; two at most, for one question is whether it is only one. */
export function contactsWithNif(ctx: Ctx, nif: string): Promise<ContactRecord[]> {
  return byNif.all(ctx.db, { bookId: ctx.book.id, nif: normalizeNif(nif) })
}

/** The address of a row; null when it is not complete. */
export function addressOf(row: ContactRecord): Address | null {
  const { street, postal_code: postalCode, city, province, country } = row
  if (!street || !postalCode || !city) return null
  return { street, postalCode, city, ...(province ? { province } : {}), country }
}

/** What an invoice takes from a contact. */
export interface ContactFacts {
  id: string
  rowId: number
  name: string
  nif: string | null
  idType: IdType | null
  address: Address | null
  country: string
  email: string | null
  phone: string | null
  surcharge: boolean
  withholdingBp: number | null
  paymentDays: number | null
  language: 'es' | 'en' | null
}

function factsOf(row: ContactRecord): ContactFacts {
  return {
    id: row.public_id,
    rowId: row.id,
    name: row.name,
    nif: row.nif,
    idType: row.id_type as IdType | null,
    address: addressOf(row),
    country: row.country,
    email: row.email,
    phone: row.phone,
    surcharge: row.surcharge === 1,
    withholdingBp: row.withholding_bp,
    paymentDays: row.payment_days,
    language: row.language,
  }
}

/** What an invoice takes from a contact, or null when the book has no such contact. */
export async function contactFacts(ctx: Ctx, publicId: string): Promise<ContactFacts | null> {
  const row = await findContact(ctx, publicId)
  return row ? factsOf(row) : null
}

/** The only contact with a NIF; null when there is none, or more than one to choose from. */
export async function findContactByNif(ctx: Ctx, nif: string): Promise<ContactFacts | null> {
  const [row, other] = await contactsWithNif(ctx, nif)
  return row && !other ? factsOf(row) : null
}

const markUsed = prepare((db, p: { id: number; bookId: number; at: number }) =>
  db.updateTable('contacts').set({ used_at: p.at }).where('id', '=', p.id).where('book_id', '=', p.bookId),
)

/** Notes that a contact was put on a draft now, for "last used first". Not a change of the contact: its version stays. */
export async function markContactUsed(tx: Ctx, rowId: number): Promise<void> {
  await markUsed.run(tx.db, { id: rowId, bookId: tx.book.id, at: tx.now().getTime() })
}
