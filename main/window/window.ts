/** The window: created with all restrictions, shown once drawn, at its last position. */
import { join } from 'node:path'
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import { APP_ORIGIN } from '../protocol.ts'
import { windowPreferences } from './security.ts'
import { saveWindowState, MINIMUM_SIZE, readWindowState } from './window-state.ts'
import type { Desktop } from '../boot.ts'

interface WindowOptions {
  preload: string
  /** Folder of the stored window position. */
  stateFolder: string
}

export function openWindow(
  {
    app,
    BrowserWindow: Window,
    nativeTheme,
    screen,
  }: Pick<Desktop, 'app' | 'BrowserWindow' | 'nativeTheme' | 'screen'>,
  { preload, stateFolder }: WindowOptions,
): BrowserWindow {
  const file = join(stateFolder, 'window.json')
  const { maximized, zoom, ...bounds } = readWindowState(
    file,
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const options: BrowserWindowConstructorOptions = {
    ...bounds,
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: 'Sello',
    // Shown when the first frame is ready; until then this is its background.
    show: false,
    backgroundColor: groundOf(nativeTheme),
    webPreferences: windowPreferences(preload, app.isPackaged),
  }
  const window = new Window(options)
  window.once('ready-to-show', () => {
    if (maximized) window.maximize()
    window.show()
  })
  // A zoom set before the page loads is lost with the empty page.
  if (zoom) window.webContents.once('dom-ready', () => window.webContents.setZoomFactor(zoom))
  const followTheme = (): void => window.setBackgroundColor(groundOf(nativeTheme))
  nativeTheme.on('updated', followTheme)
  window.on('close', () => {
    saveWindowState(file, {
      ...window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom: window.webContents.getZoomFactor(),
    })
  })
  window.on('closed', () => nativeTheme.off('updated', followTheme))
  void window.loadURL(`${APP_ORIGIN}/`)
  return window
}

/** Returns the page's background, visible before it is drawn and at the edges while the window is resized. */
const groundOf = ({ shouldUseDarkColors }: Pick<Desktop['nativeTheme'], 'shouldUseDarkColors'>): string =>
  shouldUseDarkColors ? '#141413' : '#fafaf8'

/** Brings the window to the front, for a second start of the app. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
