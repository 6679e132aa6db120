/**
 * The archive of companies. An archived company is in no list and gets no new documents; what was begun goes on:
 * records, mails and documents that are queued are sent and drawn.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { createCtx, inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { archiveCompanyContract, restoreCompanyContract } from './contract.ts'
import { booksToOpen, companyToOpen } from './rows.ts'

async function setArchived(ctx: Ctx, companyId: string, archived: boolean): Promise<{ archived: boolean }> {
  const company = await companyToOpen(ctx, companyId)
  const books = await booksToOpen(ctx, companyId)
  const { env, actor, channel, requestId } = ctx
  return createCtx({ env, actor, channel, requestId, book: books[0] }).transaction(async (tx) => {
    const changed = await tx.db
      .updateTable('books')
      .set({ archived_at: archived ? tx.now().getTime() : null })
      .where('company_id', '=', company.id)
      .where('archived_at', archived ? 'is' : 'is not', null)
      .returning('id')
      .execute()
    // Whoever archives twice changes nothing.
    if (changed.length === 0) return { archived }
    for (const book of books) {
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: archived ? 'company.archived' : 'company.restored',
        target: { type: 'company', id: company.publicId, label: company.legalName },
      })
      await emitEvent(there, 'company.changed', { companyId: company.publicId })
    }
    // What waited while it was archived.
    if (!archived) tx.wake('calendar')
    return { archived }
  })
}

/** Archives a company with both its books. */
export const archiveCompany: UseCase<typeof archiveCompanyContract> = (ctx, { companyId }) =>
  setArchived(ctx, companyId, true)

/** Takes a company back from the archive. */
export const restoreCompany: UseCase<typeof restoreCompanyContract> = (ctx, { companyId }) =>
  setArchived(ctx, companyId, false)
