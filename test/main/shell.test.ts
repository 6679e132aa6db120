/**
 * Everything around the page: links and files from outside, notifications, downloads, the context menu, and a crashed
 * page.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { drawDot, showBadge } from '../../main/window/badge.ts'
import { boot } from '../../main/boot.ts'
import type { BootOptions, Desktop, RunningServer } from '../../main/boot.ts'
import { contextEntries } from '../../main/window/context-menu.ts'
import { openNotices } from '../../main/notices.ts'
import { CHANNELS, NEWS, REQUESTS } from '../../preload/contract.ts'
import type { MenuState, Notice } from '../../preload/contract.ts'
import * as electron from '../support/browser/fake-electron.ts'

const { app, BrowserWindow, clipboard, dialog, ipcMain, Menu, nativeTheme, powerMonitor, session } = electron
const ourFrame = { senderFrame: { url: 'app://app/facturas', parent: null } }
const notice: Notice = { kind: 'registry', title: 'Un registro', body: 'Ábrelo', path: '/invoices/inv_1' }

let folder: string
let logged: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-shell-'))
  electron.resetElectron(folder)
  app.paths.downloads = join(folder, 'Descargas')
  logged = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function bootApp(argv: string[] = [], loadUpdater: BootOptions['loadUpdater'] = null): Promise<void> {
  await boot(electron as unknown as Desktop, {
    startServer: async () =>
      ({
        url: 'http://127.0.0.1:4545',
        uiUrl: '',
        mcpUrl: '',
        windowToken: 'token',
        inject: () => Promise.reject(new Error('not asked here')),
        busy: () => false,
        whenQuiet: async () => {},
        close: async () => {},
      }) satisfies RunningServer,
    argv: ['--data', join(folder, 'books'), ...argv],
    env: {},
    outDir: '/app/out',
    print: () => {},
    log: (line) => logged.push(line),
    loadUpdater,
  })
}
const theWindow = () => BrowserWindow.all[0]!
const say = (channel: string, value: unknown = '', event: unknown = ourFrame) =>
  ipcMain.handlers.get(channel)!(event, typeof value === 'string' ? value : JSON.stringify(value))
const told = (channel: string) =>
  theWindow()
    .webContents.send.mock.calls.filter(([name]) => name === channel)
    .map(([, news]) => news)
const event = () => ({ preventDefault: vi.fn() })
const settle = () => new Promise((done) => setTimeout(done, 20))
const lastMenu = () => JSON.stringify(Menu.setApplicationMenu.mock.calls.at(-1))

describe('messages', () => {
  test('are received on the channels of the contract and no other, each from the page only', async () => {
    await bootApp()
    expect([...ipcMain.handlers.keys()].sort()).toEqual(Object.values(REQUESTS).sort())
    for (const channel of Object.values(REQUESTS))
      for (const senderFrame of [
        null,
        { url: 'https://evil.example/', parent: null },
        { url: 'app://app/', parent: {} },
        { url: 'app://app.evil/', parent: null },
        { url: 'file:///app/', parent: null },
      ])
        expect(() => say(channel, '', { senderFrame }), channel).toThrow('Refused.')
  })

  test('have one entry point: nothing else in main/ listens to the page', () => {
    const main = resolve(import.meta.dirname, '../../main')
    const listening = readdirSync(main, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /ipcMain\.|\.ipc\.(?:on|handle)/.test(readFileSync(join(main, file), 'utf8')))
    expect(listening).toEqual(['messages.ts'])
  })

  test('that are not text, or too long, are rejected', async () => {
    await bootApp()
    for (const channel of Object.values(REQUESTS)) {
      expect(await ipcMain.handlers.get(channel)!(ourFrame, { toString: () => 'dark' }), channel).toBe(false)
      expect(await say(channel, 'x'.repeat(40_000)), channel).toBe(false)
    }
  })
})

describe('a link', () => {
  test('waits for the page, shows the window and opens its target', async () => {
    await bootApp(['sello://invoices/inv_1'])
    expect(told(NEWS.visit)).toEqual([])
    expect(await say(CHANNELS.ready)).toBe(true)
    expect(told(NEWS.visit)).toEqual(['/invoices/inv_1'])
    const first = event()
    app.emit('open-url', first, 'sello://inbox/prp_1')
    expect(first.preventDefault).toHaveBeenCalled()
    expect(told(NEWS.visit)).toEqual(['/invoices/inv_1', '/inbox/prp_1'])
    expect(theWindow().focus).toHaveBeenCalled()
  })

  test("of a second start is passed as data, not through Chromium's command line", async () => {
    await bootApp()
    expect(app.requestSingleInstanceLock).toHaveBeenCalledWith({ words: [] })
    await say(CHANNELS.ready)
    app.emit('second-instance', {}, ['sello://settings'], '/', { words: ['sello://new/invoice'] })
    expect(told(NEWS.visit)).toEqual(['/invoices/new'])
    for (const data of [null, 'x', { words: 'sello://inbox' }, { words: [7, {}] }])
      app.emit('second-instance', {}, [], '/', data)
    expect(told(NEWS.visit)).toHaveLength(1)
  })

  test('that is unknown is ignored, and its text is not logged', async () => {
    await bootApp()
    await say(CHANNELS.ready)
    app.emit('open-url', event(), 'sello://invoices/inv_1/issue?secret=x')
    expect(told(NEWS.visit)).toEqual([])
    expect(logged.join()).not.toContain('secret')
  })

  test('is registered by the packaged app only, with flags excluded', async () => {
    await bootApp()
    expect(app.setAsDefaultProtocolClient).not.toHaveBeenCalled()
    electron.resetElectron(folder)
    app.isPackaged = true
    await bootApp()
    expect(app.setAsDefaultProtocolClient).toHaveBeenCalledWith('sello', process.execPath, ['--'])
  })

  test('that arrives before the window is ready is not lost', async () => {
    const ready = vi.spyOn(app, 'whenReady').mockImplementationOnce(async () => {
      app.emit('open-url', event(), 'sello://taxes')
    })
    await bootApp()
    await say(CHANNELS.ready)
    expect(told(NEWS.visit)).toEqual(['/taxes'])
    ready.mockRestore()
  })

  test('reopens a closed window', async () => {
    await bootApp()
    theWindow().emit('closed')
    app.emit('open-url', event(), 'sello://inbox')
    expect(BrowserWindow.all).toHaveLength(2)
  })
})

describe('a file', () => {
  test('arrives as bytes, from the command line, a second start or the system', async () => {
    writeFileSync(join(folder, 'a.pdf'), '%PDF-a')
    writeFileSync(join(folder, 'b.xml'), '<b/>')
    await bootApp([join(folder, 'a.pdf')])
    await say(CHANNELS.ready)
    app.emit('second-instance', {}, [], folder, { words: ['b.xml', 'key'] })
    app.emit('open-file', event(), join(folder, 'a.pdf'))
    app.emit('open-file', event(), '/etc/passwd')
    await vi.waitFor(() => expect(told(NEWS.file)).toHaveLength(3))
    await settle()
    const files = told(NEWS.file) as { name: string; bytes: Uint8Array }[]
    expect(files.map(({ name }) => name).sort()).toEqual(['a.pdf', 'a.pdf', 'b.xml'])
    expect(JSON.stringify(files.map((file) => Object.keys(file)))).not.toContain('path')
    expect(logged.join()).not.toContain('passwd')
  })

  test('is chosen from the menu with the chooser of the system', async () => {
    writeFileSync(join(folder, 'a.pdf'), '%PDF-a')
    dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: [join(folder, 'a.pdf')] })
    await bootApp()
    await say(CHANNELS.ready)
    const { template } = Menu.setApplicationMenu.mock.calls.at(-1)![0] as {
      template: { submenu: { id?: string; click: () => void }[] }[]
    }
    template
      .flatMap(({ submenu }) => submenu)
      .find(({ id }) => id === 'open-document')!
      .click()
    await vi.waitFor(() => expect(told(NEWS.file)).toHaveLength(1))
  })

  test('is not read from a folder that the page asks for: it only learns the path that a person chose', async () => {
    await bootApp()
    expect(await say(CHANNELS.chooseFolder, '')).toBeNull()
    dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: [folder] })
    expect(await say(CHANNELS.chooseFolder, '')).toBe(folder)
    expect(dialog.showOpenDialog.mock.calls.at(-1)!.at(-1)).toEqual({ properties: ['openDirectory'] })
    expect(await say(CHANNELS.chooseFolder, '/etc')).toBe(false)
  })

  test('waits while the page reloads', async () => {
    writeFileSync(join(folder, 'a.pdf'), '%PDF-a')
    await bootApp()
    await say(CHANNELS.ready)
    theWindow().webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
    app.emit('open-file', event(), join(folder, 'a.pdf'))
    await settle()
    expect(told(NEWS.file)).toHaveLength(0)
    await say(CHANNELS.ready)
    expect(told(NEWS.file)).toHaveLength(1)
    theWindow().webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true })
    app.emit('open-file', event(), join(folder, 'a.pdf'))
    await vi.waitFor(() => expect(told(NEWS.file)).toHaveLength(2))
  })
})

describe('the menu', () => {
  const state: MenuState = {
    commands: ['settings'],
    checked: [],
    places: [],
    actions: [{ id: 'e', label: 'Editar la factura', keys: 'e' }],
    books: [],
  }

  test("shows the page's entries until the page is gone", async () => {
    await bootApp()
    expect(await say(CHANNELS.setMenu, state)).toBe(true)
    expect(lastMenu()).toContain('Editar la factura (E)')
    expect(await say(CHANNELS.setMenu, { ...state, actions: 'all' })).toBe(false)
    theWindow().webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false })
    expect(lastMenu()).not.toContain('Editar la factura')
  })

  const entry = (id: string) => {
    const { template } = Menu.setApplicationMenu.mock.calls.at(-1)![0] as {
      template: { submenu: { id?: string; click: () => void }[] }[]
    }
    return template.flatMap(({ submenu }) => submenu).find((each) => each.id === id)!
  }

  test('checks for updates if they are available, and leads to the result', async () => {
    const loadUpdater = vi.fn(async () => {
      throw new Error('no network')
    })
    await bootApp([], loadUpdater)
    await say(CHANNELS.ready)
    entry('check-updates').click()
    await vi.waitFor(() => expect(told(NEWS.updates).at(-1)).toMatchObject({ phase: 'failed' }))
    expect(told(NEWS.visit)).toEqual(['/settings/security'])
    electron.resetElectron(folder)
    await bootApp()
    expect(lastMenu()).not.toContain('Buscar actualizaciones…')
  })

  test('opens the third-party licences in the browser', async () => {
    await bootApp()
    entry('licences').click()
    expect(electron.shell.openExternal).toHaveBeenCalledWith('http://127.0.0.1:4545/notices.txt')
  })
})

describe('a notification', () => {
  test('is shown while the window is not in front, and a click opens its page', async () => {
    await bootApp()
    await say(CHANNELS.ready)
    expect(await say(CHANNELS.notify, notice)).toBe(true)
    const [shown] = electron.FakeNotification.shown
    expect(shown!.options).toEqual({ title: 'Un registro', body: 'Ábrelo' })
    shown!.emit('click')
    expect(told(NEWS.visit)).toEqual(['/invoices/inv_1'])
    expect(theWindow().focus).toHaveBeenCalled()
  })

  test('is not shown while the window is in front, nor on a system without notifications', async () => {
    await bootApp()
    theWindow().isFocused.mockReturnValue(true)
    expect(await say(CHANNELS.notify, notice)).toBe(false)
    theWindow().isFocused.mockReturnValue(false)
    electron.FakeNotification.isSupported.mockReturnValue(false)
    expect(await say(CHANNELS.notify, notice)).toBe(false)
    expect(electron.FakeNotification.shown).toEqual([])
  })

  test('replaces the earlier one of its kind, up to a limit per minute', () => {
    let now = 0
    const notices = openNotices({
      Notification: electron.FakeNotification as never,
      isWatched: () => false,
      visit: () => {},
      now: () => now,
    })
    expect(notices.show(notice)).toBe(true)
    expect(notices.show(notice)).toBe(true)
    expect(electron.FakeNotification.shown[0]!.close).toHaveBeenCalled()
    expect(electron.FakeNotification.shown[1]!.close).not.toHaveBeenCalled()
    for (let index = 0; index < 20; index++) notices.show(notice)
    expect(electron.FakeNotification.shown).toHaveLength(6)
    now = 61_000
    expect(notices.show(notice)).toBe(true)
  })
})

test('the number of pending decisions is on the dock, and a dot on the task bar of Windows', async () => {
  await bootApp()
  if (process.platform !== 'win32') {
    expect(await say(CHANNELS.setBadge, '3')).toBe(true)
    expect(app.setBadgeCount).toHaveBeenCalledWith(3)
  }
  const window = { setOverlayIcon: vi.fn() }
  showBadge(electron as unknown as Desktop, window, 3, 'win32')
  expect(window.setOverlayIcon.mock.calls[0]![0]).toMatchObject({ size: { width: 16, height: 16 } })
  expect(window.setOverlayIcon.mock.calls[0]![1]).toBe('3')
  showBadge(electron as unknown as Desktop, window, 0, 'win32')
  expect(window.setOverlayIcon).toHaveBeenLastCalledWith(null, '')
  const dot = drawDot()
  expect([...dot.subarray(0, 4)]).toEqual([0, 0, 0, 0])
  expect([...dot.subarray((8 * 16 + 8) * 4, (8 * 16 + 8) * 4 + 4)]).toEqual([0xb8, 0x44, 0x37, 0xff])
})

test('a download of the page is saved where the person chooses; any other is stopped', async () => {
  await bootApp()
  const own = new electron.FakeDownload('blob:app://app/1', '../F2026-0042.pdf')
  const allowed = event()
  session.defaultSession.emit('will-download', allowed, own)
  expect(allowed.preventDefault).not.toHaveBeenCalled()
  expect(own.setSaveDialogOptions).toHaveBeenCalledWith({
    defaultPath: join(folder, 'Descargas', 'F2026-0042.pdf'),
  })
  const foreign = event()
  session.defaultSession.emit(
    'will-download',
    foreign,
    new electron.FakeDownload('https://evil.example/x', 'x'),
  )
  expect(foreign.preventDefault).toHaveBeenCalled()
})

test('locking or sleep of the computer is reported to the page', async () => {
  await bootApp()
  powerMonitor.emit('lock-screen')
  powerMonitor.emit('suspend')
  expect(told(NEWS.systemLock)).toHaveLength(2)
})

test("the window's background follows the theme", async () => {
  await bootApp()
  nativeTheme.shouldUseDarkColors = true
  nativeTheme.emit('updated')
  expect(theWindow().setBackgroundColor).toHaveBeenLastCalledWith('#141413')
  theWindow().emit('closed')
  expect(nativeTheme.listenerCount('updated')).toBe(0)
})

describe('a page that crashes', () => {
  const die = (reason = 'crashed') =>
    theWindow().webContents.emit('render-process-gone', {}, { reason, exitCode: 5 })

  test('is reloaded at its address on request; after another crash at once, at the start page', async () => {
    await bootApp()
    dialog.showMessageBox.mockResolvedValue({ response: 0 })
    die()
    await settle()
    expect(theWindow().webContents.reload).toHaveBeenCalledTimes(1)
    expect(theWindow().loadURL).toHaveBeenCalledTimes(1)
    die('oom')
    await settle()
    expect(theWindow().loadURL).toHaveBeenLastCalledWith('app://app/')
    expect(theWindow().loadURL).toHaveBeenCalledTimes(2)
    expect(logged).toContain('page gone: crashed (5)')
  })

  test('ends the app if the person wants that', async () => {
    await bootApp()
    dialog.showMessageBox.mockResolvedValueOnce({ response: 1 })
    die()
    await settle()
    expect(app.quit).toHaveBeenCalled()
  })

  test('on purpose is not a fault', async () => {
    await bootApp()
    die('clean-exit')
    await settle()
    expect(dialog.showMessageBox).not.toHaveBeenCalled()
  })

  test('asks once, however often it is reported', async () => {
    await bootApp()
    dialog.showMessageBox.mockReturnValueOnce(new Promise(() => {}))
    die()
    die()
    theWindow().emit('unresponsive')
    expect(dialog.showMessageBox).toHaveBeenCalledTimes(1)
  })
})

describe('a page that does not answer', () => {
  test('is waited for, or terminated and reloaded without another question', async () => {
    await bootApp()
    dialog.showMessageBox.mockResolvedValueOnce({ response: 0 })
    theWindow().emit('unresponsive')
    await settle()
    expect(theWindow().webContents.forcefullyCrashRenderer).not.toHaveBeenCalled()
    dialog.showMessageBox.mockResolvedValueOnce({ response: 1 })
    theWindow().emit('unresponsive')
    await settle()
    expect(theWindow().webContents.reload).toHaveBeenCalledTimes(1)
    expect(dialog.showMessageBox).toHaveBeenCalledTimes(2)
  })
})

test('the exit of another process is logged', async () => {
  await bootApp()
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 1 })
  app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 })
  expect(logged).toEqual(['process gone: GPU, crashed (1)'])
})

describe('the context menu', () => {
  const flags = {
    canUndo: true,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canSelectAll: true,
  }
  const params = { isEditable: false, editFlags: flags as never, selectionText: '', linkURL: '' }
  const roles = (given: object) =>
    contextEntries({ ...params, ...given }, 'es', clipboard.writeText).map(({ role, label }) => role ?? label)

  test('offers the possible actions, and nothing if there are none', () => {
    expect(roles({ isEditable: true })).toContain('paste')
    expect(roles({ selectionText: 'B12345674' })).toEqual(['copy'])
    expect(roles({})).toEqual([])
    expect(roles({ linkURL: 'javascript:alert(1)' })).toEqual([])
    expect(roles({ linkURL: 'app://app/invoices/inv_1/edit' })).toEqual([])
  })

  test("copies a page's link so that it works in a mail", () => {
    const [entry] = contextEntries(
      { ...params, linkURL: 'app://app/invoices/inv_1' },
      'es',
      clipboard.writeText,
    )
    ;(entry!.click as unknown as () => void)()
    expect(clipboard.writeText).toHaveBeenCalledWith('sello://invoices/inv_1')
  })

  test('is shown over the window', async () => {
    await bootApp()
    const before = Menu.buildFromTemplate.mock.calls.length
    theWindow().webContents.emit('context-menu', {}, { ...params, selectionText: 'x' })
    expect(Menu.buildFromTemplate.mock.calls.length).toBe(before + 1)
    theWindow().webContents.emit('context-menu', {}, params)
    expect(Menu.buildFromTemplate.mock.calls.length).toBe(before + 1)
  })
})
