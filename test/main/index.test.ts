/** The desktop's entry point connects the real modules: importing it, as Electron does, starts the app. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as electron from '../support/browser/fake-electron.ts'

const started = vi.hoisted(() => ({ options: [] as Record<string, unknown>[] }))
vi.mock('../../server/api/application.ts', () => {
  const start = async (options: Record<string, unknown>) => {
    started.options.push(options)
    return {
      url: 'http://127.0.0.1:4545',
      uiUrl: '',
      mcpUrl: '',
      port: 4545,
      windowToken: 'token',
      inject: async () => ({}),
      close: async () => {},
    }
  }
  return { startSello: start, startSelloWithRecovery: start }
})

let folder: string
let argv: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-entry-'))
  argv = process.argv
  // The module under test imports the alias; this is the same module, so that both use one mock.
  electron.resetElectron(folder)
})
afterEach(() => {
  process.argv = argv
  process.removeAllListeners('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

test("Electron started on the project's folder reads the flags after it and opens the window", async () => {
  process.argv = ['/electron', '/project', '--data', join(folder, 'books'), '--port', '0']
  await import('../../main/index.ts')
  await vi.waitFor(() => expect(electron.BrowserWindow.all).toHaveLength(1))
  expect(started.options).toHaveLength(1)
  expect(started.options[0]).toMatchObject({
    dataDir: join(folder, 'books'),
    port: 0,
    create: 'in_folder',
    quit: expect.any(Function),
  })
  expect(electron.BrowserWindow.all[0]!.loadURL).toHaveBeenCalledWith('app://app/')
})
