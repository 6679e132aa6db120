/** Brings the desktop app up and down in the right order: lock, server, page, window; and back. */
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
import { createWaiting } from './window/close-when-idle.ts'

/** The parts of Electron this app uses, given from outside so that plain Node can test the rest. */
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
  /** Is anything being written or issued, or a message on its way? */
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
    /** How the computer asks whether its owner sits at it. */
    person: PersonCheck | null
    /** Show what keeps the books shut in the window instead of failing. */
    patient: boolean
    /** Told when books of an earlier version begin to be brought to this one's. */
    upgrading: () => void
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

/** A command line holds no more that concerns us. */
const MOST_WORDS = 50

const TROUBLE = {
  es: { title: 'Sello no puede abrirse', retry: 'Reintentar', quit: 'Salir' },
  en: { title: 'Sello cannot open', retry: 'Try again', quit: 'Quit' },
} as const

/** Runs the app until it quits. Answers when the window is open (or the server answers, with `--headless`). */
export async function boot(desktop: Desktop, options: BootOptions): Promise<void> {
  const { app, protocol } = desktop

  // Before the app is ready, or not at all.
  app.enableSandbox()
  // Without it Windows shows no notice.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
  const launch = launchOptions(options.argv, options.env, app.getPath('appData'))
  // The browser's own files lie inside the data folder, so that the instance lock is one per store.
  const profile = profileFolder(launch, app.getPath('temp'))
  app.setPath('userData', profile)
  // Our own words go to the first instance as data: Chromium reorders and adds to the command line it passes on.
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

  // Asked again while closing (a second Ctrl+C, the system shutting down), it goes on waiting.
  // After the windows: the page saves its drafts while it closes, and needs the server for that.
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
  // macOS tells of these from before it is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrivals.link(link)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void arrivals.file(path)
  })
  app.on('window-all-closed', () => {
    // A quit that the page held up to save something goes on when its window has closed, if the person let it.
    if (quitting || (process.platform !== 'darwin' && !launch.headless)) app.quit()
  })

  await app.whenReady()
  language = app.getLocale().startsWith('en') ? 'en' : 'es'
  const waiting = createWaiting(desktop, () => language)
  const upgrading = (): void => {
    if (!launch.headless) waiting.begin()
  }
  server = await startWithRecovery(desktop, options, { ...launch, upgrading }, () => language)
  if (!server) return
  const running = server
  if (launch.headless) {
    const { url, uiUrl, mcpUrl } = running
    options.print(JSON.stringify({ url, uiUrl, mcpUrl, pid: process.pid }))
    return
  }

  // What follows the two strokes is read as words, never as options, whatever a link holds. The copy that is being
  // worked on leaves the system as it is.
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
  waiting.end()
  await arrivals.words(openedArguments(options.argv), process.cwd())
}

/** What a second start was given: text of the same person's making, but any program of theirs can send it. */
function wordsOf(data: unknown): string[] {
  const words = (data as { words?: unknown } | null)?.words
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string').slice(0, MOST_WORDS) : []
}

/**
 * The browser's folder inside the data folder; elsewhere when nothing can be written there, or the folder that was named
 * is not there, for the window to say so.
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

/** Starts the server; when not even its window can be shown (no port is free) asks the person until it can or they leave. */
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
