/** Where the programs that tests start are: in the bundle that the run has made, or at their source. */
import { readFileSync } from 'node:fs'

/** The variable with the path of the list of programs: the URLs of their sources and of their bundles. */
export const PROGRAMS = 'SELLO_TEST_PROGRAMS'

let known: Record<string, string> | undefined

/** Returns the bundle of a program, by the URL of its source; the source itself if it is in no bundle. */
export function programOf(source: URL): URL {
  const list = process.env[PROGRAMS]
  known ??= list === undefined ? {} : (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>)
  const bundled = known[source.href]
  return bundled === undefined ? source : new URL(bundled)
}
