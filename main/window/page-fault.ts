/**
 * Recovery of a page that crashes or does not respond: reports it and reloads the page. The server saves drafts as
 * they are typed, so that a reload loses nothing that was saved.
 */
import type * as Electron from 'electron'
import type { DesktopLanguage } from '../../preload/contract.ts'
import { APP_ORIGIN } from '../protocol.ts'

const WORDS = {
  es: {
    goneTitle: 'La página se ha cerrado sola',
    goneText:
      'Tus datos están bien: los borradores se guardan mientras los escribes. Vuelve a cargarla para seguir.',
    stuckTitle: 'Sello tarda en responder',
    stuckText:
      'Puede estar con algo largo. Si no termina, vuelve a cargar la página: los borradores guardados siguen ahí.',
    reload: 'Volver a cargar',
    wait: 'Esperar',
    quit: 'Salir',
  },
  en: {
    goneTitle: 'The page closed by itself',
    goneText: 'Your data is fine: drafts are saved as you type. Load the page again to go on.',
    stuckTitle: 'Sello is slow to answer',
    stuckText:
      'It may be busy with something long. If it does not end, load the page again: saved drafts stay.',
    reload: 'Load again',
    wait: 'Wait',
    quit: 'Quit',
  },
} as const satisfies Record<DesktopLanguage, Record<string, string>>

/** A second crash within this time is likely caused by the address of the page. */
const SOON_MS = 60_000

interface PageFault {
  language: () => DesktopLanguage
  /** Returns true while the app is quitting: then nothing is asked. */
  isClosing: () => boolean
  /** Called when the page is gone. */
  gone: () => void
  log: (line: string) => void
}

export function watchPage(
  { app, dialog }: Pick<typeof Electron, 'app' | 'dialog'>,
  window: Electron.BrowserWindow,
  { language, isClosing, gone, log }: PageFault,
): void {
  let asking = false
  /** The person chose to terminate an unresponsive page: it reloads without another question. */
  let ended = false
  let lastReloadMs = Number.NEGATIVE_INFINITY

  /** Reloads the last page; the start page if that page has just crashed before. */
  function loadAgain(): void {
    const again = performance.now() - lastReloadMs < SOON_MS
    lastReloadMs = performance.now()
    if (again) void window.loadURL(`${APP_ORIGIN}/`)
    else window.webContents.reload()
  }

  async function ask(kind: 'gone' | 'stuck'): Promise<void> {
    if (asking || isClosing() || window.isDestroyed()) return
    asking = true
    const words = WORDS[language()]
    const stuck = kind === 'stuck'
    const options: Electron.MessageBoxOptions = {
      type: 'warning',
      title: 'Sello',
      message: stuck ? words.stuckTitle : words.goneTitle,
      detail: stuck ? words.stuckText : words.goneText,
      buttons: stuck ? [words.wait, words.reload] : [words.reload, words.quit],
      defaultId: 0,
      cancelId: stuck ? 0 : 1,
      noLink: true,
    }
    const { response } = await dialog.showMessageBox(window, options)
    asking = false
    if (window.isDestroyed() || isClosing()) return
    if (!stuck && response === 1) app.quit()
    else if (!stuck) loadAgain()
    else if (response === 1) {
      // An unresponsive page cannot be asked to unload: it is terminated, and the handler below reloads it.
      ended = true
      window.webContents.forcefullyCrashRenderer()
    }
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    gone()
    if (reason === 'clean-exit') return
    log(`page gone: ${reason} (${exitCode})`)
    if (!ended) return void ask('gone')
    ended = false
    loadAgain()
  })
  window.on('unresponsive', () => {
    log('page does not answer')
    void ask('stuck')
  })
}

/** Logs the exit of other processes (graphics, network), which restart by themselves. */
export function logLostProcesses(app: Pick<Electron.App, 'on'>, log: (line: string) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') log(`process gone: ${type}, ${reason} (${exitCode})`)
  })
}
