/**
 * Retries writes to books that cannot be written, at growing intervals, until the disk has recovered, without any
 * user action. The store verifies its file before it writes.
 */
import { createLoop } from '../../domain/concurrency/background-loop.ts'
import type { Background } from '../../domain/concurrency/background-loop.ts'
import type { EmbeddedStore } from './port.ts'

/** A disk that failed once usually recovers immediately. */
const FIRST_MS = 250
const LONGEST_MS = 60_000

/** Creates the loop, which is woken when a write has failed. */
export function createWriteRecovery(store: EmbeddedStore, log: (line: string) => void): Background {
  let tries = 0
  const loop = createLoop({
    name: 'write-recovery',
    gatherMs: FIRST_MS,
    pollMs: 0,
    log,
    async run() {
      if (store.writeFault !== null) {
        const fault = await store.tryWriting()
        tries += 1
        if (fault !== null) return Math.min(LONGEST_MS, FIRST_MS * 2 ** tries)
        log(`write-recovery: the books can be written again (tries: ${tries})`)
      }
      tries = 0
      return undefined
    },
  })
  return {
    wake: () => {
      // A fault that changes into another one during the retries must not shorten the wait.
      if (tries === 0) loop.wake()
    },
    stop: () => loop.stop(),
  }
}
