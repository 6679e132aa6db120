/** New versions: never checked without permission, never installed during other work, and no failure breaks the app. */
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { boot } from '../../main/boot.ts'
import type { Desktop } from '../../main/boot.ts'
import { createUpdates, faultOf, isNewer } from '../../main/updates.ts'
import type { Updater, Updates } from '../../main/updates.ts'
import { CHANNELS } from '../../preload/contract.ts'
import type { UpdateState } from '../../preload/contract.ts'
import { track, isInFlight, waitUntilIdle } from '../../server/domain/concurrency/in-flight.ts'
import * as electron from '../support/browser/fake-electron.ts'

const { app } = electron

/** A fake electron-updater with its update server. */
class FakeUpdater extends EventEmitter implements Updater {
  autoDownload = true
  autoInstallOnAppQuit = true
  allowDowngrade = true
  allowPrerelease = true
  disableWebInstaller = false
  logger: unknown = console
  offered = '0.2.0'
  checkForUpdates = vi.fn(async () => ({
    isUpdateAvailable: true,
    updateInfo: { version: this.offered },
  })) as ReturnType<typeof vi.fn<Updater['checkForUpdates']>>
  downloadUpdate = vi.fn(async () => {
    this.emit('download-progress', { percent: 41.7 })
  })
  /** As on Linux and Windows: the installer is started, then the app quits. */
  quitAndInstall = vi.fn((_isSilent?: boolean, _isForceRunAfter?: boolean) => {
    app.story.push('installer started')
    app.quit()
  })
}

let folder: string
let updater: FakeUpdater
let told: UpdateState[]
/** Work in flight on the server. */
let work: object

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-updates-'))
  electron.resetElectron(folder)
  updater = new FakeUpdater()
  told = []
  work = {}
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const last = () => told.at(-1)!
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))
const load = vi.fn(async (): Promise<Updater> => updater)

function updates(options: { load?: (() => Promise<Updater>) | null } = {}): Updates {
  load.mockClear()
  return createUpdates({
    app: app as unknown as Desktop['app'],
    load: options.load === undefined ? load : options.load,
    server: { busy: () => isInFlight(work), whenQuiet: () => waitUntilIdle(work) },
    tell: (state) => told.push(state),
    folder,
    log: () => {},
    now: () => new Date('2026-11-21T10:00:00Z'),
  })
}

async function readyToInstall(): Promise<Updates> {
  const made = updates()
  made.answer('check')
  await settle()
  made.answer('download')
  await settle()
  expect(last().phase).toBe('ready')
  return made
}

