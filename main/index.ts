/** Entry point of the desktop app: connects Electron and the server. All logic is in boot.ts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  systemPreferences,
  utilityProcess,
} from 'electron'
import { startSello, startSelloWithRecovery } from '../server/api/application.ts'
import type { OpenedSello } from '../server/api/application.ts'
import { boot } from './boot.ts'
import { startParserWith } from './parsers.ts'
import type { Updater } from './updates.ts'

/** The packager writes this file if an update address is configured. */
const hasFeed = (): boolean => app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'))

const loadUpdater = async (): Promise<Updater> => (await import('electron-updater')).default.autoUpdater

const startParser = startParserWith(utilityProcess)
const openDoor = async (sello: OpenedSello) => (await import('../server/cli/main.ts')).openDoor(sello)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())

// Not awaited: Electron becomes ready only after this module has been evaluated.
boot(
  {
    app,
    BrowserWindow,
    clipboard,
    dialog,
    ipcMain,
    Menu,
    nativeImage,
    nativeTheme,
    Notification,
    powerMonitor,
    protocol,
    screen,
    session,
    shell,
    systemPreferences,
  },
  {
    startServer: ({ withRecovery, folderIsNamed, ...options }) =>
      withRecovery
        ? startSelloWithRecovery({
            ...options,
            startParser,
            create: folderIsNamed ? 'in_folder' : true,
            quit: () => app.quit(),
            openDoor,
          })
        : startSello({ ...options, startParser, openDoor }),
    // In a development run the first argument is the folder given to Electron.
    argv: process.argv.slice(app.isPackaged ? 1 : 2),
    env: process.env,
    outDir: join(import.meta.dirname, '..'),
    loadUpdater: hasFeed() ? loadUpdater : null,
    print: (line) => process.stdout.write(`${line}\n`),
    log: (line) => process.stderr.write(`${line}\n`),
  },
).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  app.exit(1)
})
