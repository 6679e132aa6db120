/** Starts and stops the desktop app in the right order: lock, server, page, window; and the reverse. */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type * as Electron from 'electron'
import { NEWS } from '../preload/contract.ts'
import type { DesktopLanguage } from '../preload/contract.ts'
import type { PersonCheck } from '../server/api/application.ts'
import { APP_ID } from './app-id.ts'
import { openArrivals } from './open-requests.ts'
import { LINK_SCHEME } from './window/links.ts'
import { launchOptions, openedArguments } from './options.ts'
import type { LaunchOptions } from './options.ts'
import { personCheck } from './owner-check.ts'
import { APP_SCHEME } from './protocol.ts'
import type { InProcessServer } from './protocol.ts'
import { openShell, preloadOf } from './shell.ts'
import type { Shell } from './shell.ts'
import { createUpdates } from './updates.ts'
import type { Updater, Updates } from './updates.ts'
import { createUpgradeWindow } from './window/upgrade-window.ts'

/** The parts of Electron that this app uses, passed in so that plain Node can test the rest. */
export type Desktop = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'clipboard'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'Notification'
  | 'powerMonitor'
  | 'protocol'
  | 'screen'
  | 'session'
  | 'shell'
  | 'systemPreferences'
>

export interface RunningServer extends InProcessServer {
  uiUrl: string
  mcpUrl: string
  /** Returns true while something is written, issued or sent. */
  busy: () => boolean
  whenQuiet: () => Promise<void>
  close: () => Promise<void>
}

export interface BootOptions {
  startServer: (options: {
    dataDir: string
    folderIsNamed: boolean
    port: number
    namedPort?: number
    keyFile?: string
    uiDir: string
    log: (line: string) => void
    /** The operating system's check that the owner is at the computer. */
    person: PersonCheck | null
    /** Show a fault that prevents opening the books in the window instead of failing. */
    withRecovery: boolean
    /** Called when the upgrade of books of an earlier version begins. */
    upgrading: () => void
  }) => Promise<RunningServer>
  argv: readonly string[]
  env: NodeJS.ProcessEnv
  /** The folder with main/, preload/ and renderer/ of the build. */
  outDir: string
  /** Loads the updater; null or undefined if updates are not available. */
  loadUpdater?: (() => Promise<Updater>) | null
  /** Machine-readable lines (headless) and log lines. */
  print: (line: string) => void
  log: (line: string) => void
}

/** Closing waits for current writes; a hanging server must not prevent the system from shutting down. */
const CLOSE_LIMIT_MS = 15_000

/** Maximum number of arguments that are considered. */
const MOST_WORDS = 50

const TROUBLE = {
  es: { title: 'Sello no puede abrirse', retry: 'Reintentar', quit: 'Salir' },
  en: { title: 'Sello cannot open', retry: 'Try again', quit: 'Quit' },
} as const

