/** Gives back memory that the engine would keep for a while. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | null = null

/**
 * Collects all garbage at once. Blocks the thread for some 25 ms, so it is only for the moment after a large file was received:
 * its copies stay resident until the engine comes to them, and the process that parses the file needs the room.
 */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
