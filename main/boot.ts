/** Brings the desktop app up and down in the right order: lock, server, page, window; and back. */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type * as Electron from 'electron'
import { CHANNELS } from '../preload/contract.ts'
import type { DesktopLanguage, DesktopTheme } from '../preload/contract.ts'
import { menuTemplate } from './menu.ts'
import { launchOptions } from './options.ts'
import type { LaunchOptions } from './options.ts'
import { APP_SCHEME, appProtocolHandler } from './protocol.ts'
import type { InProcessServer } from './protocol.ts'
import { isOurFrame, lockContents, lockSession, openLink } from './security.ts'
import { createUpdates } from './updates.ts'
import type { Updater, Updates } from './updates.ts'
import { openWindow, showWindow } from './window.ts'

/** The parts of Electron this app uses, given from outside so that plain Node can test the rest. */
export type Desktop = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeTheme'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
>

export interface RunningServer extends InProcessServer {
  uiUrl: string
  mcpUrl: string
  /** Is anything being written or issued, or a message on its way? */
  busy: () => boolean
  whenQuiet: () => Promise<void>
  close: () => Promise<void>
}

export interface BootOptions {
  startServer: (options: {
    dataDir: string
    port: number
    keyFile?: string
    uiDir: string
    log: (line: string) => void
    /** Show what keeps the books shut in the window instead of failing. */
    patient: boolean
  }) => Promise<RunningServer>
  argv: readonly string[]
  env: NodeJS.ProcessEnv
  /** The folder with main/, preload/ and renderer/ of the build. */
  outDir: string
  /** Brings the updater; null or left out where no update can be had. */
  loadUpdater?: (() => Promise<Updater>) | null
  /** Machine-readable lines (headless) and log lines. */
  print: (line: string) => void
  log: (line: string) => void
}

/** Closing waits for what is being written; a server that hangs must not keep the system from shutting down. */
const CLOSE_LIMIT_MS = 15_000

const TROUBLE = {
  es: { title: 'Sello no puede abrirse', retry: 'Reintentar', quit: 'Salir' },
  en: { title: 'Sello cannot open', retry: 'Try again', quit: 'Quit' },
} as const

/** Runs the app until it quits. Answers when the window is open (or the server answers, with `--headless`). */
export async function boot(desktop: Desktop, options: BootOptions): Promise<void> {
  const { app, BrowserWindow, ipcMain, Menu, nativeTheme, protocol, session, shell } = desktop

  // Before the app is ready, or not at all.
  app.enableSandbox()
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
  const launch = launchOptions(options.argv, options.env, app.getPath('appData'))
  // The browser's own files lie inside the data folder, so that the instance lock is one per store.
  const profile = profileFolder(launch.dataDir, app.getPath('temp'))
  app.setPath('userData', profile)
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }

  let language: DesktopLanguage = 'es'
  let window: Electron.BrowserWindow | null = null
  let server: RunningServer | null = null
  let updates: Updates | null = null
  let closing = false
  let closed = false

  // Asked again while closing (a second Ctrl+C, the system shutting down), it goes on waiting.
  app.on('before-quit', (event) => {
    if (closed || !server) return
    event.preventDefault()
    if (closing) return
    closing = true
    void closeServer(server, options.log).then(() => {
      closed = true
      if (!updates?.leave()) app.quit()
    })
  })
  app.on('second-instance', () => {
    if (window) showWindow(window)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !launch.headless) app.quit()
  })

  await app.whenReady()
  language = app.getLocale().startsWith('en') ? 'en' : 'es'
  server = await startPatiently(desktop, options, launch, () => language)
  if (!server) return
  const running = server
  if (launch.headless) {
    const { url, uiUrl, mcpUrl } = running
    options.print(JSON.stringify({ url, uiUrl, mcpUrl, pid: process.pid }))
    return
  }

  const page = session.defaultSession
  lockSession(page)
  page.protocol.handle(APP_SCHEME, appProtocolHandler(running))
  app.on('web-contents-created', (_event, contents) => lockContents(contents, running.url, shell))

  const setMenu = (): void => {
    const template = menuTemplate({
      language,
      platform: process.platform,
      packaged: app.isPackaged,
      choose: (command) => window?.webContents.send(CHANNELS.menu, command),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
  const updating = createUpdates({
    app,
    load: options.loadUpdater ?? null,
    server: running,
    tell: (state) => window?.webContents.send(CHANNELS.updates, state),
    folder: profile,
    log: options.log,
  })
  updates = updating
  answerPage(ipcMain, {
    [CHANNELS.updates]: (request) => updating.answer(request),
    [CHANNELS.openExternal]: (url) => openLink(url, running.url, shell),
    [CHANNELS.setTheme]: (theme) => {
      if (!isTheme(theme)) return false
      nativeTheme.themeSource = theme
      return true
    },
    [CHANNELS.setLanguage]: (wanted) => {
      if (wanted !== 'es' && wanted !== 'en') return false
      language = wanted
      setMenu()
      return true
    },
  })
  setMenu()

  const open = (): void => {
    window = openWindow(desktop, {
      preload: join(options.outDir, 'preload', 'index.cjs'),
      stateFolder: profile,
    })
    window.on('closed', () => {
      window = null
    })
  }
  open()
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0 && !closing) open()
  })
}

