/**
 * Makes sure that a key taken out of a row is nowhere else. `secure_delete` blanks it in its page, but the pages of before
 * stay in the write-ahead log until that is emptied.
 */
import type { Ctx } from '../ctx.ts'
import type { Store } from '../store/store.ts'

const ATTEMPTS = 20
const PAUSE_MS = 25

/** Another transaction may have begun meanwhile, under which the log cannot be emptied; it is short, so wait for it. */
async function emptyLog(store: Store): Promise<void> {
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

/** Runs `work` in a transaction, and empties the log once it is committed, before answering where it can. */
export async function destroyRemains<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  const emptied: Promise<void>[] = []
  const result = await ctx.transaction((tx) => {
    tx.afterCommit(() => {
      emptied.push(emptyLog(tx.env.store))
    })
    return work(tx)
  })
  // Within a larger transaction it comes later, at that one's end.
  await Promise.all(emptied)
  return result
}
