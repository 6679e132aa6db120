/** The desktop app starts with all restrictions and in order, and quits without losing the store. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import configuration from '../../build/electron-builder.ts'
import { boot } from '../../main/boot.ts'
import type { BootOptions, Desktop, RunningServer } from '../../main/boot.ts'
import { CHANNELS } from '../../preload/contract.ts'
import * as electron from '../support/browser/fake-electron.ts'

const { app, BrowserWindow, ipcMain, session, shell, dialog, nativeTheme, Menu } = electron
const ourFrame = { senderFrame: { url: 'app://app/facturas', parent: null } }

let folder: string
let printed: string[]
let close: ReturnType<typeof vi.fn<() => Promise<void>>>
let startServer: ReturnType<typeof vi.fn<BootOptions['startServer']>>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-boot-'))
  electron.resetElectron(folder)
  printed = []
  close = vi.fn(async () => {
    app.story.push('server closed')
  })
  startServer = vi.fn<BootOptions['startServer']>(async () => {
    app.story.push('server started')
    return {
      url: 'http://127.0.0.1:4545',
      uiUrl: 'http://127.0.0.1:4545/#token=x',
      mcpUrl: 'http://127.0.0.1:4545/api/mcp/svc',
      windowToken: 'token',
      inject: () => Promise.reject(new Error('not asked here')),
      busy: () => false,
      whenQuiet: async () => {},
      close,
    } satisfies RunningServer
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function bootApp(argv: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
  await boot(electron as unknown as Desktop, {
    startServer,
    argv,
    env,
    outDir: '/app/out',
    print: (line) => printed.push(line),
    log: () => {},
  })
}

/** Runs the rest of the test as if on another system. */
function onSystem(platform: NodeJS.Platform): void {
  const real = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }))
}

const theWindow = () => BrowserWindow.all[0]!
const say = (channel: string, text: unknown, event: unknown = ourFrame) =>
  ipcMain.handlers.get(channel)!(event, text)
/** Lets pending promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('the check of the owner', () => {
  const { systemPreferences } = electron
  const personOf = () => startServer.mock.calls[0]![0].person

  test('is made by the system, in the language of the page', async () => {
    onSystem('darwin')
    await bootApp()
    const person = personOf()!
    expect(person.available()).toBe(true)
    expect(await person.ask('approve')).toBe(true)
    expect(systemPreferences.promptTouchID).toHaveBeenLastCalledWith(
      'aprobar lo que te ha pedido un programa',
    )
    await say(CHANNELS.setLanguage, 'en')
    await person.ask('setting')
    expect(systemPreferences.promptTouchID).toHaveBeenLastCalledWith(
      'change how what programs ask for is approved',
    )
  })

  test('fails if the person refuses, and is not available without a connected sensor', async () => {
    onSystem('darwin')
    await bootApp()
    systemPreferences.promptTouchID.mockRejectedValueOnce(new Error('Canceled by user.'))
    expect(await personOf()!.ask('approve')).toBe(false)
    systemPreferences.canPromptTouchID.mockReturnValueOnce(false)
    expect(personOf()!.available()).toBe(false)
  })

  test.each(['win32', 'linux'] as const)('does not exist on %s', async (platform) => {
    onSystem(platform)
    await bootApp()
    expect(personOf()).toBeNull()
  })
})

describe('during the upgrade of books of an earlier version', () => {
  /** Simulates a slow start that reports an upgrade in between. */
  function slowly(ms: number): void {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const start = startServer.getMockImplementation()!
    startServer.mockImplementation(async (options) => {
      options.upgrading()
      await new Promise((resolve) => setTimeout(resolve, ms))
      return start(options)
    })
  }

  test('a window without script or address is shown, until the main one opens', async () => {
    slowly(5_000)
    app.locale = 'en-GB'
    const booted = bootApp()
    await vi.advanceTimersByTimeAsync(1_500)
    const waiting = theWindow()
    expect(waiting.options).toMatchObject({
      closable: false,
      webPreferences: { javascript: false, sandbox: true },
    })
    const [url] = waiting.loadURL.mock.calls[0] as unknown as [string]
    expect(url).toMatch(/^data:text\/html/)
    expect(decodeURIComponent(url)).toContain('Bringing your books up to date')
    waiting.destroy.mockImplementationOnce(() => {
      // Without a window the app would quit.
      expect(BrowserWindow.all).toHaveLength(2)
      BrowserWindow.all.shift()
    })
    await vi.advanceTimersByTimeAsync(4_000)
    await booted
    expect(waiting.destroy).toHaveBeenCalledOnce()
    expect(theWindow().loadURL).toHaveBeenCalledWith('app://app/')
    // Restored books of an earlier version are reported by their own page.
    startServer.mock.calls[0]![0].upgrading()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(BrowserWindow.all).toHaveLength(1)
  })

  test.each([
    ['that are done at once', 500, []],
    ['without a window', 5_000, ['--headless']],
  ])('nothing is shown for books %s', async (_which, ms, argv) => {
    slowly(ms)
    const booted = bootApp(argv)
    await vi.advanceTimersByTimeAsync(10_000)
    await booted
    const shown = BrowserWindow.all.flatMap(({ loadURL }) => loadURL.mock.calls as unknown as string[][])
    expect(shown).toEqual(argv.length > 0 ? [] : [['app://app/']])
  })
})

