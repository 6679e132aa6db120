/** Everything around the running server: session, menus, messages of the page, notifications, and the window itself. */
import { join } from 'node:path'
import type * as Electron from 'electron'
import { LIMITS, NEWS, REQUESTS } from '../preload/contract.ts'
import type { DesktopLanguage, MenuState } from '../preload/contract.ts'
import type { Arrivals } from './open-requests.ts'
import { showBadge } from './window/badge.ts'
import type { Desktop } from './boot.ts'
import { offerContextMenu } from './window/context-menu.ts'
import { guardDownloads } from './downloads.ts'
import { EXTENSIONS, MAX_OPENED_FILES } from './files.ts'
import type { OwnCommand } from './menu/catalogue.ts'
import { EMPTY_MENU, menuTemplate } from './menu/template.ts'
import { MENU_LABELS } from './menu/labels.ts'
import {
  messageHandler,
  answerPage,
  readBadge,
  readLanguage,
  readMenuState,
  readNotice,
  readTheme,
} from './messages.ts'
import { openNotices } from './notices.ts'
import { logLostProcesses, watchPage } from './window/page-fault.ts'
import { APP_SCHEME, appProtocolHandler } from './protocol.ts'
import type { InProcessServer } from './protocol.ts'
import { lockContents, lockSession, openLink } from './window/security.ts'
import { openWindow, showWindow } from './window/window.ts'

interface ShellOptions {
  server: InProcessServer
  language: DesktopLanguage
  preload: string
  /** Folder of the stored window position. */
  stateFolder: string
  arrivals: Arrivals
  isClosing: () => boolean
  /** Called with the language that the page has chosen. */
  setLanguage: (language: DesktopLanguage) => void
  /** Called when a quit that the page delayed was cancelled. */
  quitDeclined: () => void
  /** Handles an update request; returns false if it is invalid or not possible now. */
  askUpdates: (request: string) => boolean
  /** Menu commands of other modules, such as the search for updates. */
  own: Partial<Record<OwnCommand, () => void>>
  log: (line: string) => void
}

export interface Shell {
  /** Brings the window to the front; opens it if it was closed. */
  show: () => void
  send: (channel: string, news: unknown) => void
}

/** Opens the window with its menus and handlers. Called once, after the app is ready. */
export function openShell(desktop: Desktop, options: ShellOptions): Shell {
  const { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, powerMonitor, session, shell } = desktop
  const { server, arrivals, isClosing, log } = options
  let language = options.language
  let menu: MenuState = EMPTY_MENU
  let window: Electron.BrowserWindow | null = null

  const page = session.defaultSession
  lockSession(page)
  guardDownloads(page, () => app.getPath('downloads'))
  page.protocol.handle(APP_SCHEME, appProtocolHandler(server))
  app.on('web-contents-created', (_event, contents) => lockContents(contents, server.url, shell))
  logLostProcesses(app, log)

  const send = (channel: string, news: unknown): void => window?.webContents.send(channel, news)
  const setMenu = (): void => {
    const template = menuTemplate({
      language,
      platform: process.platform,
      packaged: app.isPackaged,
      state: menu,
      choose: (choice) => send(NEWS.menu, choice),
      own: { 'open-document': () => void chooseFiles(), about: () => showAbout(app), ...options.own },
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
  /** The page cannot open the file chooser by itself: choosing a native menu entry is not a click in the page. */
  async function chooseFiles(): Promise<void> {
    const extensions = [...EXTENSIONS].map((each) => each.slice(1))
    const choice: Electron.OpenDialogOptions = {
      properties: ['openFile', 'multiSelections'],
      filters: [{ name: MENU_LABELS[language].documents, extensions }],
    }
    const { filePaths } = await (window
      ? dialog.showOpenDialog(window, choice)
      : dialog.showOpenDialog(choice))
    for (const path of filePaths.slice(0, MAX_OPENED_FILES)) await arrivals.file(path)
  }
  /** Returns the path of the folder that the person chose; null if none was. */
  async function chooseFolder(): Promise<string | null> {
    const choice: Electron.OpenDialogOptions = { properties: ['openDirectory'] }
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, choice)
      : dialog.showOpenDialog(choice))
    return canceled ? null : (filePaths[0] ?? null)
  }
  const notices = openNotices({
    Notification: desktop.Notification,
    isWatched: () => window?.isFocused() ?? false,
    visit: (path) => void arrivals.visit(path),
  })

  answerPage(ipcMain, {
    [REQUESTS.openExternal]: messageHandler({
      limit: LIMITS.url,
      read: (text) => text,
      answer: (url) => openLink(url, server.url, shell),
    }),
    [REQUESTS.chooseFolder]: messageHandler({ limit: 0, read: () => true, answer: chooseFolder }),
    [REQUESTS.setTheme]: messageHandler({
      limit: LIMITS.word,
      read: readTheme,
      answer(theme) {
        nativeTheme.themeSource = theme
        return true
      },
    }),
    [REQUESTS.setLanguage]: messageHandler({
      limit: LIMITS.word,
      read: readLanguage,
      answer(wanted) {
        language = wanted
        options.setLanguage(wanted)
        setMenu()
        return true
      },
    }),
    [REQUESTS.setMenu]: messageHandler({
      limit: LIMITS.menu,
      read: readMenuState,
      answer(state) {
        menu = state
        setMenu()
        return true
      },
    }),
    [REQUESTS.notify]: messageHandler({ limit: LIMITS.notice, read: readNotice, answer: notices.show }),
    [REQUESTS.setBadge]: messageHandler({
      limit: LIMITS.word,
      read: readBadge,
      answer(count) {
        showBadge(desktop, window, count)
        return true
      },
    }),
    [REQUESTS.askUpdates]: messageHandler({
      limit: LIMITS.word,
      read: (text) => text,
      answer: options.askUpdates,
    }),
    [REQUESTS.stay]: messageHandler({
      limit: 0,
      read: () => true,
      answer() {
        options.quitDeclined()
        return true
      },
    }),
    [REQUESTS.ready]: messageHandler({
      limit: 0,
      read: () => true,
      answer() {
        arrivals.pageReady()
        return true
      },
    }),
  })

  function open(): void {
    const made = openWindow(desktop, { preload: options.preload, stateFolder: options.stateFolder })
    window = made
    /** The page is gone: its menus are disabled, and arrivals wait for the next page. */
    const gone = (): void => {
      arrivals.pageGone()
      menu = EMPTY_MENU
      setMenu()
    }
    watchPage(desktop, made, { language: () => language, isClosing, gone, log })
    offerContextMenu(desktop, made, () => language)
    made.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) gone()
    })
    made.on('closed', () => {
      window = null
      gone()
    })
  }

  setMenu()
  open()
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0 && !isClosing()) open()
  })
  for (const event of ['lock-screen', 'suspend'] as const)
    powerMonitor.on(event as 'suspend', () => send(NEWS.systemLock, null))

  return {
    send,
    show() {
      if (isClosing()) return
      if (window) showWindow(window)
      else open()
    },
  }
}

function showAbout(app: Electron.App): void {
  const { electron, chrome, node } = process.versions
  app.setAboutPanelOptions({
    applicationName: 'Sello',
    applicationVersion: app.getVersion(),
    copyright: 'Sello contributors',
    credits: `Electron ${electron ?? '—'} · Chromium ${chrome ?? '—'} · Node ${node}`,
  })
  app.showAboutPanel()
}

/** Returns the preload script of the build in `outDir`. */
export const preloadOf = (outDir: string): string => join(outDir, 'preload', 'index.cjs')
