/**
 * The proof that the books are whole: every promise that books at rest can show, each under its number. The command line, the
 * app and the tests all ask here, so that what a test holds true is what a person is told.
 */
import { listBooks } from '../company/index.ts'
import type { AppEnvironment, Book, Ctx } from '../ctx.ts'
import { checksOfBook } from './book.ts'
import type { Check } from './check.ts'
import { UNSEEN } from './invariants.ts'
import type { Unseen } from './invariants.ts'
import { checksOfStore } from './store.ts'

export type { Check } from './check.ts'

export interface SelfCheck {
  ok: boolean
  checks: Check[]
  /** What no look at the books can tell, and which test does. Not part of `ok`. */
  unseen: readonly Unseen[]
}

/** Runs every check; `ok` when all are. The result about a record chain is kept: a broken one stops issuing. */
export async function checkBooks(env: AppEnvironment, ctxOf: (book: Book) => Ctx): Promise<SelfCheck> {
  const checks = await checksOfStore(env)
  for (const book of await listBooks(env.store.reader))
    checks.push(...(await checksOfBook(ctxOf(book), book)))
  return { ok: checks.every((check) => check.ok), checks, unseen: UNSEEN }
}