describe('start', () => {
  test('sets sandbox and scheme before the app is ready, and opens the window after the server', async () => {
    await bootApp()
    expect(app.story).toEqual(['sandbox', 'schemes', 'ready', 'server started'])
    expect(theWindow().loadURL).toHaveBeenCalledWith('app://app/')
    const [schemes] = electron.protocol.registerSchemesAsPrivileged.mock.calls[0] as unknown as [
      { scheme: string; privileges: Record<string, boolean> }[],
    ]
    expect(schemes[0]).toEqual({
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
    })
  })

  test('opens a window that can neither run Node nor leave its sandbox', async () => {
    await bootApp()
    expect(theWindow().options.webPreferences).toMatchObject({
      preload: join('/app/out', 'preload', 'index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: true,
    })
  })

  test('gives the page no experimental feature: sets nothing beyond the known preferences', async () => {
    await bootApp()
    expect(Object.keys(theWindow().options.webPreferences as object).sort()).toEqual([
      'allowRunningInsecureContent',
      'contextIsolation',
      'devTools',
      'nodeIntegration',
      'nodeIntegrationInSubFrames',
      'nodeIntegrationInWorker',
      'preload',
      'sandbox',
      'spellcheck',
      'webSecurity',
      'webviewTag',
    ])
    expect(theWindow().options.webPreferences).toMatchObject({ allowRunningInsecureContent: false })
  })

  test('of a packaged app has no developer tools', async () => {
    app.isPackaged = true
    await bootApp()
    expect(theWindow().options.webPreferences).toMatchObject({ devTools: false })
    expect(JSON.stringify(Menu.buildFromTemplate.mock.calls[0])).not.toContain('toggleDevTools')
  })

  test('passes the data folder, port and key file to the server; the browser profile is inside the folder', async () => {
    const dataDir = join(folder, 'books')
    mkdirSync(dataDir)
    await bootApp(['--data', dataDir, '--port', '0', '--no-sandbox'], {
      SELLO_KEY_FILE: '/k',
      SELLO_PORT: '99',
    })
    expect(startServer.mock.calls[0]![0]).toMatchObject({
      dataDir,
      port: 0,
      keyFile: '/k',
      uiDir: join('/app/out', 'renderer'),
    })
    expect(app.setPath).toHaveBeenCalledWith('userData', join(dataDir, 'desktop'))
    expect(existsSync(join(dataDir, 'desktop'))).toBe(true)
  })

  test('does not create a named folder that is missing; for a program it does', async () => {
    const dataDir = join(folder, 'drive', 'books')
    await bootApp(['--data', dataDir])
    expect(startServer.mock.calls[0]![0]).toMatchObject({ dataDir, folderIsNamed: true })
    expect(existsSync(dataDir)).toBe(false)
    electron.resetElectron(folder)
    await bootApp(['--data', dataDir, '--headless'])
    expect(existsSync(dataDir)).toBe(true)
  })

  test('for a second time shows the first window and ends', async () => {
    await bootApp()
    theWindow().isMinimized.mockReturnValue(true)
    app.emit('second-instance', {}, [], '/', { words: [] })
    expect(theWindow().restore).toHaveBeenCalled()
    expect(theWindow().focus).toHaveBeenCalled()

    electron.resetElectron(folder)
    app.requestSingleInstanceLock.mockImplementation(() => false)
    await bootApp()
    expect(app.story).toContain('quit')
    expect(startServer).toHaveBeenCalledTimes(0)
    expect(BrowserWindow.all).toHaveLength(0)
  })

  test('on Windows uses the application id of the installer', async () => {
    onSystem('linux')
    await bootApp()
    expect(app.setAppUserModelId).not.toHaveBeenCalled()
    onSystem('win32')
    await bootApp()
    expect(app.setAppUserModelId).toHaveBeenCalledExactlyOnceWith(configuration.appId)
  })

  test('without a window prints one line of JSON', async () => {
    await bootApp(['--headless'])
    expect(BrowserWindow.all).toHaveLength(0)
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      {
        url: 'http://127.0.0.1:4545',
        uiUrl: 'http://127.0.0.1:4545/#token=x',
        mcpUrl: 'http://127.0.0.1:4545/api/mcp/svc',
        pid: process.pid,
      },
    ])
  })
})

