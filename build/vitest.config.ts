/**
 * Configuration of the tests. `SELLO_TESTS` names the group: default, long, shared (official schemas) or electron
 * (needs a display).
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { operationFacts } from './bundling/operation-facts.ts'
import { startsTestPrograms } from './bundling/test-programs.ts'
import { engineFiles, OBJECT_FILES, OBJECTS_ONLY, OFFICE_BROWSER, OFFICE_ONLY } from './engine-files.ts'
import { BrowserFirst } from './order.ts'
import { OWN_WORKER } from './own-worker.ts'
import { sweptFiles } from './swept-files.ts'

const root = resolve(import.meta.dirname, '..')
const at = (path: string): string => resolve(root, path)

const separate = ['long', 'shared', 'electron']
const group = process.env.SELLO_TESTS ?? 'default'
if (group !== 'default' && !separate.includes(group)) throw new Error(`No group of tests is called ${group}.`)
const chosen = separate.includes(group)

/** Files of the group that is asked for, from the root. */
const include = chosen
  ? [`test/${group}/**/*.test.ts`, ...(group === 'long' ? sweptFiles(root) : [])]
  : ['test/**/*.test.ts']
const exclude = chosen ? [] : separate.map((name) => `test/${name}/**`)
const IN_BROWSER = 'test/e2e/'
/** A file of the long run has a worker of its own: it lasts minutes, and leaves its memory behind. */
const isLong = group === 'long'

/**
 * The compile cache of all processes and threads of a run, which load the program from source: stripping its types and
 * compiling it takes most of their start.
 */
process.env.NODE_COMPILE_CACHE ??= at('node_modules/.cache/sello/compiled')

export default defineConfig({
  root,
  plugins: [vue(), operationFacts(root), startsTestPrograms(root)],
  // Plain Node cannot load electron; importing the package would start a download.
  resolve: { alias: { electron: at('test/support/browser/fake-electron.ts') } },
  test: {
    // A named group without files is not an error; a default run without tests is.
    passWithNoTests: chosen,
    globalSetup: at('build/test-setup.ts'),
    setupFiles: existsSync(at('test/support/setup/each-file.ts'))
      ? [at('test/support/setup/each-file.ts')]
      : [],
    // More than one test needs: on two cores another worker renders, signs and runs a browser at the same time.
    testTimeout: group === 'long' ? 30 * 60_000 : 120_000,
    hookTimeout: 120_000,
    // Polled values come from other processes; one second is too short on two busy cores.
    expect: { poll: { timeout: 10_000 } },
    // More than there are cores: a test in a browser mostly waits for a page, and one of the server for a child.
    maxWorkers: availableParallelism() + 1,
    // Threads run from source, so that each strips types with WebAssembly. V8 shares the wrappers of calls from
    // WebAssembly to JavaScript between threads, and can abort if two threads optimize one wrapper
    // (nodejs/node#64500): this option disables that optimization.
    execArgv: ['--wasm-wrapper-tiering-budget=2000000000'],
    sequence: { sequencer: BrowserFirst },
    reporters: ['default', at('build/count-reporter.ts')],
    projects: [
      {
        extends: true,
        // Files share a worker, which starts and loads the program once instead of once for each of them.
        test: {
          name: 'program',
          include,
          // In the long run each file has a worker of its own.
          exclude: [
            ...exclude,
            ...OFFICE_ONLY,
            `${IN_BROWSER}**`,
            `${OBJECTS_ONLY}**`,
            ...(isLong ? [] : OWN_WORKER),
          ],
          isolate: isLong,
        },
      },
      {
        extends: true,
        // They change what files of one worker share.
        test: { name: 'own worker', include: chosen ? [] : [...OWN_WORKER] },
      },
      {
        extends: true,
        // The same tests as in `program`, on the other engine; in the long run only those about it.
        test: {
          name: 'postgres',
          include: isLong
            ? ['test/server/db/postgres/**/*.test.ts']
            : chosen
              ? []
              : [...engineFiles(root), OFFICE_BROWSER],
          env: { SELLO_ENGINE: 'pg' },
          globalSetup: [at('build/test-setup.ts'), at('build/test-postgres.ts')],
          isolate: false,
        },
      },
      {
        extends: true,
        // Some of them again, with all documents in object storage.
        test: {
          name: 'objects',
          include: chosen ? [] : [...OBJECT_FILES],
          env: { SELLO_ENGINE: 'pg', SELLO_OBJECTS: '1' },
          globalSetup: [at('build/test-setup.ts'), at('build/test-postgres.ts'), at('build/test-objects.ts')],
          isolate: false,
        },
      },
      {
        extends: true,
        // Files share a worker, and in it one browser; each has a server of its own.
        test: {
          name: 'browser',
          include: chosen
            ? include.filter((file) => file.startsWith(IN_BROWSER))
            : [`${IN_BROWSER}**/*.test.ts`],
          exclude: [OFFICE_BROWSER],
          isolate: false,
        },
      },
    ],
  },
})
