/**
 * Cases that differ only in a parameter: representative ones run every time, all of them in the long run (`npm run
 * test:long`), which includes the files named here.
 */

/** Files with reduced cases in the everyday run, from the root. A test compares the list with the files. */
export const SWEPT_FILES: readonly string[] = [
  'test/deterministic-world.test.ts',
  'test/e2e/app/guide.test.ts',
  'test/e2e/window/keyboard.test.ts',
  'test/server/api/http/fuzz-window.test.ts',
  'test/server/api/http/fuzz.test.ts',
  'test/server/api/mcp/inspector.test.ts',
  'test/server/app/backups/steps.test.ts',
  'test/server/app/imports/imports.test.ts',
  'test/server/app/maintenance/change-key.test.ts',
  'test/server/db/failing-disk.test.ts',
  'test/server/db/failpoints.test.ts',
  'test/server/db/upgrade.test.ts',
  'test/server/platform/processes/hostile-files.test.ts',
]

/** Returns all cases in the long run, otherwise those selected by `stands`. */
export function swept<Case>(all: readonly Case[], stands: (each: Case, index: number) => boolean): Case[] {
  if (process.env.SELLO_TESTS === 'long') return [...all]
  const picked = all.filter(stands)
  if (picked.length === 0) throw new Error('No case stands for the others.')
  return picked
}

/** Returns the number of random cases: all in the long run, otherwise the smaller number. */
export function sweptCount(all: number, everyday: number): number {
  return process.env.SELLO_TESTS === 'long' ? all : everyday
}
