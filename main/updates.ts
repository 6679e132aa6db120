/**
 * Updates of the app: checked only if the person wants it, downloaded and installed only on request, and never while
 * something is written, issued or sent. A failure leaves the app unchanged.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as Electron from 'electron'
import { UPDATE_REQUESTS } from '../preload/contract.ts'
import type { UpdateFault, UpdateRequest, UpdateState } from '../preload/contract.ts'

/** The part of electron-updater's `autoUpdater` that is used. */
export interface Updater {
  autoDownload: boolean
  autoInstallOnAppQuit: boolean
  allowDowngrade: boolean
  allowPrerelease: boolean
  disableWebInstaller: boolean
  logger: unknown
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>
  downloadUpdate(): Promise<unknown>
  quitAndInstall(isSilent?: boolean, isForceRunAfter?: boolean): void
}

interface UpdatesOptions {
  app: Pick<Electron.App, 'getVersion' | 'quit' | 'relaunch'>
  /** Null if updates are not available: not packaged, or packaged without an update address. */
  load: (() => Promise<Updater>) | null
  server: { busy: () => boolean; whenQuiet: () => Promise<void> }
  tell: (state: UpdateState) => void
  /** Folder in which a failure is recorded that occurs after the server has closed. */
  folder: string
  log: (line: string) => void
  now?: () => Date
}

export interface Updates {
  /** Handles a request of the page; returns false if it is invalid or not possible now. */
  answer: (request: string) => boolean
  /** Called instead of the last quit, after the server has closed: returns true if an installation takes over. */
  leave: () => boolean
}

const FIRST_CHECK_MS = 15_000
const CHECK_EVERY_MS = 24 * 3_600_000
/** Time after which an installer that has neither ended the app nor failed is considered failed. */
const INSTALL_LIMIT_MS = 120_000
const NOTE_FILE = 'update-failed.json'
const FAULTS: readonly UpdateFault[] = ['network', 'signature', 'unsupported', 'other']

