/** What cutting the bundles into files takes, of the window's and of the main process's. */
import type { Plugin } from 'vite'

/** A plugin that looks at the modules once all are known, and the files that the bundler makes of what it found. */
export interface Cut {
  plugin: Plugin
  codeSplitting: {
    includeDependenciesRecursively: false
    groups: { name: string; test: (id: string) => boolean }[]
  }
}

/** The roots and everything they lead to, in the order in which it is met. */
export function reachedFrom(
  roots: readonly string[],
  importsOf: (id: string) => readonly string[],
): Set<string> {
  const found = new Set(roots)
  for (const id of found) for (const next of importsOf(id)) found.add(next)
  return found
}
