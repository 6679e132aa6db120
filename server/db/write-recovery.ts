/**
 * Books that cannot be written are tried again by themselves, ever less often, until the disk is well: nobody has to notice
 * that it is. The store proves its file before it writes to it.
 */
import { createLoop } from '../domain/concurrency/background-loop.ts'
import type { Background } from '../domain/concurrency/background-loop.ts'
import type { Store } from './store.ts'

/** A disk that failed once is mostly well again at once. */
const FIRST_MS = 250
const LONGEST_MS = 60_000

/** Woken when a writing has failed. */
export function createWriteRecovery(store: Store, log: (line: string) => void): Background {
  let tries = 0
  const loop = createLoop({
    name: 'mending',
    gatherMs: FIRST_MS,
    pollMs: 0,
    log,
    async run() {
      if (store.writeFault !== null) {
        const fault = await store.tryWriting()
        tries += 1
        if (fault !== null) return Math.min(LONGEST_MS, FIRST_MS * 2 ** tries)
        log(`mending: the books can be written again (tries: ${tries})`)
      }
      tries = 0
      return undefined
    },
  })
  return {
    wake: () => {
      // A fault that turns into another one while it is tried must not shorten the wait.
      if (tries === 0) loop.wake()
    },
    stop: () => loop.stop(),
  }
}
