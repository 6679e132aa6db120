/** How the main process is cut into files: what every start loads in few of them, and what others share aside. */
import { reachedFrom } from './cut.ts'
import type { Cut } from './cut.ts'

/** Characters of a module with all it imports, up to which it goes into the file that all workers load. */
const SMALL = 20_000

export interface Programs {
  /** The module with which the server begins. */
  start: string
  workers: readonly string[]
  /** The command line, which begins before compiled code is at hand. */
  door: string
}

/**
 * Opening a file, finding its imports and compiling it costs more than most of what stands in them, so what `start` imports
 * becomes one file. What a worker imports as well stays out of it, or each of them would load the whole server; the small of
 * that is one file too. What the door imports, and whatever is left, is cut by who needs it. No two files import each other:
 * what the door or a worker reaches, and what is small, imports only its like. Paths are absolute.
 */
export function startChunk({ start, workers, door }: Programs): Cut {
  let inStart: ReadonlySet<string> = new Set()
  let inCommon: ReadonlySet<string> = new Set()
  return {
    plugin: {
      name: 'sello:start-chunk',
      apply: 'build',
      buildEnd() {
        const reached = (from: readonly string[]): Set<string> =>
          reachedFrom(from, (id) => this.getModuleInfo(id)?.importedIds ?? [])
        const isSmall = (id: string): boolean =>
          [...reached([id])].reduce((sum, each) => sum + (this.getModuleInfo(each)?.code?.length ?? 0), 0) <=
          SMALL
        const atDoor = reached([door])
        const inWorkers = reached(workers)
        const atStart = [...reached([start])].filter((id) => !atDoor.has(id))
        inStart = new Set(atStart.filter((id) => !inWorkers.has(id)))
        inCommon = new Set(
          atStart.filter((id) => inWorkers.has(id) && !id.includes('/node_modules/') && isSmall(id)),
        )
      },
    },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'common', test: (id) => inCommon.has(id) },
        { name: 'start', test: (id) => inStart.has(id) },
      ],
    },
  }
}
