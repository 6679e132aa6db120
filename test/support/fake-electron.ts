/** A stand-in for the electron package: records what the app asks of it and lets a test play the system's part. */
import { EventEmitter } from 'node:events'
import { vi } from 'vitest'

export class FakeWebContents extends EventEmitter {
  openHandler: ((details: { url: string }) => { action: string }) | null = null
  send = vi.fn()
  setWindowOpenHandler = vi.fn((handler: (details: { url: string }) => { action: string }) => {
    this.openHandler = handler
  })
}

export class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = []
  static getAllWindows = (): FakeWindow[] => FakeWindow.all
  readonly options: Record<string, unknown>
  readonly webContents = new FakeWebContents()
  loadURL = vi.fn(async () => {})
  show = vi.fn()
  focus = vi.fn()
  restore = vi.fn()
  maximize = vi.fn()
  isMinimized = vi.fn(() => false)
  isMaximized = vi.fn(() => false)
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
  /** What happened to the app, in order. */
  story: string[] = []
  enableSandbox = vi.fn(() => this.story.push('sandbox'))
  requestSingleInstanceLock = vi.fn(() => true)
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
  /** As Electron does: asks the listeners first, and ends only if none objects. */
  quit = vi.fn(() => {
    let stopped = false
    this.emit('before-quit', { preventDefault: () => (stopped = true) })
    this.story.push(stopped ? 'quit prevented' : 'quit')
  })
}

class FakeIpcMain extends EventEmitter {
  handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>()
  handle = vi.fn((channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) => {
    this.handlers.set(channel, handler)
  })
}

export class FakeSession {
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
export const dialog = { showMessageBox: vi.fn(async (_options: { detail?: string }) => ({ response: 1 })) }
export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false }
export const screen = {
  getAllDisplays: vi.fn(() => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }]),
}
export const Menu = {
  buildFromTemplate: vi.fn((template: unknown) => ({ template })),
  setApplicationMenu: vi.fn((_menu: { template: unknown }) => {}),
}

/** Back to how the system was before the app started. */
export function resetElectron(appData: string): void {
  for (const emitter of [app, ipcMain]) emitter.removeAllListeners()
  vi.clearAllMocks()
  app.story = []
  app.paths = { appData }
  app.locale = 'es-ES'
  app.isPackaged = false
  app.requestSingleInstanceLock.mockImplementation(() => true)
  dialog.showMessageBox.mockImplementation(async () => ({ response: 1 }))
  nativeTheme.themeSource = 'system'
  FakeWindow.all = []
  ipcMain.handlers.clear()
  session.defaultSession = new FakeSession()
}
