/**
 * The desktop functions available to the page, and the names of their messages. Business data is never passed here
 * but through fetch.
 */

/**
 * `window.desktop` in the Electron window; undefined in a browser. Every message is text, so that its length can be
 * checked and it can be read whole.
 */
export interface DesktopBridge {
  platform: 'linux' | 'darwin' | 'win32' | 'other'
  /**
   * Opens a known https link, or a guide of this server, in the user's browser. Resolves to false if it may not be
   * opened.
   */
  openExternal: (url: string) => Promise<boolean>
  /** Lets the person choose a folder in the system's dialog. Resolves to its path, or null if there is none. */
  chooseFolder: () => Promise<string | null>
  /** Sets the colours of the frame, the menus and `prefers-color-scheme`. */
  setTheme: (theme: DesktopTheme) => Promise<boolean>
  /** Sets the language of the native menu and dialogs. */
  setLanguage: (language: DesktopLanguage) => Promise<boolean>
  /** Replaces the page's entries in the menu. */
  setMenu: (state: MenuState) => Promise<boolean>
  /** Calls the listener when a menu entry is chosen; returns a function that removes it. */
  onMenu: (listener: (choice: MenuChoice) => void) => () => void
  /** Shows a system notification, only while the window is not in front. Resolves to true if it was shown. */
  notify: (notice: Notice) => Promise<boolean>
  /** Shows the number of pending decisions on the dock or task bar; 0 removes it. */
  setBadge: (count: number) => Promise<boolean>
  /** Calls the listener with the page address of a link or a notification, such as `/invoices/inv_1`. */
  onVisit: (listener: (path: string) => void) => () => void
  /** Calls the listener with a file that the system was asked to open with Sello: its bytes, not its path. */
  onFile: (listener: (file: OpenedFile) => void) => () => void
  /** Calls the listener when the computer is locked or about to sleep. */
  onSystemLock: (listener: () => void) => () => void
  /** Cancels a quit that the page had delayed for a question. */
  stay: () => Promise<boolean>
  /** Reports that the page listens, so that earlier arrivals are delivered. */
  ready: () => Promise<boolean>
  /** Sends an update request; the answer arrives as a state. Resolves to false if it is not possible now. */
  askUpdates: (request: UpdateRequest) => Promise<boolean>
  /** Calls the listener with each state of the updates; returns a function that removes it. */
  onUpdates: (listener: (state: UpdateState) => void) => () => void
}

export type DesktopTheme = 'light' | 'dark' | 'system'
export type DesktopLanguage = 'es' | 'en'

/** Fixed entries of the native menu that the page handles. */
export const COMMANDS = [
  'new-invoice',
  'new-quote',
  'new-recurring',
  'new-received',
  'new-contact',
  'new-item',
  'import',
  'export',
  'print',
  'settings',
  'lock',
  'search',
  'density-normal',
  'density-roomy',
  'theme-light',
  'theme-dark',
  'theme-system',
  'sidebar',
  'preview',
  'back',
  'forward',
  'add-company',
  'help',
  'shortcuts',
  'declaration',
] as const
export type MenuCommand = (typeof COMMANDS)[number]

/** A choice in the menu: a fixed entry, or one supplied by the page. */
export type MenuChoice =
  | { kind: 'command'; id: MenuCommand }
  | { kind: 'action' | 'place' | 'book'; id: string }

/** A menu entry supplied by the page. `label` is plain text, `keys` in the page's notation (`meta_s`, `g-f`). */
export interface MenuEntry {
  id: string
  label: string
  keys?: string
}

export interface MenuState {
  /** Fixed entries that are enabled; the others are disabled. */
  commands: readonly MenuCommand[]
  /** Fixed entries that are checked: the theme, the density. */
  checked: readonly MenuCommand[]
  /** Groups of pages, as in the sidebar. */
  places: readonly (readonly MenuEntry[])[]
  actions: readonly MenuEntry[]
  books: readonly (MenuEntry & { active: boolean })[]
}

export const NOTICE_KINDS = ['approvals', 'registry', 'recurring', 'mail'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export interface Notice {
  /** A later notification of the same kind replaces the earlier one. */
  kind: NoticeKind
  title: string
  body: string
  /** Target of a click. */
  path: string
}

export interface OpenedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** `off` and `notify` control the automatic check; `state` only requests the current state. */
export const UPDATE_REQUESTS = ['state', 'off', 'notify', 'check', 'download', 'restart', 'cancel'] as const
export type UpdateRequest = (typeof UPDATE_REQUESTS)[number]

export interface UpdateState {
  /** `absent`: this build has no update address. `waiting`: the restart waits for current writes or messages. */
  phase: 'absent' | 'idle' | 'checking' | 'available' | 'downloading' | 'ready' | 'waiting' | 'failed'
  /** The running version. */
  version: string
  /** The available version. */
  next: string | null
  /** Progress of the download, 0 to 100. */
  percent: number | null
  fault: UpdateFault | null
  /** Time of the last answer, ISO 8601. */
  checkedAt: string | null
}
/**
 * `signature`: the download is not signed by the producer. `unsupported`: this kind of installation cannot replace
 * itself.
 */
export type UpdateFault = 'network' | 'signature' | 'unsupported' | 'other'

/** Limits of messages: characters of text, numbers of entries. Larger messages are rejected. */
export const LIMITS = {
  url: 2048,
  word: 16,
  menu: 32_000,
  entries: 60,
  groups: 12,
  label: 120,
  keys: 40,
  id: 120,
  notice: 1000,
  title: 120,
  body: 240,
  path: 200,
  badge: 9999,
} as const

/** Requests of the page to the main process. */
export const REQUESTS = {
  openExternal: 'desktop:open-external',
  chooseFolder: 'desktop:choose-folder',
  setTheme: 'desktop:set-theme',
  setLanguage: 'desktop:set-language',
  setMenu: 'desktop:set-menu',
  notify: 'desktop:notify',
  setBadge: 'desktop:set-badge',
  ready: 'desktop:ready',
  stay: 'desktop:stay',
  askUpdates: 'desktop:ask-updates',
} as const

/** Messages of the main process to the page. */
export const NEWS = {
  menu: 'desktop:menu',
  visit: 'desktop:visit',
  file: 'desktop:file',
  systemLock: 'desktop:system-lock',
  updates: 'desktop:updates',
} as const

export const CHANNELS = { ...REQUESTS, ...NEWS } as const
export type RequestChannel = (typeof REQUESTS)[keyof typeof REQUESTS]
