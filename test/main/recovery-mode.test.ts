/**
 * The window while the books are closed: the same page and address over the real recovery server, and the books after
 * it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { boot } from '../../main/boot.ts'
import type { Desktop } from '../../main/boot.ts'
import { startSelloWithRecovery } from '../../server/api/application.ts'
import * as electron from '../support/browser/fake-electron.ts'
import { makeBooks } from '../support/stages/unopenable-books.ts'

const { app, BrowserWindow, dialog, session } = electron

/** Creates a minimal built page. */
function pageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Sello</title>')
  return folder
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  return session.defaultSession.schemes.get('app')!(new Request(`app://app${path}`, init))
}
const call = (name: string, input: unknown = {}) =>
  ask(`/app/call/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })

test('the window opens while the books are closed, shows the reason, and continues once they open', async () => {
  const { folder } = await makeBooks()
  const key = readFileSync(join(folder, 'master.key'))
  rmSync(join(folder, 'master.key'))
  electron.resetElectron(folder)
  const uiDir = pageFolder()
  await boot(electron as unknown as Desktop, {
    startServer: ({ withRecovery, ...options }) => {
      expect(withRecovery).toBe(true)
      return startSelloWithRecovery({
        ...options,
        uiDir,
        keychain: null,
        cacheKib: 1024,
        quit: () => app.quit(),
      })
    },
    argv: ['--data', folder, '--port', '0'],
    env: {},
    outDir: '/app/out',
    print: () => {},
    log: () => {},
  })
  onTestFinished(async () => {
    app.quit()
    await vi.waitFor(() => expect(app.story.at(-1)).toBe('quit'), 5_000)
  })

  expect(dialog.showMessageBox).not.toHaveBeenCalled()
  expect(BrowserWindow.all).toHaveLength(1)
  expect(await (await ask('/invoices', { headers: { accept: 'text/html' } })).text()).toContain(
    '<title>Sello</title>',
  )
  const shut = await call('session.get')
  expect([shut.status, (await shut.json()).error.details]).toEqual([503, { trouble: 'key_missing' }])
  expect((await (await call('trouble.get')).json()).data.trouble).toMatchObject({
    kind: 'key_missing',
    canQuit: true,
  })

  writeFileSync(join(folder, 'master.key'), key)
  expect((await (await call('trouble.retry')).json()).data).toEqual({ trouble: null })
  const open = await vi.waitFor(async () => {
    const answer = await call('session.get')
    expect(answer.status).toBe(200)
    return (await answer.json()).data as { store: { keyProtection: string } }
  }, 10_000)
  expect(open.store.keyProtection).toBe('file')
  expect(BrowserWindow.all).toHaveLength(1)
}, 60_000)
