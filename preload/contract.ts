/** What the desktop offers the page, and the names of the messages behind it. Data never passes here: it goes by fetch. */

/** `window.desktop` in the Electron window; absent in a browser. */
export interface DesktopBridge {
  platform: 'linux' | 'darwin' | 'win32' | 'other'
  /** Opens a known https link, or a guide of this server, in the user's browser. False when it may not be opened. */
  openExternal: (url: string) => Promise<boolean>
  /** Colours of the frame, the menus and `prefers-color-scheme`. */
  setTheme: (theme: DesktopTheme) => Promise<boolean>
  /** Language of the native menu and dialogs. */
  setLanguage: (language: DesktopLanguage) => Promise<boolean>
  /** Calls the listener when a menu entry is chosen; answers how to stop it. */
  onMenu: (listener: (command: MenuCommand) => void) => () => void
}

export type DesktopTheme = 'light' | 'dark' | 'system'
export type DesktopLanguage = 'es' | 'en'
export type MenuCommand = 'new-invoice' | 'settings' | 'search' | 'shortcuts' | 'help'

export const CHANNELS = {
  openExternal: 'desktop:open-external',
  setTheme: 'desktop:set-theme',
  setLanguage: 'desktop:set-language',
  menu: 'desktop:menu',
} as const
