/**
 * Purges a secret that was removed from a row. `secure_delete` blanks it in its page, but earlier pages stay in the
 * write-ahead log until that is emptied.
 */
import type { EmbeddedStore } from './port.ts'

const ATTEMPTS = 20
const PAUSE_MS = 25

/** The log cannot be emptied during another transaction; it is short, so wait for it. */
export async function emptyLog(store: EmbeddedStore): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      store.checkpoint()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  // Under heavy use the log is emptied when the books are closed at the latest.
}