describe('checking for a new version', () => {
  test('is automatic only if the person chose that, and then daily', async () => {
    vi.useFakeTimers()
    const made = updates()
    await vi.advanceTimersByTimeAsync(7 * 24 * 3_600_000)
    made.answer('off')
    await vi.advanceTimersByTimeAsync(7 * 24 * 3_600_000)
    expect(load).not.toHaveBeenCalled()

    updater.offered = '0.1.0'
    made.answer('notify')
    made.answer('notify')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(3 * 24 * 3_600_000)
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(4)
    made.answer('off')
    await vi.advanceTimersByTimeAsync(3 * 24 * 3_600_000)
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(4)
  })

  test('does not exist without an update address', async () => {
    const made = updates({ load: null })
    expect(made.answer('state')).toBe(true)
    expect(last()).toMatchObject({ phase: 'absent', version: '0.1.0' })
    for (const request of ['notify', 'check', 'download', 'restart', 'cancel'])
      expect(made.answer(request), request).toBe(false)
  })

  test('reports the result and downloads nothing', async () => {
    const made = updates()
    expect(made.answer('check')).toBe(true)
    await settle()
    expect(told.map((state) => state.phase)).toEqual(['checking', 'available'])
    expect(last()).toMatchObject({ next: '0.2.0', checkedAt: '2026-11-21T10:00:00.000Z', fault: null })
    expect(updater).toMatchObject({
      autoDownload: false,
      autoInstallOnAppQuit: false,
      allowDowngrade: false,
      allowPrerelease: false,
      disableWebInstaller: true,
    })
    expect(updater.downloadUpdate).not.toHaveBeenCalled()
  })

  test.each(['0.1.0', '0.0.9', '0.2.0-beta.1', 'latest', ''])(
    'rejects %j, which is not a later release',
    async (offered) => {
      updater.offered = offered
      const made = updates()
      made.answer('check')
      await settle()
      expect(last()).toMatchObject({ phase: 'idle', next: null })
      expect(made.answer('download')).toBe(false)
    },
  )

  test('that fails reports the reason, and can be repeated', async () => {
    updater.checkForUpdates.mockRejectedValueOnce(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
    const made = updates()
    made.answer('check')
    await settle()
    expect(last()).toMatchObject({ phase: 'failed', fault: 'network' })
    updater.checkForUpdates.mockResolvedValueOnce(null)
    made.answer('check')
    await settle()
    expect(last()).toMatchObject({ phase: 'failed', fault: 'unsupported' })
    made.answer('check')
    await settle()
    expect(last()).toMatchObject({ phase: 'available', fault: null })
  })

  test('answers known requests only, and only if they are possible', () => {
    const made = updates()
    for (const request of [
      '',
      'install',
      'Check',
      'constructor',
      '__proto__',
      'download',
      'restart',
      'cancel',
    ])
      expect(made.answer(request), request).toBe(false)
    expect(load).not.toHaveBeenCalled()
  })
})

describe('downloading it', () => {
  test('reports its progress', async () => {
    await readyToInstall()
    expect(told.filter((state) => state.phase === 'downloading').map((state) => state.percent)).toEqual([
      0, 41,
    ])
  })

  test('with a wrong signature stops and reports it', async () => {
    updater.downloadUpdate.mockRejectedValueOnce(
      Object.assign(new Error('not signed by the application owner'), {
        code: 'ERR_UPDATER_INVALID_SIGNATURE',
      }),
    )
    const made = updates()
    made.answer('check')
    await settle()
    made.answer('download')
    await settle()
    expect(last()).toMatchObject({ phase: 'failed', fault: 'signature' })
    expect(made.answer('restart')).toBe(false)
    expect(app.story).toEqual([])
  })
})

describe('installing it', () => {
  test('waits for a running issue, and for its consequences', async () => {
    const made = await readyToInstall()
    const end: (() => void)[] = []
    const begin = () => void track(work, () => new Promise<void>((go) => end.push(go)))
    begin()
    made.answer('restart')
    await settle()
    expect(last().phase).toBe('waiting')
    expect(app.quit).not.toHaveBeenCalled()
    // The record is sent before the issue has been answered.
    begin()
    end[0]!()
    await settle()
    expect(app.quit).not.toHaveBeenCalled()
    end[1]!()
    await settle()
    expect(app.quit).toHaveBeenCalledTimes(1)
    expect(updater.quitAndInstall).not.toHaveBeenCalled()
    expect(made.leave()).toBe(true)
    expect(updater.quitAndInstall).toHaveBeenCalledTimes(1)
  })

  test('can be cancelled while it waits', async () => {
    const made = await readyToInstall()
    let end = (): void => {}
    void track(work, () => new Promise<void>((go) => (end = go)))
    made.answer('restart')
    await settle()
    expect(made.answer('cancel')).toBe(true)
    await settle()
    expect(last().phase).toBe('ready')
    end()
    await settle()
    expect(app.quit).not.toHaveBeenCalled()
    expect(made.leave()).toBe(false)
  })

  test('that fails starts the old version again, which reports it once', async () => {
    updater.quitAndInstall.mockImplementationOnce(() => {
      updater.emit('error', new Error('Code signature at URL did not pass validation'))
    })
    const made = await readyToInstall()
    made.answer('restart')
    await settle()
    made.leave()
    expect(app.story).toEqual(['quit', 'relaunch', 'quit'])

    updates().answer('state')
    expect(last()).toMatchObject({ phase: 'failed', fault: 'signature' })
    updates().answer('state')
    expect(last()).toMatchObject({ phase: 'idle', fault: null })
    expect(existsSync(join(folder, 'update-failed.json'))).toBe(false)
  })

  test('that never begins starts the old version again too', async () => {
    updater.quitAndInstall.mockImplementationOnce(() => {})
    const made = await readyToInstall()
    made.answer('restart')
    await settle()
    vi.useFakeTimers()
    made.leave()
    await vi.advanceTimersByTimeAsync(200_000)
    expect(app.relaunch).toHaveBeenCalledTimes(1)
  })
})

describe('in the app', () => {
  const ourFrame = { senderFrame: { url: 'app://app/settings', parent: null } }
  const ask = (request: unknown, event: unknown = ourFrame) =>
    electron.ipcMain.handlers.get(CHANNELS.askUpdates)!(event, request)

  async function bootApp(loadUpdater: (() => Promise<Updater>) | null): Promise<void> {
    await boot(electron as unknown as Desktop, {
      startServer: async () => ({
        url: 'http://127.0.0.1:4545',
        uiUrl: '',
        mcpUrl: '',
        windowToken: 'token',
        inject: () => Promise.reject(new Error('not asked here')),
        busy: () => isInFlight(work),
        whenQuiet: () => waitUntilIdle(work),
        close: async () => {
          await settle()
          app.story.push('server closed')
        },
      }),
      argv: [],
      env: {},
      outDir: '/app/out',
      loadUpdater,
      print: () => {},
      log: () => {},
    })
    app.story = []
  }
  const states = () =>
    electron.BrowserWindow.all[0]!.webContents.send.mock.calls.filter(
      ([channel]) => channel === CHANNELS.updates,
    ).map(([, state]) => (state as UpdateState).phase)

  test('the server is closed before the installer starts', async () => {
    await bootApp(async () => updater)
    for (const request of ['check', 'download', 'restart']) {
      expect(await ask(request)).toBe(true)
      await settle()
    }
    await vi.waitFor(() => expect(app.story).toContain('quit'))
    expect(states()).toEqual(['checking', 'available', 'downloading', 'downloading', 'ready', 'waiting'])
    expect(app.story).toEqual(['quit prevented', 'server closed', 'installer started', 'quit'])
  })

  test('a normal quit installs nothing, whatever was downloaded', async () => {
    await bootApp(async () => updater)
    for (const request of ['check', 'download']) {
      await ask(request)
      await settle()
    }
    app.quit()
    await vi.waitFor(() => expect(app.story).toContain('quit'))
    expect(app.story).toEqual(['quit prevented', 'server closed', 'quit'])
    expect(updater.quitAndInstall).not.toHaveBeenCalled()
  })

  test('only text messages of the page are accepted', async () => {
    await bootApp(async () => updater)
    expect(() => ask('check', { senderFrame: { url: 'https://evil.example/', parent: null } })).toThrow(
      'Refused.',
    )
    expect(await ask({ toString: () => 'check' })).toBe(false)
    await settle()
    expect(updater.checkForUpdates).not.toHaveBeenCalled()
  })

  test('without an update address the page is informed that there are none', async () => {
    await bootApp(null)
    expect(await ask('check')).toBe(false)
    expect(await ask('state')).toBe(true)
    expect(states()).toEqual(['absent'])
  })
})

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '0.99.99', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['1.0.0-rc.1', '0.1.0', false],
])('%s after %s: %s', (next, current, newer) => expect(isNewer(next, current)).toBe(newer))

test.each([
  [Object.assign(new Error('x'), { code: 'ERR_CHECKSUM_MISMATCH' }), 'signature'],
  [new Error('sha512 checksum mismatch, expected a, got b'), 'signature'],
  [Object.assign(new Error('404'), { statusCode: 404, code: 'HTTP_ERROR_404' }), 'network'],
  [new Error('net::ERR_INTERNET_DISCONNECTED'), 'network'],
  [new Error('disk full'), 'other'],
  ['text', 'other'],
])('%s is a fault of kind %s', (error, fault) => expect(faultOf(error)).toBe(fault))