describe('a start that fails', () => {
  test('is retried on request', async () => {
    startServer.mockRejectedValueOnce(
      Object.assign(new Error('The keychain is locked.'), { code: 'keychain_locked' }),
    )
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0 })
    await bootApp()
    expect(startServer).toHaveBeenCalledTimes(2)
    expect(dialog.showMessageBox.mock.calls[0]![0]).toMatchObject({ detail: 'The keychain is locked.' })
    expect(BrowserWindow.all).toHaveLength(1)
  })

  test('ends the app if the person quits', async () => {
    startServer.mockRejectedValue(new Error('no'))
    await bootApp()
    expect(app.story.at(-1)).toBe('exit 1')
    expect(BrowserWindow.all).toHaveLength(0)
  })

  test('without a window asks nobody and prints the code', async () => {
    startServer.mockRejectedValue(Object.assign(new Error('Taken.'), { code: 'store_in_use' }))
    await bootApp(['--headless'])
    expect(dialog.showMessageBox).not.toHaveBeenCalled()
    expect(JSON.parse(printed[0]!)).toEqual({ error: { code: 'store_in_use', message: 'Taken.' } })
    expect(app.story.at(-1)).toBe('exit 1')
  })
})

describe('the page', () => {
  const event = (url: string) => ({ url, preventDefault: vi.fn() })

  test('cannot be led away from the app; a known link opens in the browser', async () => {
    await bootApp()
    const { webContents } = theWindow()
    for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      const foreign = event('https://evil.example/')
      webContents.emit(name, foreign)
      expect(foreign.preventDefault, name).toHaveBeenCalled()
      const own = event('app://app/facturas')
      webContents.emit(name, own)
      expect(own.preventDefault, name).not.toHaveBeenCalled()
    }
    for (const url of ['app://app.evil/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x']) {
      const trick = event(url)
      webContents.emit('will-navigate', trick)
      expect(trick.preventDefault, url).toHaveBeenCalled()
    }
    expect(shell.openExternal).not.toHaveBeenCalled()
    webContents.emit('will-navigate', event('https://sede.agenciatributaria.gob.es/Sede/inicio.html'))
    expect(shell.openExternal).toHaveBeenCalledTimes(1)
  })

  test('opens no window and has no webview', async () => {
    await bootApp()
    const { webContents } = theWindow()
    expect(webContents.openHandler!({ url: 'app://app/' })).toEqual({ action: 'deny' })
    expect(webContents.openHandler!({ url: 'https://evil.example/' })).toEqual({ action: 'deny' })
    expect(shell.openExternal).not.toHaveBeenCalled()
    const webview = event('')
    webContents.emit('will-attach-webview', webview)
    expect(webview.preventDefault).toHaveBeenCalled()
  })

  test('gets no permission except for copying', async () => {
    await bootApp()
    const { permissionRequest, permissionCheck, devicePermission } = session.defaultSession
    const asked = (permission: string) => {
      let answer: boolean | null = null
      permissionRequest!(null, permission, (yes) => (answer = yes))
      return answer
    }
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'hid',
      'new',
    ]) {
      expect(asked(permission), permission).toBe(false)
      expect(permissionCheck!(null, permission), permission).toBe(false)
    }
    expect(asked('clipboard-sanitized-write')).toBe(true)
    expect(devicePermission!()).toBe(false)
  })

  test.each([
    ['https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B1', true],
    ['https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B1', true],
    ['http://127.0.0.1:4545/docs/api', true],
    ['https://accounts.google.com/o/oauth2/v2/auth?client_id=x', true],
    ['https://accounts.google.com.evil.example/', false],
    ['http://127.0.0.1:4545/#token=x', false],
    ['http://127.0.0.1:4545/docsx', false],
    ['http://www2.agenciatributaria.gob.es/', false],
    ['https://www2.agenciatributaria.gob.es:8443/', false],
    ['https://user:pw@www2.agenciatributaria.gob.es/', false],
    ['https://www2.agenciatributaria.gob.es.evil.example/', false],
    ['file:///etc/passwd', false],
    ['smb://host/share', false],
    ['not a url', false],
  ])('may have %s opened: %s', async (url, opened) => {
    await bootApp()
    expect(await say(CHANNELS.openExternal, url)).toBe(opened)
    expect(shell.openExternal).toHaveBeenCalledTimes(opened ? 1 : 0)
  })

  test.each([
    ['no frame', { senderFrame: null }],
    ['a foreign page', { senderFrame: { url: 'https://evil.example/', parent: null } }],
    ['an embedded frame', { senderFrame: { url: 'app://app/', parent: {} } }],
  ])('is the only accepted sender: a message from %s is rejected', async (_name, sender) => {
    await bootApp()
    for (const channel of ipcMain.handlers.keys())
      expect(() => say(channel, 'light', sender)).toThrow('Refused.')
    expect(nativeTheme.themeSource).toBe('system')
  })

  test('sets theme and language with known values only', async () => {
    await bootApp()
    expect(await say(CHANNELS.setTheme, 'dark')).toBe(true)
    expect(await say(CHANNELS.setTheme, 'pink')).toBe(false)
    expect(await say(CHANNELS.setTheme, { toString: () => 'light' })).toBe(false)
    expect(nativeTheme.themeSource).toBe('dark')
    expect(await say(CHANNELS.setLanguage, 'en')).toBe(true)
    expect(await say(CHANNELS.setLanguage, 'fr')).toBe(false)
    expect(JSON.stringify(Menu.setApplicationMenu.mock.calls.at(-1))).toContain('Keyboard shortcuts')
  })
})