/** The browser's folder inside the data folder; elsewhere when nothing can be written there, for the window to say so. */
function profileFolder(dataDir: string, temporary: string): string {
  const inside = join(dataDir, 'desktop')
  try {
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    accessSync(inside, constants.W_OK)
    return inside
  } catch {
    const outside = join(temporary, 'sello-desktop')
    mkdirSync(outside, { recursive: true, mode: 0o700 })
    return outside
  }
}

/** Starts the server; when not even its window can be shown (no port is free) asks the person until it can or they leave. */
async function startPatiently(
  { app, dialog }: Desktop,
  options: BootOptions,
  { headless, ...launch }: LaunchOptions,
  language: () => DesktopLanguage,
): Promise<RunningServer | null> {
  for (;;) {
    try {
      return await options.startServer({
        ...launch,
        uiDir: join(options.outDir, 'renderer'),
        log: options.log,
        patient: !headless,
      })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const code = (error as { code?: unknown }).code
      options.log(`start failed: ${typeof code === 'string' ? code : message}`)
      if (headless) {
        const fault = { code: typeof code === 'string' ? code : 'internal', message }
        options.print(JSON.stringify({ error: fault }))
        app.exit(1)
        return null
      }
      const words = TROUBLE[language()]
      const { response } = await dialog.showMessageBox({
        type: 'error',
        title: words.title,
        message: words.title,
        detail: message,
        buttons: [words.retry, words.quit],
        defaultId: 0,
        cancelId: 1,
        noLink: true,
      })
      if (response !== 0) {
        app.exit(1)
        return null
      }
    }
  }
}

async function closeServer(server: RunningServer, log: (line: string) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log(`the server did not close within ${CLOSE_LIMIT_MS} ms`)
      resolve()
    }, CLOSE_LIMIT_MS)
  })
  try {
    await Promise.race([server.close(), limit])
  } catch (error) {
    log(`closing failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Answers the page's messages; one from any other frame, or with anything but text in it, is refused. */
function answerPage(
  ipcMain: Electron.IpcMain,
  answers: Record<string, (text: string) => boolean | Promise<boolean>>,
): void {
  for (const [channel, answer] of Object.entries(answers)) {
    ipcMain.handle(channel, (event, text: unknown) => {
      if (!isOurFrame(event)) throw new Error('Refused.')
      return typeof text === 'string' && text.length <= 2048 ? answer(text) : false
    })
  }
}

const isTheme = (text: string): text is DesktopTheme =>
  text === 'light' || text === 'dark' || text === 'system'
