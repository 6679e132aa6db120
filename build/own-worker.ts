/**
 * Test files that change what other files would share in a worker, as globs from the root. A test compares the list with
 * the files.
 */
export const OWN_WORKER: readonly string[] = [
  // The simulated Electron is one for the whole worker.
  'test/main/*.test.ts',
  // They start what a page starts once: its events, its session, what it fetches ahead.
  'test/renderer/*.test.ts',
  // They replace modules, or load one anew.
  'test/build/packaging.test.ts',
  'test/server/api/mcp/conformance-mount.test.ts',
  'test/server/app/backups/full.test.ts',
  'test/server/documents/rendering/embedding.test.ts',
  'test/server/documents/truth/planted.test.ts',
  // It looks at what the program has loaded so far.
  'test/server/company/certificates/start.test.ts',
  // It counts every connection of its worker.
  'test/server/registry/systems/verifactu/authority/guard.test.ts',
]
