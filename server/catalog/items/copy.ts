/** Copies items from a company's other book that this one lacks. */
import { orNotFound } from '../../context.ts'
import type { Book, Ctx } from '../../context.ts'
import { recordItemChange } from './change.ts'
import { findItem, findSameItems } from './rows.ts'
import type { ItemRecord } from './rows.ts'

/** Returns items of `from` after a row, oldest first. */
export function itemsOfBook(
  ctx: Ctx,
  from: Book,
  page: { after: number; limit: number },
): Promise<ItemRecord[]> {
  return ctx.db
    .selectFrom('items')
    .selectAll()
    .where('book_id', '=', from.id)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
}

/**
 * Returns the item of this book for one of another book: the one with its code or name, else a new one with the same
 * data. Also returns which of the two it is.
 */
export async function copyItem(tx: Ctx, source: ItemRecord): Promise<{ item: ItemRecord; isNew: boolean }> {
  const [same] = await findSameItems(tx, source.sku, source.name)
  if (same) return { item: same, isNew: false }
  const { id: _id, book_id: _book, public_id: _publicId, ...columns } = source
  const now = tx.now().getTime()
  const publicId = tx.newId('itm')
  await tx.db
    .insertInto('items')
    .values({
      ...columns,
      book_id: tx.book.id,
      public_id: publicId,
      created_at: now,
      updated_at: now,
      version: 1,
    })
    .execute()
  const item = orNotFound(await findItem(tx, publicId))
  await recordItemChange(tx, 'item.created', item)
  return { item, isNew: true }
}
