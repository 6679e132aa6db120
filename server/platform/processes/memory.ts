/** Releases memory that the engine would otherwise hold for a while. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MEGABYTE = 1024 * 1024
/** Growth since the first file above which most of the memory is likely garbage. */
const GROWN_MB = 32

let collect: (() => void) | null = null
let firstMb: number | null = null

/**
 * Collects all garbage if the program has grown since the first call, or always with `must`. Blocks the thread for
 * about 25 ms, so that it is only used before a large body is read and a foreign file is parsed: memory of an earlier
 * file stays resident until the engine collects it, and the next file needs the space.
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
