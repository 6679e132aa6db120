/** Books that are made once for a file and copied for each of its tests: a copy takes less time than making them. */
import { afterAll } from 'vitest'
import { openBooks } from './books.ts'
import type { TestBooks } from './books.ts'
import type { KeptStore } from './store.ts'

interface CopyOptions extends NonNullable<Parameters<typeof openBooks>[0]> {
  /** SQL that changes the copy before it is used. */
  tamper?: readonly string[]
}

/** Returns a function that opens a copy of the same books for each test. The first call makes them. */
export function copiesOf(make: () => Promise<TestBooks>): (options?: CopyOptions) => Promise<TestBooks> {
  let kept: Promise<KeptStore> | undefined
  afterAll(async () => {
    await (await kept)?.remove()
  })
  return async ({ tamper = [], ...options } = {}) => {
    const from = await (kept ??= make().then((books) => books.keep()))
    const world = await openBooks({ from, ...options })
    if (tamper.length > 0) {
      await world.tamper(...tamper)
      await world.restart()
    }
    return world
  }
}
