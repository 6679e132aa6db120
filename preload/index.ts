/** The bridge to the page: desktop functions only. It must never expose ipcRenderer or a credential. */
import { contextBridge, ipcRenderer } from 'electron'
import type { IpcRendererEvent } from 'electron'
import { CHANNELS } from './contract.ts'
import type { DesktopBridge, MenuChoice, OpenedFile, RequestChannel, UpdateState } from './contract.ts'

const platforms = ['linux', 'darwin', 'win32'] as const

const ask = <Answer = boolean>(channel: RequestChannel, text: string): Promise<Answer> =>
  ipcRenderer.invoke(channel, text) as Promise<Answer>

/** Listens to one channel until removed. The event object is not passed on, because it contains the sender. */
function hear<News>(channel: string, listener: (news: News) => void): () => void {
  const heard = (_event: IpcRendererEvent, news: News): void => listener(news)
  ipcRenderer.on(channel, heard)
  return () => {
    ipcRenderer.off(channel, heard)
  }
}

const desktop: DesktopBridge = {
  platform: platforms.find((name) => name === process.platform) ?? 'other',
  openExternal: (url) => ask(CHANNELS.openExternal, String(url)),
  chooseFolder: () => ask<string | null>(CHANNELS.chooseFolder, ''),
  setTheme: (theme) => ask(CHANNELS.setTheme, String(theme)),
  setLanguage: (language) => ask(CHANNELS.setLanguage, String(language)),
  setMenu: (state) => ask(CHANNELS.setMenu, JSON.stringify(state)),
  onMenu: (listener) => hear<MenuChoice>(CHANNELS.menu, listener),
  notify: (notice) => ask(CHANNELS.notify, JSON.stringify(notice)),
  setBadge: (count) => ask(CHANNELS.setBadge, String(count)),
  onVisit: (listener) => hear<string>(CHANNELS.visit, listener),
  onFile: (listener) => hear<OpenedFile>(CHANNELS.file, listener),
  onSystemLock: (listener) => hear<unknown>(CHANNELS.systemLock, () => listener()),
  ready: () => ask(CHANNELS.ready, ''),
  stay: () => ask(CHANNELS.stay, ''),
  askUpdates: (request) => ask(CHANNELS.askUpdates, String(request)),
  onUpdates: (listener) => hear<UpdateState>(CHANNELS.updates, listener),
}

contextBridge.exposeInMainWorld('desktop', desktop)
