/** What the desktop offers the page, and the names of the messages behind it. Data never passes here: it goes by fetch. */

/** `window.desktop` in the Electron window; absent in a browser. Every message is text, so that it can be measured and read whole. */
export interface DesktopBridge {
  platform: 'linux' | 'darwin' | 'win32' | 'other'
  /** Opens a known https link, or a guide of this server, in the user's browser. False when it may not be opened. */
  openExternal: (url: string) => Promise<boolean>
  /** Colours of the frame, the menus and `prefers-color-scheme`. */
  setTheme: (theme: DesktopTheme) => Promise<boolean>
  /** Language of the native menu and dialogs. */
  setLanguage: (language: DesktopLanguage) => Promise<boolean>
  /** What the menu shows of the page: replaces what it showed before. */
  setMenu: (state: MenuState) => Promise<boolean>
  /** Calls the listener when a menu entry is chosen; answers how to stop it. */
  onMenu: (listener: (choice: MenuChoice) => void) => () => void
  /** A notice of the system; shown only while the window is not in front. True when it was shown. */
  notify: (notice: Notice) => Promise<boolean>
  /** How much waits for a decision, on the dock or task bar; 0 takes it away. */
  setBadge: (count: number) => Promise<boolean>
  /** An address of the page that a link or a notice leads to, `/invoices/inv_1`. */
  onVisit: (listener: (path: string) => void) => () => void
  /** A file that the system was asked to open with Sello. Its bytes come; where it lies does not. */
  onFile: (listener: (file: OpenedFile) => void) => () => void
  /** The computer was locked or is going to sleep. */
  onSystemLock: (listener: () => void) => () => void
  /** The person stays: a quit that the page held up to ask is called off. */
  stay: () => Promise<boolean>
  /** The page listens now: what arrived before it was there is handed over. */
  ready: () => Promise<boolean>
  /** Asks something of the updates; the answer comes as a state. False when it makes no sense now. */
  askUpdates: (request: UpdateRequest) => Promise<boolean>
  /** Calls the listener with each state of the updates; answers how to stop it. */
  onUpdates: (listener: (state: UpdateState) => void) => () => void
}

export type DesktopTheme = 'light' | 'dark' | 'system'
export type DesktopLanguage = 'es' | 'en'

/** Every fixed entry of the native menu that the page carries out. */
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

/** A choice of the menu: a fixed entry, or one that the page itself put there. */
export type MenuChoice =
  | { kind: 'command'; id: MenuCommand }
  | { kind: 'action' | 'place' | 'book'; id: string }

/** One entry that the page puts into the menu. `label` is plain text, `keys` as the page writes them (`meta_s`, `g-f`). */
export interface MenuEntry {
  id: string
  label: string
  keys?: string
}

export interface MenuState {
  /** Fixed entries that something answers now; the others are grey. */
  commands: readonly MenuCommand[]
  /** Fixed entries that are on: the theme, the density. */
  checked: readonly MenuCommand[]
  /** Groups of places, as in the sidebar. */
  places: readonly (readonly MenuEntry[])[]
  actions: readonly MenuEntry[]
  books: readonly (MenuEntry & { active: boolean })[]
}

export const NOTICE_KINDS = ['approvals', 'registry', 'recurring', 'mail'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export interface Notice {
  /** A later notice of the same kind takes the place of the earlier. */
  kind: NoticeKind
  title: string
  body: string
  /** Where a click leads. */
  path: string
}

export interface OpenedFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

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

/** How much a message may hold: characters of text, numbers of entries. What exceeds it is refused. */
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

/** Asked by the page, answered by the main process. */
export const REQUESTS = {
  openExternal: 'desktop:open-external',
  setTheme: 'desktop:set-theme',
  setLanguage: 'desktop:set-language',
  setMenu: 'desktop:set-menu',
  notify: 'desktop:notify',
  setBadge: 'desktop:set-badge',
  ready: 'desktop:ready',
  stay: 'desktop:stay',
  askUpdates: 'desktop:ask-updates',
} as const

/** Told to the page by the main process. */
export const NEWS = {
  menu: 'desktop:menu',
  visit: 'desktop:visit',
  file: 'desktop:file',
  systemLock: 'desktop:system-lock',
  updates: 'desktop:updates',
} as const

export const CHANNELS = { ...REQUESTS, ...NEWS } as const
export type RequestChannel = (typeof REQUESTS)[keyof typeof REQUESTS]
