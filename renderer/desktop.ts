/**
 * The desktop around the page: the one file that knows `window.desktop`. In a browser there is none, and everything
 * here does what a browser can do instead, or nothing.
 */
import { shallowRef, watch } from 'vue'
import type { Router } from 'vue-router'
import type {
  DesktopBridge,
  MenuChoice,
  MenuState,
  Notice,
  UpdateRequest,
  UpdateState,
} from '../preload/contract.ts'
import { language } from './format.ts'
import { useSessionStore } from './stores/session.ts'

declare global {
  interface Window {
    desktop?: DesktopBridge
  }
}

const bridge = window.desktop ?? null

/** True in the window of the app itself. */
export const inDesktop = bridge !== null

/** Files that the system handed over and nobody has taken yet. */
export const openedFiles = shallowRef<readonly File[]>([])

/** Links and files from outside, theme and language to the frame, foreign links to the browser. Once, at the start. */
export function startDesktop(router: Router): void {
  if (!bridge) return
  const session = useSessionStore()
  watch(
    () => session.preferences?.theme,
    (theme) => theme && void bridge.setTheme(theme),
    { immediate: true },
  )
  watch(language, (now) => void bridge.setLanguage(now), { immediate: true })
  bridge.onVisit((path) => {
    // What no page answers to is no place to be led to.
    if (router.resolve(path).name !== 'lost') void router.push(path)
  })
  bridge.onFile(({ name, bytes }) => {
    openedFiles.value = [...openedFiles.value, new File([bytes], name)]
  })
  document.addEventListener('click', followLink)
  void bridge.ready()
}

/** A link that leads out of the app: opened in the browser, where the desktop knows its host. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return
  if (!/^https?:$/.test(link.protocol) || link.origin === location.origin) return
  event.preventDefault()
  void openExternal(link.href)
}

/** Opens an address in the browser. False when the desktop does not know its host. */
export async function openExternal(url: string): Promise<boolean> {
  if (bridge) return bridge.openExternal(url)
  window.open(url, '_blank', 'noopener')
  return true
}

export function showMenu(state: MenuState): void {
  void bridge?.setMenu(state)
}

/** Hears the native menu until it is stopped. */
export function onMenuChoice(listener: (choice: MenuChoice) => void): () => void {
  return bridge?.onMenu(listener) ?? (() => {})
}

/** Hears that the computer was locked or goes to sleep. */
export function onSystemLock(listener: () => void): () => void {
  return bridge?.onSystemLock(listener) ?? (() => {})
}

/** Asks something of the updates. False where there are none, or when it makes no sense now. */
export async function checkForUpdates(request: UpdateRequest): Promise<boolean> {
  return (await bridge?.askUpdates(request)) ?? false
}

/** Hears each state of the updates until it is stopped. */
export function onUpdates(listener: (state: UpdateState) => void): () => void {
  return bridge?.onUpdates(listener) ?? (() => {})
}

/** A notice of the system; it shows only while nobody looks at the window. */
export function notify(notice: Notice): void {
  void bridge?.notify(notice)
}

/** The person stays: the window that is closed next does not end the app. */
export function callOffQuit(): void {
  void bridge?.stay()
}

export function showBadge(count: number): void {
  void bridge?.setBadge(count)
}
