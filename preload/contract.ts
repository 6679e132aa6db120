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
  /** Asks something of the updates; the answer comes as a state. False when it makes no sense now. */
  askUpdates: (request: UpdateRequest) => Promise<boolean>
  /** Calls the listener with each state of the updates; answers how to stop it. */
  onUpdates: (listener: (state: UpdateState) => void) => () => void
}

export type DesktopTheme = 'light' | 'dark' | 'system'
export type DesktopLanguage = 'es' | 'en'
export type MenuCommand = 'new-invoice' | 'settings' | 'search' | 'shortcuts' | 'help'

/** `off` and `notify` say whether to look by itself; `state` only asks to be told. */
export const UPDATE_REQUESTS = ['state', 'off', 'notify', 'check', 'download', 'restart', 'cancel'] as const
export type UpdateRequest = (typeof UPDATE_REQUESTS)[number]

export interface UpdateState {
  /** `absent`: this build has no place to look. `waiting`: the restart waits for what is being written or sent. */
  phase: 'absent' | 'idle' | 'checking' | 'available' | 'downloading' | 'ready' | 'waiting' | 'failed'
  /** The version that runs. */
  version: string
  /** The version found. */
  next: string | null
  /** Of the download, 0 to 100. */
  percent: number | null
  fault: UpdateFault | null
  /** When an answer last came, ISO 8601. */
  checkedAt: string | null
}
/** `signature`: what came is not what its producer made. `unsupported`: this kind of installation cannot replace itself. */
export type UpdateFault = 'network' | 'signature' | 'unsupported' | 'other'

export const CHANNELS = {
  openExternal: 'desktop:open-external',
  setTheme: 'desktop:set-theme',
  setLanguage: 'desktop:set-language',
  menu: 'desktop:menu',
  updates: 'desktop:updates',
} as const
