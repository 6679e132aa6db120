/**
 * The proof that the books are whole: every promise that books at rest can show, each under its number. The command line, the
 * app and the tests all ask here, so that what a test holds true is what a person is told. What looks is loaded with the first
 * look: it knows most of the program.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listBooks } from '../../platform/books/index.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { isDamage } from './check.ts'
import type { Check } from './check.ts'
import { UNSEEN } from './invariants.ts'
import type { Unseen } from './invariants.ts'

export interface SelfCheck {
  ok: boolean
  checks: Check[]
  /** What no look at the books can tell, and which test does. Not part of `ok`. */
  unseen: readonly Unseen[]
}

/** Runs them one after another, with a turn for everybody else between two. */
async function inTurn(
  proofs: readonly (() => Promise<Check>)[],
  seen: (done: number, total: number) => void,
): Promise<SelfCheck> {
  const checks: Check[] = []
  for (const prove of proofs) {
    seen(checks.length, proofs.length)
    checks.push(await prove())
    await nextTurn()
  }
  return { ok: checks.every((check) => check.ok), checks, unseen: UNSEEN }
}

export interface CheckOptions {
  /** Hears before each check how many are done. */
  seen?: (done: number, total: number) => void
  /** Aborted, it ends the check under way; its reason is thrown. */
  signal?: AbortSignal
}

/** Runs every check; `ok` when all are. The result about a record chain is kept: a broken one stops issuing. */
export async function checkBooks(
  env: AppEnvironment,
  ctxOf: (book: Book) => Ctx,
  { seen = () => {}, signal }: CheckOptions = {},
): Promise<SelfCheck> {
  const [{ checksOfStore }, { checksOfBook }] = await Promise.all([import('./store.ts'), import('./book.ts')])
  const books = await listBooks(env.store.reader).catch((error: unknown) => {
    // The checks of the store tell of the damage.
    if (isDamage(error)) return null
    throw error
  })
  const ofBooks = (books ?? []).flatMap((book) => checksOfBook(ctxOf(book), book, signal))
  const lost: Check = {
    invariant: 'I2',
    name: 'books',
    ok: false,
    detail: 'The list of books cannot be read.',
  }
  const unreadable = books === null ? [async () => lost] : []
  return inTurn([...checksOfStore(env, signal), ...unreadable, ...ofBooks], (done, total) => {
    signal?.throwIfAborted()
    seen(done, total)
  })
}

/** What is checked of one book, for whoever is given this one alone; what belongs to the whole store is not theirs. */
export async function checkBook(ctx: Ctx): Promise<SelfCheck> {
  const { checksOfBook } = await import('./book.ts')
  return inTurn(checksOfBook(ctx, ctx.book), () => {})
}
