/** Shared parts of code splitting for the window and the main process. */
import type { Plugin } from 'vite'

/** A plugin that inspects the module graph once it is complete, and the chunk groups derived from it. */
export interface Cut {
  plugin: Plugin
  codeSplitting: {
    includeDependenciesRecursively: false
    groups: { name: string | ((id: string) => string); test: (id: string) => boolean }[]
  }
}

/** Returns the roots and all modules reachable from them, in the order of discovery. */
export function reachedFrom(
  roots: readonly string[],
  importsOf: (id: string) => readonly string[],
): Set<string> {
  const found = new Set(roots)
  for (const id of found) for (const next of importsOf(id)) found.add(next)
  return found
}
