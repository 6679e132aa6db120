/** The real desktop window opens and is locked down. Runs by `npm run test:electron` where Electron and a display are. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron } from 'playwright-core'
import { expect, test } from 'vitest'

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

test('the window shows the app, has no Node in its page and no second copy of its store', async ({
  skip,
}) => {
  const reason = missing()
  skip(reason !== null, reason ?? '')
  const dataDir = mkdtempSync(join(tmpdir(), 'sello-electron-'))
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0
  const app = await _electron.launch({
    executablePath: electronBinary()!,
    args: [...(asRoot ? ['--no-sandbox'] : []), root, '--data', dataDir, '--port', '0'],
    env: { ...process.env, SELLO_DATA: '', SELLO_KEY_FILE: '' } as Record<string, string>,
  })
  try {
    const page = await app.firstWindow()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.waitForLoadState('load')
    expect(page.url()).toMatch(/^app:\/\/app\//)
    await page.waitForSelector('#app > *')
    expect(await page.evaluate('[typeof require, typeof process, typeof desktop]')).toEqual([
      'undefined',
      'undefined',
      'object',
    ])
    await page.evaluate("window.open('https://example.org/')")
    expect(app.windows()).toHaveLength(1)
    expect(errors).toEqual([])
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
