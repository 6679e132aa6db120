/** A fake electron package: records the calls of the app and lets a test act as the system. */
import { EventEmitter } from 'node:events'
import { vi } from 'vitest'

export class FakeWebContents extends EventEmitter {
  openHandler: ((details: { url: string }) => { action: string }) | null = null
  zoomFactor = 1
  send = vi.fn((_channel: string, _news: unknown) => {})
  reload = vi.fn()
  getZoomFactor = vi.fn(() => this.zoomFactor)
  setZoomFactor = vi.fn((factor: number) => {
    this.zoomFactor = factor
  })
  /** As in Electron: the process ends, and an event reports it. */
  forcefullyCrashRenderer = vi.fn(() => {
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
  })
  setWindowOpenHandler = vi.fn((handler: (details: { url: string }) => { action: string }) => {
    this.openHandler = handler
  })
}

export class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = []
  /** True if the page's `beforeunload` objects. */
  heldByPage = false
  static getAllWindows = (): FakeWindow[] => FakeWindow.all
  readonly options: Record<string, unknown>
  readonly webContents = new FakeWebContents()
  loadURL = vi.fn(async () => {})
  destroy = vi.fn(() => {
    FakeWindow.all = FakeWindow.all.filter((one) => one !== this)
  })
  show = vi.fn()
  focus = vi.fn()
  restore = vi.fn()
  maximize = vi.fn()
  isMinimized = vi.fn(() => false)
  isMaximized = vi.fn(() => false)
  isFocused = vi.fn(() => false)
  isDestroyed = vi.fn(() => false)
  setBackgroundColor = vi.fn()
  setOverlayIcon = vi.fn()
  getNormalBounds = vi.fn(() => ({ x: 10, y: 20, width: 900, height: 700 }))

  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    FakeWindow.all.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
}

class FakeApp extends EventEmitter {
  isPackaged = false
  paths: Record<string, string> = { appData: '/nowhere' }
  locale = 'es-ES'
  /** Events of the app, in order. */
  story: string[] = []
  enableSandbox = vi.fn(() => this.story.push('sandbox'))
  requestSingleInstanceLock = vi.fn((_data?: Record<string, unknown>) => true)
  setAsDefaultProtocolClient = vi.fn((_scheme: string, _path?: string, _args?: string[]) => true)
  setAppUserModelId = vi.fn((_id: string) => {})
  setBadgeCount = vi.fn((_count: number) => true)
  setAboutPanelOptions = vi.fn()
  showAboutPanel = vi.fn()
  whenReady = vi.fn(async () => {
    this.story.push('ready')
  })
  getPath = vi.fn((name: string) => this.paths[name])
  setPath = vi.fn((name: string, path: string) => {
    this.paths[name] = path
  })
  getLocale = vi.fn(() => this.locale)
  version = '0.1.0'
  getVersion = vi.fn(() => this.version)
  relaunch = vi.fn(() => this.story.push('relaunch'))
  exit = vi.fn((code: number) => this.story.push(`exit ${code}`))
  /** As in Electron: notifies the listeners, closes the windows, asks again, and ends only if nothing objects. */
  quit = vi.fn(() => {
    const isStopped = (name: string): boolean => {
      let stopped = false
      this.emit(name, { preventDefault: () => (stopped = true) })
      return stopped
    }
    const stopped =
      isStopped('before-quit') || FakeWindow.all.some((window) => window.heldByPage) || isStopped('will-quit')
    this.story.push(stopped ? 'quit prevented' : 'quit')
  })
}

class FakeIpcMain extends EventEmitter {
  handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>()
  handle = vi.fn((channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) => {
    this.handlers.set(channel, handler)
  })
}

/** A notification: shown, clicked, closed; the tests act as the person. */
export class FakeNotification extends EventEmitter {
  static shown: FakeNotification[] = []
  static isSupported = vi.fn(() => true)
  readonly options: { title: string; body: string }
  show = vi.fn(() => {
    FakeNotification.shown.push(this)
  })
  close = vi.fn(() => {
    this.emit('close')
  })

  constructor(options: { title: string; body: string }) {
    super()
    this.options = options
  }
}

