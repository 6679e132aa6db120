/** Restricts the window: no permissions, no foreign pages, no second window, no embedded pages, only known links. */
import type { Session, Shell, WebContents, WebPreferences } from 'electron'
import { APP_ORIGIN } from '../protocol.ts'

/**
 * Hosts that may be opened in the user's browser: the tax authority's pages and its QR check, and where people sign in to
 * their mailbox.
 */
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
  'accounts.google.com',
  'login.microsoftonline.com',
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
  // The spell checker downloads its dictionaries from the web.
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

/** Returns true if an address may be opened in the user's browser: https to a known host, or this server's own guides. */
function isKnownLink(address: string, serverUrl: string): boolean {
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

/** Opens a known link in the user's browser. Returns false if it is unknown or could not be opened. */
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

/** Denies every permission: an invoicing program needs no camera, location or web notifications. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isClipboardWrite(permission)))
  session.setPermissionCheckHandler((_contents, permission) => isClipboardWrite(permission))
  session.setDevicePermissionHandler(() => false)
  session.setSpellCheckerEnabled(false)
}

/** The page copies API keys and QR addresses itself; reading the clipboard is not allowed. */
const isClipboardWrite = (permission: string): boolean => permission === 'clipboard-sanitized-write'

/** Restricts a page's contents to app://app/ and opens known links in the user's browser. */
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

/** Returns true if a message was sent by the page's main frame. All others are rejected. */
export function isOurFrame(event: { senderFrame: { url: string; parent: unknown } | null }): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && isAppUrl(frame.url)
}
