/**
 * Self-check of the books: every invariant that books at rest can show, by number. The command line, the app and the
 * tests use it, so that what a test verifies is what the user sees. The checks are loaded with the first run, because
 * they import most of the program.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listBooks, pagesOfBooks } from '../../platform/books/index.ts'
import type { AppEnvironment, Book, Ctx } from '../../context.ts'
import { isDamage } from './check.ts'
import type { Check } from './check.ts'
import { UNSEEN } from './invariants.ts'
import type { Unseen } from './invariants.ts'

export interface SelfCheck {
  ok: boolean
  checks: Check[]
  /** Invariants that the books cannot show, with the test that covers each. Not part of `ok`. */
  unseen: readonly Unseen[]
}

/** Runs the checks one after another, with an event loop turn between two. */
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

interface CheckOptions {
  /** Called before each check with the number done. */
  seen?: (done: number, total: number) => void
  /** Aborting it ends the check in progress; its reason is thrown. */
  signal?: AbortSignal
}

/** Runs every check; `ok` when all are. The result for a record chain is stored: a broken one stops issuing. */
export async function checkBooks(
  env: AppEnvironment,
  ctxOf: (book: Book) => Ctx,
  { seen = () => {}, signal }: CheckOptions = {},
): Promise<SelfCheck> {
  const [{ checksOfStore }, { checksOfBook }] = await Promise.all([import('./store.ts'), import('./book.ts')])
  const books = await listBooks(env.store.reader).catch((error: unknown) => {
    // The checks of the store report the damage.
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
  const check = (): Promise<SelfCheck> =>
    inTurn([...checksOfStore(env, signal), ...unreadable, ...ofBooks], (done, total) => {
      signal?.throwIfAborted()
      seen(done, total)
    })
  // The result for a chain is stored, also that of a client's copy.
  return env.advised ? env.advised.writing(check) : check()
}

/** Runs every check like `checkBooks`, and passes on each when it is done: the books of an office are many. */
export async function* checksInTurn(
  env: AppEnvironment,
  ctxOf: (book: Book) => Ctx,
): AsyncGenerator<Check, void> {
  const [{ checksOfStore }, { checksOfBook }] = await Promise.all([import('./store.ts'), import('./book.ts')])
  for (const prove of checksOfStore(env)) yield await prove()
  for await (const books of pagesOfBooks(env.store.reader))
    for (const book of books) for (const prove of checksOfBook(ctxOf(book), book)) yield await prove()
}

/** Runs the checks of one book, for a caller with access to that book only; checks of the whole store are excluded. */
export async function checkBook(ctx: Ctx): Promise<SelfCheck> {
  const { checksOfBook } = await import('./book.ts')
  return inTurn(checksOfBook(ctx, ctx.book), () => {})
}
