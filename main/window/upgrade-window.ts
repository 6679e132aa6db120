/** A small window during the upgrade of books of an earlier version: until it ends there is no server to show a page. */
import type { BrowserWindow } from 'electron'
import type { DesktopLanguage } from '../../preload/contract.ts'
import type { Desktop } from '../boot.ts'

/** Most upgrades are faster; a window that only flashes up is not useful. */
const AFTER_MS = 1_000

const MESSAGES = {
  es: {
    title: 'Actualizando tus libros',
    text: 'Primero se hace una copia de seguridad. Si son muy grandes tarda unos minutos: deja el ordenador encendido. Si algo lo interrumpe no se pierde nada, y se empieza de nuevo la próxima vez.',
  },
  en: {
    title: 'Bringing your books up to date',
    text: 'A backup is made first. Very large books take some minutes: leave the computer on. If something interrupts it nothing is lost, and it begins anew next time.',
  },
} as const

/** Returns the whole page as one address, without scripts and files. */
function pageOf(language: DesktopLanguage): string {
  const { title, text } = MESSAGES[language]
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Sello</title><style>
:root{color-scheme:light dark}
body{margin:0;height:100vh;box-sizing:border-box;padding:24px 28px;font:14px/1.5 system-ui,sans-serif;background:#fafaf8;color:#23231f}
h1{margin:0 0 12px;font-size:16px}p{margin:16px 0 0}progress{width:100%}
@media (prefers-color-scheme:dark){body{background:#141413;color:#ececea}}
</style><main role="status"><h1>${title}</h1><progress></progress><p>${text}</p></main></html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}

interface UpgradeWindow {
  /** Reports that the upgrade begins; repeated calls, or calls after the end, do nothing. */
  begin(): void
  /** Closes it once another window has opened: without a window the app would quit. */
  end(): void
}

/** Creates the window for one start of the app, in the language known at that time. */
export function createUpgradeWindow(
  { BrowserWindow: Window }: Pick<Desktop, 'BrowserWindow'>,
  language: () => DesktopLanguage,
): UpgradeWindow {
  let timer: NodeJS.Timeout | undefined
  let window: BrowserWindow | null = null
  let ended = false
  const open = (): void => {
    window = new Window({
      width: 460,
      height: 220,
      useContentSize: true,
      title: 'Sello',
      resizable: false,
      maximizable: false,
      fullscreenable: false,
      // Closing it would close the last window, and the app would quit during the upgrade.
      closable: false,
      autoHideMenuBar: true,
      webPreferences: { javascript: false, sandbox: true, contextIsolation: true, devTools: false },
    })
    void window.loadURL(pageOf(language()))
  }
  return {
    begin() {
      if (!ended) timer ??= setTimeout(open, AFTER_MS)
    },
    end() {
      ended = true
      clearTimeout(timer)
      window?.destroy()
      window = null
    },
  }
}
