/** Locks the window down: no permission, no foreign page, no second window, no embedded page, no link but the known ones. */
import type { Session, Shell, WebContents, WebPreferences } from 'electron'
import { APP_ORIGIN } from '../protocol.ts'

/** Hosts a link may lead to, in the user's browser: the tax authority's pages and its QR check. */
const KNOWN_HOSTS = new Set([
  'sede.agenciatributaria.gob.es',
  'www.agenciatributaria.es',
  'www.agenciatributaria.gob.es',
  'www1.agenciatributaria.gob.es',
  'www2.agenciatributaria.gob.es',
  'preportal.aeat.es',
  'prewww1.aeat.es',
  'prewww2.aeat.es',
  'www.boe.es',
  'ec.europa.eu',
])

export const windowPreferences = (preload: string, packaged: boolean): WebPreferences => ({
  preload,
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  // The checker downloads its dictionaries from the web.
  spellcheck: false,
  devTools: !packaged,
})

export function isAppUrl(address: string): boolean {
  try {
    const url = new URL(address)
    return `${url.protocol}//${url.host}` === APP_ORIGIN
  } catch {
    return false
  }
}

/** May this address be opened in the user's browser? https to a known host, or this server's own guides. */
export function isKnownLink(address: string, serverUrl: string): boolean {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return false
  }
  if (url.username !== '' || url.password !== '') return false
  if (url.origin === new URL(serverUrl).origin)
    return url.pathname === '/docs' || url.pathname.startsWith('/docs/')
  return url.protocol === 'https:' && url.port === '' && KNOWN_HOSTS.has(url.hostname)
}

/** Opens a known link in the user's browser. False when it is not known or could not be opened. */
export async function openLink(
  address: string,
  serverUrl: string,
  shell: Pick<Shell, 'openExternal'>,
): Promise<boolean> {
  if (!isKnownLink(address, serverUrl)) return false
  try {
    await shell.openExternal(new URL(address).href)
    return true
  } catch {
    return false
  }
}

/** Every permission is denied, asked or checked: an invoicing program needs no camera, place or notification. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isClipboardWrite(permission)))
  session.setPermissionCheckHandler((_contents, permission) => isClipboardWrite(permission))
  session.setDevicePermissionHandler(() => false)
  session.setSpellCheckerEnabled(false)
}

/** Copying an API key or a QR address is the page's own doing; reading the clipboard is not. */
const isClipboardWrite = (permission: string): boolean => permission === 'clipboard-sanitized-write'

/** Keeps a page's contents at app://app/ and hands known links to the user's browser. */
export function lockContents(
  contents: WebContents,
  serverUrl: string,
  shell: Pick<Shell, 'openExternal'>,
): void {
  const stay = (event: { preventDefault: () => void }, address: string): void => {
    if (isAppUrl(address)) return
    event.preventDefault()
    void openLink(address, serverUrl, shell)
  }
  contents.on('will-navigate', (event) => stay(event, event.url))
  contents.on('will-redirect', (event) => stay(event, event.url))
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url) && event.url !== 'about:blank') event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void openLink(url, serverUrl, shell)
    return { action: 'deny' }
  })
}

/** Was this message sent by our page's main frame? Anything else is refused. */
export function isOurFrame(event: { senderFrame: { url: string; parent: unknown } | null }): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && isAppUrl(frame.url)
}
