/** The real desktop window opens and is locked down. Runs by `npm run test:electron` where Electron and a display are. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { _electron } from 'playwright-core'
import type { ElectronApplication, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CHANNELS } from '../../preload/contract.ts'
import { PAGE_POLICY } from '../../server/api/http/static.ts'

const root = resolve(import.meta.dirname, '../..')

/** Read from the package's own note: importing the package would start a download. */
function electronBinary(): string | null {
  if (process.env.ELECTRON_EXEC_PATH) return process.env.ELECTRON_EXEC_PATH
  const note = join(root, 'node_modules/electron/path.txt')
  const file = existsSync(note)
    ? join(root, 'node_modules/electron/dist', readFileSync(note, 'utf8').trim())
    : ''
  return file && existsSync(file) ? file : null
}

function missing(): string | null {
  if (!electronBinary()) return 'the Electron binary is not on this machine'
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no display'
  return null
}

const reason = missing()
// Chromium's sandbox does not run as root.
const asRoot = process.platform === 'linux' && process.getuid?.() === 0
let dataDir: string
let app: ElectronApplication | undefined

beforeEach((context) => {
  context.skip(reason !== null, reason ?? '')
  dataDir = mkdtempSync(join(tmpdir(), 'sello-electron-'))
})
afterEach(async () => {
  await app?.close()
  app = undefined
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
})

const args = (...more: string[]) => [
  ...(asRoot ? ['--no-sandbox'] : []),
  root,
  ...['--data', dataDir, '--port', '0', '--key-file', join(dataDir, 'key')],
  ...more,
]
const env = { ...process.env, SELLO_DATA: '', SELLO_KEY_FILE: '' } as Record<string, string>

async function open(): Promise<{ page: Page; errors: string[] }> {
  app = await _electron.launch({ executablePath: electronBinary()!, args: args(), env })
  const page = await app.firstWindow()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text())
  })
  await page.waitForLoadState('load')
  await page.locator('h1').first().waitFor()
  return { page, errors }
}

/** Another start of the same program, as a person or a script would do it. */
function startAgain(...more: string[]): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(electronBinary()!, args(...more), { env, stdio: ['ignore', 'pipe', 'ignore'] })
  return { child, ended: new Promise((done) => child.once('exit', done)) }
}

describe('the window', () => {
  test('shows the app under its own scheme and policy, without a complaint', async () => {
    const { page, errors } = await open()
    expect(page.url()).toMatch(/^app:\/\/app\//)
    expect(await page.title()).toContain('Sello')
    const policy = "fetch('/').then((answer) => answer.headers.get('content-security-policy'))"
    expect(await page.evaluate(policy)).toBe(PAGE_POLICY)
    expect(await page.evaluate("fetch('/notices.txt').then((answer) => answer.status)")).toBe(200)
    expect(
      await page.evaluate(
        "fetch('/app/call/session.get', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then((answer) => answer.status)",
      ),
    ).toBe(200)
    expect(errors).toEqual([])
  })

  test('has no Node in its page, and a bridge of functions', async () => {
    const { page } = await open()
    expect(await page.evaluate('[typeof require, typeof process, typeof module, typeof desktop]')).toEqual([
      ...Array.from({ length: 3 }, () => 'undefined'),
      'object',
    ])
    const kinds = (await page.evaluate('Object.values(desktop).map((value) => typeof value)')) as string[]
    expect(new Set(kinds)).toEqual(new Set(['string', 'function']))
    expect(await page.evaluate("desktop.openExternal('file:///etc/passwd')")).toBe(false)
    expect(await page.evaluate("desktop.setTheme('pink')")).toBe(false)
  })

  test('opens no other window, and cannot be led away', async () => {
    const { page } = await open()
    await page.evaluate("window.open('https://example.org/'); location.href = 'https://example.org/'")
    await page.waitForTimeout(500)
    expect(app!.windows()).toHaveLength(1)
    expect(page.url()).toMatch(/^app:\/\/app\//)
    const preferences = await app!.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const { webContents } = window as unknown as {
        webContents: { getLastWebPreferences: () => Record<string, unknown> }
      }
      return webContents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
    })
  })

  test('has a menu, and knows of no updates, because it is not packaged', async () => {
    const { page } = await open()
    expect(await app!.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.length ?? 0)).toBeGreaterThan(4)
    expect(
      await app!.evaluate(({ ipcMain }, channel) => ipcMain.listenerCount(channel), CHANNELS.askUpdates),
    ).toBe(0)
    const told = "new Promise((done) => { desktop.onUpdates(done); desktop.askUpdates('state') })"
    expect(await page.evaluate(told)).toMatchObject({ phase: 'absent' })
    expect(await page.evaluate("desktop.askUpdates('check')")).toBe(false)
  })

  test('is one for each store: a second start ends and leaves the first as it is', async () => {
    await open()
    const { ended } = startAgain()
    expect(await ended).toBe(0)
    expect(app!.windows()).toHaveLength(1)
  })
})

test('without a window the same program serves and says where, until it is told to end', async () => {
  const { child, ended } = startAgain('--headless')
  try {
    const line = await new Promise<string>((done, fail) => {
      createInterface({ input: child.stdout! }).once('line', done)
      child.once('exit', (code) => fail(new Error(`It ended with ${code}.`)))
    })
    const { url } = JSON.parse(line) as { url: string }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
})
