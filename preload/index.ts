/** The bridge into the page: desktop matters only, as functions. It must never expose ipcRenderer or a credential. */
import { contextBridge, ipcRenderer } from 'electron'
import type { IpcRendererEvent } from 'electron'
import { CHANNELS } from './contract.ts'
import type { DesktopBridge, MenuCommand, UpdateState } from './contract.ts'

const platforms = ['linux', 'darwin', 'win32'] as const

const desktop: DesktopBridge = {
  platform: platforms.find((name) => name === process.platform) ?? 'other',
  openExternal: (url) => ipcRenderer.invoke(CHANNELS.openExternal, String(url)) as Promise<boolean>,
  setTheme: (theme) => ipcRenderer.invoke(CHANNELS.setTheme, String(theme)) as Promise<boolean>,
  setLanguage: (language) => ipcRenderer.invoke(CHANNELS.setLanguage, String(language)) as Promise<boolean>,
  onMenu: (listener) => {
    // The event object is kept back: it holds the sender.
    const heard = (_event: IpcRendererEvent, command: MenuCommand): void => listener(command)
    ipcRenderer.on(CHANNELS.menu, heard)
    return () => {
      ipcRenderer.off(CHANNELS.menu, heard)
    }
  },
  askUpdates: (request) => ipcRenderer.invoke(CHANNELS.updates, String(request)) as Promise<boolean>,
  onUpdates: (listener) => {
    const heard = (_event: IpcRendererEvent, state: UpdateState): void => listener(state)
    ipcRenderer.on(CHANNELS.updates, heard)
    return () => {
      ipcRenderer.off(CHANNELS.updates, heard)
    }
  },
}

contextBridge.exposeInMainWorld('desktop', desktop)
