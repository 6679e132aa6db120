/**
 * The archive of companies. An archived company is in no list and gets no new documents: recurring invoices, reminders,
 * mailboxes and folders rest until it is taken back. What was begun goes on: records, mails and documents that are queued
 * are sent and drawn.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { archiveCompanyContract, restoreCompanyContract } from './contract.ts'

function setArchived(ctx: Ctx, archived: boolean): Promise<{ archived: boolean }> {
  return ctx.transaction(async (tx) => {
    const company = await findCompany(tx)
    const changed = await tx.db
      .updateTable('books')
      .set({ archived_at: archived ? tx.now().getTime() : null })
      .where('company_id', '=', company.id)
      .where('archived_at', archived ? 'is' : 'is not', null)
      .returning('id')
      .execute()
    // Whoever archives twice changes nothing.
    if (changed.length === 0) return { archived }
    for (const book of await booksOfCompany(tx.db, company.id)) {
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: archived ? 'company.archived' : 'company.restored',
        target: { type: 'company', id: company.public_id, label: company.legal_name },
      })
      await emitEvent(there, 'company.changed', { companyId: company.public_id })
    }
    // What waited while it was archived.
    if (!archived) for (const work of ['calendar', 'incoming', 'mailboxes'] as const) tx.wake(work)
    return { archived }
  })
}

/** Archives a company with both its books. */
export const archiveCompany: UseCase<typeof archiveCompanyContract> = (ctx) => setArchived(ctx, true)

/** Takes a company back from the archive. */
export const restoreCompany: UseCase<typeof restoreCompanyContract> = (ctx) => setArchived(ctx, false)
