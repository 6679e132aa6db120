/**
 * Desktop bridge: the only file that uses `window.desktop`. In a browser there is none, and every function here does
 * what a browser can do instead, or nothing.
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

/** True in the window of the desktop app. */
export const inDesktop = bridge !== null

/** Files that the operating system opened with Sello and no page has taken yet. */
export const openedFiles = shallowRef<readonly File[]>([])

/**
 * Starts the handling of links and files from outside, of theme and language for the window frame, and of external
 * links. Call it once, at start-up.
 */
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
    // A link to an unknown page is ignored.
    if (router.resolve(path).name !== 'lost') void router.push(path)
  })
  bridge.onFile(({ name, bytes }) => {
    openedFiles.value = [...openedFiles.value, new File([bytes], name)]
  })
  document.addEventListener('click', followLink)
  void bridge.ready()
}

/** Opens an external link in the browser, if the desktop allows its host. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return
  if (!/^https?:$/.test(link.protocol) || link.origin === location.origin) return
  event.preventDefault()
  void openExternal(link.href)
}

/** Opens an address in the browser. Returns false if the desktop does not allow its host. */
export async function openExternal(url: string): Promise<boolean> {
  if (bridge) return bridge.openExternal(url)
  window.open(url, '_blank', 'noopener')
  return true
}

/** Lets the person choose a folder; null if none was chosen, or in a browser, which has no such dialog. */
export async function chooseFolder(): Promise<string | null> {
  return (await bridge?.chooseFolder()) ?? null
}

export function showMenu(state: MenuState): void {
  void bridge?.setMenu(state)
}

/** Listens to the native menu until it is stopped. */
export function onMenuChoice(listener: (choice: MenuChoice) => void): () => void {
  return bridge?.onMenu(listener) ?? (() => {})
}

/** Calls `listener` when the computer is locked or goes to sleep. */
export function onSystemLock(listener: () => void): () => void {
  return bridge?.onSystemLock(listener) ?? (() => {})
}

/** Sends a request to the updater. Returns false if there is none, or if the request is not possible now. */
export async function checkForUpdates(request: UpdateRequest): Promise<boolean> {
  return (await bridge?.askUpdates(request)) ?? false
}

/** Listens to each state of the updates until it is stopped. */
export function onUpdates(listener: (state: UpdateState) => void): () => void {
  return bridge?.onUpdates(listener) ?? (() => {})
}

/** Shows a system notification; it appears only while the window is in the background. */
export function notify(notice: Notice): void {
  void bridge?.notify(notice)
}

/** Cancels the quit: the next closed window does not end the app. */
export function cancelQuit(): void {
  void bridge?.stay()
}

export function showBadge(count: number): void {
  void bridge?.setBadge(count)
}
