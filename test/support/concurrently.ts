/** Simultaneous operations, and the required state of the books afterwards in any order. */
import { expect } from 'vitest'
import { loadOperations } from '../../server/api/operations.ts'
import { checkBooks } from '../../server/app/integrity/index.ts'
import type { TestBooks } from './books.ts'

// Slices are loaded at their first use, which would otherwise determine the order.
await loadOperations()

/**
 * Returns `done`, or the error code, of each in the order of the calls. Anything but an expected error fails the
 * test.
 */
export function together(...work: Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    work.map((one) =>
      one.then(
        () => 'done',
        (error: { code?: string }) => {
          if (error.code === undefined || error.code.startsWith('SQLITE')) throw error
          return error.code
        },
      ),
    ),
  )
}

/** Returns the same, sorted, if the order does not matter. */
export const togetherSorted = async (...work: Promise<unknown>[]): Promise<string[]> =>
  (await together(...work)).toSorted()

/** Checks that every integrity check of the books passes. */
export async function expectSound(world: TestBooks): Promise<void> {
  const { checks, ok } = await checkBooks(world.env, (book) => world.ctx(book))
  expect(ok, JSON.stringify(checks.filter((check) => !check.ok))).toBe(true)
}
