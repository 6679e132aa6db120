/** Saves files of the page: only its own, in a location chosen by the person, under a name valid on every system. */
import { join } from 'node:path'
import type { Session } from 'electron'
import { APP_ORIGIN } from './protocol.ts'

const LONGEST_NAME = 120
/** Names that Windows reserves for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Path separators, control characters and characters that change the direction of text. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu

/** Returns the name of a file without path parts, device names and deceptive characters. */
export function cleanName(name: string): string {
  const clean = name
    .replace(FORBIDDEN, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const safe = DEVICE.test(clean) ? `_${clean}` : clean
  if (safe === '') return 'documento'
  if (safe.length <= LONGEST_NAME) return safe
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(safe)?.[0] ?? ''
  return safe.slice(0, LONGEST_NAME - extension.length).trimEnd() + extension
}

/** Returns true if the page may save the file: it is from its own server or was created by the page. */
export function isOwnFile(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith(`blob:${APP_ORIGIN}/`)
}

export function guardDownloads(session: Session, downloadsFolder: () => string): void {
  session.on('will-download', (event, item) => {
    if (!isOwnFile(item.getURL())) {
      event.preventDefault()
      return
    }
    item.setSaveDialogOptions({ defaultPath: join(downloadsFolder(), cleanName(item.getFilename())) })
  })
}
