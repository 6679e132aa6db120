/** The one window: made locked down, shown when drawn, kept where the user left it. */
import { join } from 'node:path'
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import { APP_ORIGIN } from './protocol.ts'
import { windowPreferences } from './security.ts'
import { keepWindowState, MINIMUM_SIZE, readWindowState } from './window-state.ts'
import type { Desktop } from './boot.ts'

export interface WindowOptions {
  preload: string
  /** Where the window's place is remembered. */
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
  const { maximized, ...bounds } = readWindowState(
    file,
    screen.getAllDisplays().map((display) => display.workArea),
  )
  const options: BrowserWindowConstructorOptions = {
    ...bounds,
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: 'Sello',
    // Shown when the first picture is ready; until then this is its ground.
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#171715' : '#fbfaf7',
    webPreferences: windowPreferences(preload, app.isPackaged),
  }
  const window = new Window(options)
  window.once('ready-to-show', () => {
    if (maximized) window.maximize()
    window.show()
  })
  window.on('close', () => {
    keepWindowState(file, { ...window.getNormalBounds(), maximized: window.isMaximized() })
  })
  void window.loadURL(`${APP_ORIGIN}/`)
  return window
}

/** Brings the window to the front, for a second start of the app. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
