/**
 * Cases that differ only in a parameter: representative ones run every time, all of them in the long run (`npm run
 * test:long`), which includes the files named here.
 */

/** Files with reduced cases in the everyday run, from the root. A test compares the list with the files. */
export const SWEPT_FILES: readonly string[] = [
  'test/deterministic-world.test.ts',
  'test/e2e/app/guide.test.ts',
  'test/e2e/app/home.test.ts',
  'test/e2e/app/inspector-pack.test.ts',
  'test/e2e/app/recover.test.ts',
  'test/e2e/app/undo.test.ts',
  'test/e2e/app/updates.test.ts',
  'test/e2e/docs/docs.test.ts',
  'test/e2e/integrations/erp.test.ts',
  'test/e2e/sales/client-data.test.ts',
  'test/e2e/sales/design.test.ts',
  'test/e2e/sales/exports.test.ts',
  'test/e2e/sales/preview.test.ts',
  'test/e2e/window/attacker.test.ts',
  'test/e2e/window/desktop.test.ts',
  'test/e2e/window/keyboard.test.ts',
  'test/server/api/http/bad-key-limits.test.ts',
  'test/server/api/http/envelope.test.ts',
  'test/server/api/http/fuzz-window.test.ts',
  'test/server/api/http/fuzz.test.ts',
  'test/server/api/mcp/inspector.test.ts',
  'test/server/app/backups/kill.test.ts',
  'test/server/app/backups/recognised.test.ts',
  'test/server/app/backups/steps.test.ts',
  'test/server/app/imports/imports.test.ts',
  'test/server/app/integrity/flips.test.ts',
  'test/server/app/integrity/secrets.test.ts',
  'test/server/app/maintenance/change-key.test.ts',
  'test/server/db/cuts.test.ts',
  'test/server/db/failing-disk.test.ts',
  'test/server/db/failpoints.test.ts',
  'test/server/db/upgrade.test.ts',
  'test/server/documents/pdf/paint/render.test.ts',
  'test/server/documents/rendering/pool.test.ts',
  'test/server/integrations/erp/kill.test.ts',
  'test/server/integrations/erp/sync.test.ts',
  'test/server/platform/processes/hostile-files.test.ts',
  'test/server/platform/webhooks/kill.test.ts',
  'test/server/registry/queue/network-faults.test.ts',
  'test/server/sales/invoices/kill.test.ts',
  'test/server/sales/invoices/rows-read.test.ts',
  'test/server/sums/sequences.test.ts',
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