/** Runs the app until it quits. Resolves when the window is open (or the server answers, with `--headless`). */
export async function boot(desktop: Desktop, options: BootOptions): Promise<void> {
  const { app, protocol } = desktop

  // Only possible before the app is ready.
  app.enableSandbox()
  // Without it Windows shows no notifications.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
  const launch = launchOptions(options.argv, options.env, app.getPath('appData'))
  // The browser profile is inside the data folder, so that there is one instance lock per store.
  const profile = profileFolder(launch, app.getPath('temp'))
  app.setPath('userData', profile)
  // The arguments are passed to the first instance as data: Chromium reorders the command line and adds to it.
  if (!app.requestSingleInstanceLock({ words: openedArguments(options.argv) })) {
    app.quit()
    return
  }

  let language: DesktopLanguage = 'es'
  let shell: Shell | null = null
  let server: RunningServer | null = null
  let updates: Updates | null = null
  let quitting = false
  let closing = false
  let closed = false

  // If a second quit is requested while closing (another Ctrl+C, the system shutting down), it continues to wait.
  // Runs after the windows are closed: the page saves its drafts while closing, and needs the server for that.
  app.on('will-quit', (event) => {
    if (closed || !server) return
    event.preventDefault()
    if (closing) return
    closing = true
    void closeServer(server, options.log).then(() => {
      closed = true
      if (!updates?.leave()) app.quit()
    })
  })
  app.on('before-quit', () => {
    quitting = true
  })
  const arrivals = openArrivals({
    send: (channel, news) => shell?.send(channel, news),
    show: () => shell?.show(),
    log: options.log,
  })
  app.on('second-instance', (_event, _argv, folder, data) => {
    shell?.show()
    void arrivals.words(wordsOf(data), folder)
  })
  // macOS emits these events before the app is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrivals.link(link)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void arrivals.file(path)
  })
  app.on('window-all-closed', () => {
    // A quit that the page delayed in order to save continues when its window has closed, if the person allowed it.
    if (quitting || (process.platform !== 'darwin' && !launch.headless)) app.quit()
  })

  await app.whenReady()
  language = app.getLocale().startsWith('en') ? 'en' : 'es'
  const upgradeWindow = createUpgradeWindow(desktop, () => language)
  const upgrading = (): void => {
    if (!launch.headless) upgradeWindow.begin()
  }
  server = await startWithRecovery(desktop, options, { ...launch, upgrading }, () => language)
  if (!server) return
  const running = server
  if (launch.headless) {
    const { url, uiUrl, mcpUrl } = running
    options.print(JSON.stringify({ url, uiUrl, mcpUrl, pid: process.pid }))
    return
  }

  // Everything after `--` is read as an argument, never as an option, whatever a link contains. A development copy is
  // not registered with the system.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--'])
  const updating = createUpdates({
    app,
    load: options.loadUpdater ?? null,
    server: running,
    tell: (state) => shell?.send(NEWS.updates, state),
    folder: profile,
    log: options.log,
  })
  updates = updating
  shell = openShell(desktop, {
    server: running,
    language,
    preload: preloadOf(options.outDir),
    stateFolder: profile,
    arrivals,
    isClosing: () => closing,
    setLanguage: (wanted) => (language = wanted),
    quitDeclined: () => (quitting = false),
    askUpdates: updating.answer,
    own: {
      licences: () => void desktop.shell.openExternal(`${running.url}/notices.txt`),
      ...(options.loadUpdater
        ? {
            'check-updates': () => {
              updating.answer('check')
              void arrivals.visit('/settings/security')
            },
          }
        : {}),
    },
    log: options.log,
  })
  upgradeWindow.end()
  await arrivals.words(openedArguments(options.argv), process.cwd())
}

/** Returns the arguments of a second start. They are untrusted: any program of the same user can send them. */
function wordsOf(data: unknown): string[] {
  const words = (data as { words?: unknown } | null)?.words
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string').slice(0, MOST_WORDS) : []
}

/**
 * Returns the folder of the browser profile: inside the data folder, or elsewhere if that is not writable or a named
 * folder does not exist, so that the window can report it.
 */
function profileFolder({ dataDir, folderIsNamed, headless }: LaunchOptions, temporary: string): string {
  const inside = join(dataDir, 'desktop')
  try {
    if (folderIsNamed && !headless) accessSync(dataDir)
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    accessSync(inside, constants.W_OK)
    return inside
  } catch {
    const outside = join(temporary, 'sello-desktop')
    mkdirSync(outside, { recursive: true, mode: 0o700 })
    return outside
  }
}

/**
 * Starts the server. If not even recovery mode can be shown (no port is free), asks the person until it can or the
 * person quits.
 */
async function startWithRecovery(
  { app, dialog, systemPreferences }: Desktop,
  options: BootOptions,
  { headless, ...launch }: LaunchOptions & { upgrading: () => void },
  language: () => DesktopLanguage,
): Promise<RunningServer | null> {
  for (;;) {
    try {
      return await options.startServer({
        ...launch,
        uiDir: join(options.outDir, 'renderer'),
        log: options.log,
        person: personCheck(systemPreferences, language),
        withRecovery: !headless,
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
