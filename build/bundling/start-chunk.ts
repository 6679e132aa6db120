/** Code splitting of the main process: few files for every start, and separate ones for code shared with workers. */
import { reachedFrom } from './cut.ts'
import type { Cut } from './cut.ts'

/** Maximum characters of a module with all its imports for the file that all workers load. */
const SMALL = 20_000

const STORAGE =
  /\/node_modules\/(?:@aws-sdk|@aws-crypto|@aws|@smithy|bowser|fast-xml-parser|fast-xml-builder|strnum)\//
const METRICS = /\/node_modules\/(?:prom-client|tdigest|bintrees|@opentelemetry)\//

interface Programs {
  /** The entry module of the server. */
  start: string
  workers: readonly string[]
  /** The command line, which starts before the compile cache is available. */
  door: string
  /** All programs that start on their own. */
  entries: readonly string[]
  /** Folder of the commands of an office. */
  office: string
}

/**
 * Opening a file, resolving its imports and compiling it costs more than most of its content, so that all imports of
 * `start` become one file. Modules that a worker also imports are excluded, since otherwise each worker would load
 * the whole server; the small ones of these form one file too, and the others one file for each set of workers.
 * Imports of the command line, and the remainder, are split by their users. No two files import each other: a module
 * that a worker reaches only imports modules that this worker reaches too, and small ones only small ones. Paths are
 * absolute. What writes queries is one file too: an office needs other parts of it than a start, and the bundler would cut
 * it for both. Measured: split by the bundler alone, the program has 297 files instead of 230, and a start takes 15 % more
 * processor time.
 *
 * The commands of an office, and what only they reach, are in files called `office…`, which the packages of the desktop leave out.
 */
export function startChunk({ start, workers, door, entries, office }: Programs): Cut {
  let inStart: ReadonlySet<string> = new Set()
  let inCommon: ReadonlySet<string> = new Set()
  let inQueries: ReadonlySet<string> = new Set()
  let inOffice: ReadonlySet<string> = new Set()
  let shared: ReadonlyMap<string, string> = new Map()
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
        const both = atStart.filter((id) => inWorkers.has(id) && !id.includes('/node_modules/'))
        inCommon = new Set(both.filter(isSmall))
        inQueries = new Set(atStart.filter((id) => id.includes('/node_modules/kysely/')))
        const loads = (id: string): string[] => {
          const info = this.getModuleInfo(id)
          return [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])]
        }
        const onDesk = reachedFrom(entries, (id) =>
          loads(id).filter((each) => !each.startsWith(`${office}/`)),
        )
        inOffice = new Set([...reachedFrom(entries, loads)].filter((id) => !onDesk.has(id)))
        const reachedBy = workers.map((worker) => reached([worker]))
        shared = new Map(
          both
            .filter((id) => !inCommon.has(id))
            .map((id) => [
              id,
              `shared-${reachedBy.flatMap((ids, index) => (ids.has(id) ? [index] : [])).join('-')}`,
            ]),
        )
      },
    },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'common', test: (id) => inCommon.has(id) },
        { name: (id) => shared.get(id) ?? 'shared', test: (id) => shared.has(id) },
        // Object storage and metrics are loaded when they are configured.
        { name: 'office-storage', test: (id) => inOffice.has(id) && STORAGE.test(id) },
        { name: 'office-metrics', test: (id) => inOffice.has(id) && METRICS.test(id) },
        { name: 'office', test: (id) => inOffice.has(id) },
        { name: 'queries', test: (id) => inQueries.has(id) },
        { name: 'server-start', test: (id) => inStart.has(id) },
      ],
    },
  }
}