describe('quitting', () => {
  test('closes the server first, once, then ends', async () => {
    await bootApp()
    app.story = []
    app.quit()
    app.quit()
    await settle()
    expect(app.story.filter((step) => step === 'server closed')).toHaveLength(1)
    expect(app.story.filter((step) => step === 'quit prevented')).toHaveLength(2)
    expect(app.story.filter((step) => step === 'quit')).toHaveLength(1)
    expect(app.story.at(-1)).toBe('quit')
    expect(app.story.indexOf('server closed')).toBeLessThan(app.story.lastIndexOf('quit'))
  })

  test('lets the page save first: the server stays until its window has closed', async () => {
    await bootApp()
    app.story = []
    theWindow().heldByPage = true
    app.quit()
    await settle()
    expect(app.story).toEqual(['quit prevented'])
    theWindow().heldByPage = false
    app.emit('window-all-closed')
    await settle()
    expect(app.story).toEqual(['quit prevented', 'server closed', 'quit prevented', 'quit'])
  })

  test('is forgotten after the person has cancelled it: on macOS the next closed window ends nothing', async () => {
    onSystem('darwin')
    await bootApp()
    app.story = []
    theWindow().heldByPage = true
    app.quit()
    theWindow().heldByPage = false
    expect(await say(CHANNELS.stay, '')).toBe(true)
    app.emit('window-all-closed')
    await settle()
    expect(app.story).toEqual(['quit prevented'])
    // After a second request and its release the quit continues as before.
    app.quit()
    await settle()
    expect(app.story).toEqual(['quit prevented', 'server closed', 'quit prevented', 'quit'])
  })

  test('never ends while the server is still closing', async () => {
    let finish = (): void => {}
    close.mockImplementation(() => new Promise<void>((resolve) => (finish = resolve)))
    await bootApp()
    app.quit()
    app.quit()
    await settle()
    expect(app.story).not.toContain('quit')
    finish()
    await settle()
    expect(app.story.at(-1)).toBe('quit')
  })

  test('ends even if closing fails', async () => {
    close.mockRejectedValue(new Error('disk'))
    await bootApp()
    app.quit()
    await settle()
    expect(app.story.at(-1)).toBe('quit')
  })

  test("follows the last window, and the window's position is stored", async () => {
    await bootApp()
    theWindow().isMaximized.mockReturnValue(true)
    theWindow().webContents.zoomFactor = 1.2
    theWindow().emit('close')
    const saved = JSON.parse(readFileSync(join(folder, 'sello', 'desktop', 'window.json'), 'utf8'))
    expect(saved).toEqual({ x: 10, y: 20, width: 900, height: 700, maximized: true, zoom: 1.2 })
    app.emit('window-all-closed')
    await settle()
    expect(app.story.includes('server closed')).toBe(process.platform !== 'darwin')

    electron.resetElectron(folder)
    await bootApp()
    expect(theWindow().options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 })
    theWindow().emit('ready-to-show')
    expect(theWindow().maximize).toHaveBeenCalled()
    theWindow().webContents.emit('dom-ready')
    expect(theWindow().webContents.setZoomFactor).toHaveBeenCalledWith(1.2)
  })
})
