/** Sets which of the authority's services a live book uses. The choice is final once the book has a record. */
import { recordAudit } from '../platform/audit/index.ts'
import { environmentOf } from '../company/index.ts'
import { loadBook } from '../platform/books/index.ts'
import type { setEnvironmentContract } from './contract.ts'
import { AppError, validationFailed } from '../domain/errors/app-error.ts'
import { orNotFound, inBook } from '../context.ts'
import type { UseCase } from '../context.ts'
import { emitEvent } from '../platform/events/index.ts'
import { forgetKeys } from '../platform/api-keys/index.ts'
import { findChain } from './chain/rows.ts'

/**
 * Sets the environment of the live book. Throws `environment_fixed` once a record exists: a chain belongs to the
 * service that it began with, and its invoices carry that service's QR. Throws `validation_failed` for a test book,
 * which has no choice.
 */
export const setEnvironment: UseCase<typeof setEnvironmentContract> = (ctx, { environment }) =>
  ctx.transaction(async (tx) => {
    const { book } = tx
    if (book.mode === 'test')
      throw validationFailed([
        {
          code: 'environment_of_test_book',
          field: 'environment',
          severity: 'error',
          message: 'A test book talks to its simulated authority and to no other.',
          fix: 'Choose the environment in the live book.',
        },
      ])
    const { records } = await findChain(tx)
    if (records > 0) throw new AppError('environment_fixed', { details: { records } })
    const changed = inBook(tx, { ...book, environment })
    // The caller's book object is as it was when the request began.
    if (environment !== orNotFound(await loadBook(tx.db, book.publicId)).environment) {
      await tx.db.updateTable('books').set({ environment }).where('id', '=', book.id).execute()
      // Cached API keys include their book.
      forgetKeys(tx)
      await recordAudit(tx, {
        action: 'registry.environment_set',
        target: { type: 'book', id: book.publicId, label: environment },
      })
      await emitEvent(tx, 'registry.changed', { environment })
    }
    return { environment: environmentOf(changed) }
  })
