/** Writes audit entries for changes made while the books were closed, once they are open. */
import { embedded } from '../../db/embedded/port.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { createSystemCtx, inBook, NO_BOOK } from '../../context.ts'
import type { AppEnvironment } from '../../context.ts'
import { dropKeyringNote, readKeyring } from '../../db/embedded/keys/keyring.ts'
import type { KeyringNote } from '../../db/embedded/keys/keyring.ts'

const ACTIONS: Readonly<Record<KeyringNote, string>> = {
  recoveredAt: 'recovery.used',
  restoredAt: 'backups.restored',
}

/**
 * Writes the audit entry of a note to every book, if there is one. The note is deleted after the commit: a duplicate
 * entry is better than none.
 */
export async function recordOfflineChanges(env: AppEnvironment, note: KeyringNote): Promise<void> {
  const { store } = env
  const at = readKeyring(embedded(store).folder)?.[note]
  if (at === undefined) return
  const ctx = createSystemCtx(env, NO_BOOK)
  try {
    await ctx.transaction(async (tx) => {
      for (const book of await listBooks(tx.db))
        await recordAudit(inBook(tx, book), {
          action: ACTIONS[note],
          target: { type: 'store', id: store.storeId, label: at },
        })
    })
    dropKeyringNote(embedded(store).folder, note)
  } catch (error) {
    // Books that cannot be written still open; the note waits for the next start.
    if (!(error instanceof AppError)) throw error
  }
}
