/** Operations asked for at once, and what the books are to be afterwards whoever came first. */
import { expect } from 'vitest'
import { loadOperations } from '../../server/api/operations.ts'
import { checkBooks } from '../../server/app/integrity/index.ts'
import type { TestBooks } from './books.ts'

// Each slice is read at its first use: who came first would be a matter of which was read by then.
await loadOperations()

/** `done`, or the code of the refusal, of each in the order they were asked. Anything but a refusal fails the test. */
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

/** The same where who comes first is all one. */
export const togetherSorted = async (...work: Promise<unknown>[]): Promise<string[]> =>
  (await together(...work)).toSorted()

/** Every proof of the books holds. */
export async function expectSound(world: TestBooks): Promise<void> {
  const { checks, ok } = await checkBooks(world.env, (book) => world.ctx(book))
  expect(ok, JSON.stringify(checks.filter((check) => !check.ok))).toBe(true)
}
