/**
 * Configuration of the tests. `SELLO_TESTS` names the group: default, long, shared (official schemas) or electron
 * (needs a display).
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { SWEPT_FILES } from '../test/support/sweep.ts'
import { BrowserFirst } from './order.ts'

const root = resolve(import.meta.dirname, '..')
const at = (path: string): string => resolve(root, path)

const separate = ['long', 'shared', 'electron']
const group = process.env.SELLO_TESTS ?? 'default'
if (group !== 'default' && !separate.includes(group)) throw new Error(`No group of tests is called ${group}.`)
const chosen = separate.includes(group)

export default defineConfig({
  root,
  plugins: [vue()],
  // Plain Node cannot load electron; importing the package would start a download.
  resolve: { alias: { electron: at('test/support/browser/fake-electron.ts') } },
  test: {
    include: chosen
      ? [`test/${group}/**/*.test.ts`, ...(group === 'long' ? SWEPT_FILES : [])]
      : ['test/**/*.test.ts'],
    exclude: chosen ? [] : separate.map((name) => `test/${name}/**`),
    // A named group without files is not an error; a default run without tests is.
    passWithNoTests: chosen,
    globalSetup: at('build/test-template.ts'),
    setupFiles: existsSync(at('test/support/setup.ts')) ? [at('test/support/setup.ts')] : [],
    // More than one test needs: on two cores another worker renders, signs and runs a browser at the same time.
    testTimeout: group === 'long' ? 30 * 60_000 : 120_000,
    hookTimeout: 120_000,
    // Polled values come from other processes; one second is too short on two busy cores.
    expect: { poll: { timeout: 10_000 } },
    // With the usual single worker one of two cores is idle: a full run took ten minutes instead of six.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Threads run from source, so that each strips types with WebAssembly. V8 shares the wrappers of calls from
    // WebAssembly to JavaScript between threads, and can abort if two threads optimize one wrapper
    // (nodejs/node#64500): this option disables that optimization.
    execArgv: ['--wasm-wrapper-tiering-budget=2000000000'],
    sequence: { sequencer: BrowserFirst },
    reporters: ['default', at('build/count-reporter.ts')],
  },
})
