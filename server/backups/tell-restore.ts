/** The history of restored books tells that they were. */
import { recordAudit } from '../audit/index.ts'
import { listBooks } from '../company/index.ts'
import { AppError } from '../core/errors.ts'
import { createCtx, inBook, NO_BOOK } from '../ctx.ts'
import type { AppEnvironment } from '../ctx.ts'
import { dropRestoreNote, readKeyring } from '../store/keyring.ts'

/** Tells every book, after those that need it are held. The note goes after the commit: told twice is better than not at all. */
export async function tellOfRestore(env: AppEnvironment): Promise<void> {
  const { store } = env
  const restoredAt = readKeyring(store.folder)?.restoredAt
  if (restoredAt === undefined) return
  const ctx = createCtx({
    env,
    book: NO_BOOK,
    actor: { kind: 'system', id: 'system', name: 'Sello' },
    channel: 'system',
    requestId: env.newId('req'),
  })
  try {
    await ctx.transaction(async (tx) => {
      for (const book of await listBooks(tx.db))
        await recordAudit(inBook(tx, book), {
          action: 'backups.restored',
          target: { type: 'store', id: store.storeId, label: restoredAt },
        })
    })
    dropRestoreNote(store.folder)
  } catch (error) {
    // Books that cannot be written open all the same, and stay held or noted; the next start tells of it.
    if (!(error instanceof AppError)) throw error
  }
}
