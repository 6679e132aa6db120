/** Copies contacts from a company's other book that this one lacks. */
import { orNotFound } from '../../context.ts'
import type { Book, Ctx } from '../../context.ts'
import { recordContactChange } from './change.ts'
import { findContact, findSameContacts } from './rows.ts'
import type { ContactRecord } from './rows.ts'

/** Returns contacts of `from` after a row, oldest first; merged and blocked ones are skipped. */
export function contactsOfBook(
  ctx: Ctx,
  from: Book,
  page: { after: number; limit: number },
): Promise<ContactRecord[]> {
  return ctx.db
    .selectFrom('contacts')
    .selectAll()
    .where('book_id', '=', from.id)
    .where('id', '>', page.after)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

/**
 * Returns the contact of this book for one of another book: the one with its NIF or name, else a new one with the
 * same data. Also returns which of the two it is.
 */
export async function copyContact(
  tx: Ctx,
  source: ContactRecord,
): Promise<{ contact: ContactRecord; isNew: boolean }> {
  const [same] = await findSameContacts(tx, source.nif, source.name)
  if (same) return { contact: same, isNew: false }
  const { id: _id, book_id: _book, public_id: _publicId, ...columns } = source
  const now = tx.now().getTime()
  const publicId = tx.newId('con')
  await tx.db
    .insertInto('contacts')
    .values({
      ...columns,
      book_id: tx.book.id,
      public_id: publicId,
      created_at: now,
      updated_at: now,
      version: 1,
      used_at: null,
    })
    .execute()
  const contact = orNotFound(await findContact(tx, publicId))
  await recordContactChange(tx, 'contact.created', contact)
  return { contact, isNew: true }
}
