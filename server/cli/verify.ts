/**
 * Integrity check of books on the command line. Damage of closed books is reported with its place, and nothing is
 * written then.
 */
import { AppError } from '../domain/errors/app-error.ts'
import { checkBooks, inspectBeforeOpening, UNSEEN } from '../app/integrity/index.ts'
import { READS, withSello } from './shared.ts'
import type { Settings } from './shared.ts'

type Result = Awaited<ReturnType<typeof checkBooks>>

/** Returns the line of a check for people. */
export function checkLine({ ok, invariant, name, book, detail }: Result['checks'][number]): string {
  return `${ok ? 'ok    ' : 'WRONG '} ${invariant} ${name}${book ? ` ${book}` : ''}: ${detail}`
}

/** Returns the line of an invariant that the books cannot show. */
export function unseenLine({ invariant, why, test }: Result['unseen'][number]): string {
  return `unseen ${invariant}: ${why} Proved by ${test}.`
}

/**
 * Checks the books of a folder, or those that a running Sello has open; if closed books are damaged, only the damage
 * is reported.
 */
export async function proveBooksOf(settings: Settings): Promise<Result> {
  let damage: Result['checks'][number] | null = null
  try {
    return await withSello(settings, (sello) => checkBooks(sello.env, (book) => sello.ctx(book)), {
      ...READS,
      beforeOpening: async (books) => {
        damage = await inspectBeforeOpening(books)
        if (damage) throw new AppError('store_damaged')
      },
    })
  } catch (error) {
    if (damage === null) throw error
    return { ok: false, checks: [damage], unseen: UNSEEN }
  }
}
