/**
 * Makes sure that a secret taken out of a row is nowhere else. `secure_delete` blanks it in its page, but the pages of before
 * stay in the write-ahead log until that is emptied.
 */
import type { Store } from './store.ts'

const ATTEMPTS = 20
const PAUSE_MS = 25

/** Another transaction may have begun meanwhile, under which the log cannot be emptied; it is short, so wait for it. */
export async function emptyLog(store: Store): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      store.checkpoint()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  // The books are in heavy use: the log is emptied when they are closed, at the latest.
}
