/** Gives back memory that the engine would keep for a while. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MEGABYTE = 1024 * 1024
/** Beyond this much more than at the first file there is most likely garbage. */
const GROWN_MB = 32

let collect: (() => void) | null = null
let firstMb: number | null = null

/**
 * Collects all garbage at once when the program has grown since it was first asked, or if it must. Blocks the thread for some
 * 25 ms, so it is only for the moments before a large body is read and a file from outside is parsed: what an earlier file left stays
 * resident until the engine comes to it, and what reads the next one needs the room.
 */
export function collectGarbage(must: boolean): void {
  const mb = process.memoryUsage.rss() / MEGABYTE
  firstMb ??= mb
  if (!must && mb < firstMb + GROWN_MB) return
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