/** The object passed to `will-download`. */
export class FakeDownload {
  readonly url: string
  readonly name: string
  setSaveDialogOptions = vi.fn((_options: { defaultPath: string }) => {})
  constructor(url: string, name: string) {
    this.url = url
    this.name = name
  }
  getURL = (): string => this.url
  getFilename = (): string => this.name
}

class FakeNativeTheme extends EventEmitter {
  themeSource = 'system'
  shouldUseDarkColors = false
}

export class FakeSession extends EventEmitter {
  schemes = new Map<string, (request: Request) => Promise<Response>>()
  permissionRequest:
    | ((contents: unknown, permission: string, answer: (yes: boolean) => void) => void)
    | null = null
  permissionCheck: ((contents: unknown, permission: string) => boolean) | null = null
  devicePermission: (() => boolean) | null = null
  protocol = {
    handle: vi.fn((scheme: string, handler: (request: Request) => Promise<Response>) => {
      this.schemes.set(scheme, handler)
    }),
  }
  setPermissionRequestHandler = vi.fn((handler: FakeSession['permissionRequest']) => {
    this.permissionRequest = handler
  })
  setPermissionCheckHandler = vi.fn((handler: FakeSession['permissionCheck']) => {
    this.permissionCheck = handler
  })
  setDevicePermissionHandler = vi.fn((handler: FakeSession['devicePermission']) => {
    this.devicePermission = handler
  })
  setSpellCheckerEnabled = vi.fn()
}

export const app = new FakeApp()
export const BrowserWindow = FakeWindow
export const ipcMain = new FakeIpcMain()
export const session = { defaultSession: new FakeSession() }
export const protocol = { registerSchemesAsPrivileged: vi.fn(() => app.story.push('schemes')) }
export const shell = { openExternal: vi.fn(async (_url: string) => {}) }
type BoxOptions = { detail?: string; message?: string; buttons?: string[] }
export const dialog = {
  /** With or without a window before the options. */
  showMessageBox: vi.fn(async (..._args: [BoxOptions] | [unknown, BoxOptions]) => ({ response: 1 })),
  showOpenDialog: vi.fn(async (..._args: unknown[]) => ({ canceled: true, filePaths: [] as string[] })),
}
export const nativeTheme = new FakeNativeTheme()
export const powerMonitor = new EventEmitter()
export const clipboard = { writeText: vi.fn((_text: string) => {}) }
export const Notification = FakeNotification
export const nativeImage = {
  createFromBitmap: vi.fn((bitmap: Buffer, size: { width: number; height: number }) => ({ bitmap, size })),
}
export const utilityProcess = { fork: vi.fn() }

export const systemPreferences = {
  canPromptTouchID: vi.fn(() => true),
  promptTouchID: vi.fn(async (_reason: string) => {}),
}
export const screen = {
  getAllDisplays: vi.fn(() => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }]),
}
export const Menu = {
  buildFromTemplate: vi.fn((template: unknown) => ({ template, popup: vi.fn() })),
  setApplicationMenu: vi.fn((_menu: { template: unknown }) => {}),
}

/** Resets the system to its state before the app started. */
export function resetElectron(appData: string): void {
  for (const emitter of [app, ipcMain, nativeTheme, powerMonitor]) emitter.removeAllListeners()
  vi.clearAllMocks()
  app.story = []
  app.paths = { appData, temp: appData }
  app.locale = 'es-ES'
  app.isPackaged = false
  app.requestSingleInstanceLock.mockImplementation(() => true)
  dialog.showMessageBox.mockImplementation(async () => ({ response: 1 }))
  dialog.showOpenDialog.mockImplementation(async () => ({ canceled: true, filePaths: [] }))
  systemPreferences.canPromptTouchID.mockImplementation(() => true)
  systemPreferences.promptTouchID.mockImplementation(async () => {})
  FakeNotification.shown = []
  FakeNotification.isSupported.mockImplementation(() => true)
  nativeTheme.shouldUseDarkColors = false
  nativeTheme.themeSource = 'system'
  FakeWindow.all = []
  ipcMain.handlers.clear()
  session.defaultSession = new FakeSession()
}