export function createUpdates(options: UpdatesOptions): Updates {
  const { app, load, server, log } = options
  const note = join(options.folder, NOTE_FILE)
  const version = app.getVersion()
  let state: UpdateState = {
    phase: load ? 'idle' : 'absent',
    version,
    next: null,
    percent: null,
    fault: null,
    checkedAt: null,
  }
  let updater: Promise<Updater> | null = null
  let timer: NodeJS.Timeout | null = null
  let cancel: (() => void) | null = null
  let leaving: Updater | null = null
  let comingBack = false

  const left = load ? takeNote(note) : null
  if (left) state = { ...state, phase: 'failed', fault: left }

  function change(changes: Partial<UpdateState>): void {
    state = { ...state, ...changes }
    options.tell(state)
  }

  function failed(error: unknown): void {
    log(`update failed: ${textOf(error)}`)
    change({ phase: 'failed', fault: faultOf(error), percent: null })
  }

  /** Loads the updater at the first request and disables its automatic actions. */
  function theUpdater(): Promise<Updater> {
    updater ??= (load as () => Promise<Updater>)().then((loaded) => {
      loaded.autoDownload = false
      loaded.autoInstallOnAppQuit = false
      loaded.allowPrerelease = false
      loaded.allowDowngrade = false
      loaded.disableWebInstaller = true
      loaded.logger = null
      loaded.on('download-progress', ({ percent }) => {
        if (state.phase === 'downloading') change({ percent: Math.floor(percent) })
      })
      // Other failures are also thrown; only that of an installation has no caller.
      loaded.on('error', (error) => {
        if (leaving) comeBack(error)
      })
      return loaded
    })
    return updater
  }

  async function check(): Promise<void> {
    change({ phase: 'checking', next: null, percent: null, fault: null })
    try {
      const found = await (await theUpdater()).checkForUpdates()
      if (!found) return change({ phase: 'failed', fault: 'unsupported' })
      const next = found.updateInfo.version
      const checkedAt = (options.now?.() ?? new Date()).toISOString()
      if (found.isUpdateAvailable && !isNewer(next, version))
        log(`update refused: ${next} is no newer version`)
      const available = found.isUpdateAvailable && isNewer(next, version)
      change({ phase: available ? 'available' : 'idle', next: available ? next : null, checkedAt })
    } catch (error) {
      failed(error)
    }
  }

  async function download(): Promise<void> {
    change({ phase: 'downloading', percent: 0, fault: null })
    try {
      await (await theUpdater()).downloadUpdate()
      change({ phase: 'ready', percent: null })
    } catch (error) {
      failed(error)
    }
  }

  /** Waits for current work, as long as necessary or until the person cancels; then quits normally. */
  async function restart(): Promise<void> {
    change({ phase: 'waiting' })
    let cancelled = false
    const changedMind = new Promise<void>((go) => {
      cancel = () => {
        cancelled = true
        go()
      }
    })
    const ready = await theUpdater()
    while (!cancelled && server.busy()) await Promise.race([server.whenQuiet(), changedMind])
    cancel = null
    if (cancelled) return change({ phase: 'ready' })
    leaving = ready
    app.quit()
  }

  /** Restarts the old version: the server is closed, so that only a new start reopens the books. */
  function comeBack(error: unknown): void {
    if (comingBack) return
    comingBack = true
    leaving = null
    log(`installing failed: ${textOf(error)}`)
    keepNote(note, faultOf(error))
    app.relaunch()
    app.quit()
  }

  function look(byItself: boolean): void {
    if (timer) clearInterval(timer)
    timer = null
    if (!byItself) return
    const due = (): void => {
      if (state.phase === 'idle' || state.phase === 'failed') void check()
    }
    timer = setTimeout(() => {
      due()
      timer = setInterval(due, CHECK_EVERY_MS)
      timer.unref()
    }, FIRST_CHECK_MS)
    timer.unref()
  }

  const requests: Record<UpdateRequest, () => boolean> = {
    state: () => {
      options.tell(state)
      return true
    },
    off: () => {
      look(false)
      return true
    },
    notify: () => {
      // Repeated by each page that loads.
      if (!timer) look(true)
      return true
    },
    check: () => when(['idle', 'available', 'failed'], check),
    download: () => when(['available'], download),
    restart: () => when(['ready'], restart),
    cancel: () => {
      if (state.phase !== 'waiting' || !cancel) return false
      cancel()
      return true
    },
  }

  function when(phases: readonly UpdateState['phase'][], work: () => Promise<void>): boolean {
    if (!phases.includes(state.phase)) return false
    void work().catch(failed)
    return true
  }

  return {
    answer: (text) => {
      const request = UPDATE_REQUESTS.find((one) => one === text)
      if (!request) return false
      if (!load && request !== 'state') return false
      return requests[request]()
    },
    leave: () => {
      if (!leaving) return false
      const installing = leaving
      setTimeout(() => comeBack(new Error('The installer did not begin.')), INSTALL_LIMIT_MS).unref()
      try {
        installing.quitAndInstall(false, true)
      } catch (error) {
        comeBack(error)
      }
      return true
    },
  }
}

/**
 * Returns true if `next` is a later version than `current`. Only plain versions count (1.2.3): releases have no
 * others.
 */
export function isNewer(next: string, current: string): boolean {
  const parts = (text: string) => /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text)?.slice(1).map(Number)
  const [a, b] = [parts(next), parts(current)]
  if (!a || !b) return false
  const place = a.findIndex((part, index) => part !== b[index])
  return place >= 0 && a[place]! > b[place]!
}

/** Returns the fault as far as the person can act on it. */
export function faultOf(error: unknown): UpdateFault {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const text = textOf(error)
  if (
    code === 'ERR_UPDATER_INVALID_SIGNATURE' ||
    code === 'ERR_CHECKSUM_MISMATCH' ||
    // Messages of Squirrel on macOS.
    /code signature|checksum mismatch/i.test(text)
  )
    return 'signature'
  if (
    typeof statusCode === 'number' ||
    /^(?:ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|HTTP_ERROR_\d+)$/.test(
      String(code),
    ) ||
    /net::ERR_/.test(text)
  )
    return 'network'
  return 'other'
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function keepNote(file: string, fault: UpdateFault): void {
  try {
    writeFileSync(file, JSON.stringify({ fault }))
  } catch {
    // The next start then does not report it.
  }
}

function takeNote(file: string): UpdateFault | null {
  try {
    const { fault } = JSON.parse(readFileSync(file, 'utf8')) as { fault?: unknown }
    rmSync(file, { force: true })
    return FAULTS.find((one) => one === fault) ?? null
  } catch {
    return null
  }
}
