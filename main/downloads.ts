/** Files the page saves: only its own, where the person says, under a name that every system takes. */
import { join } from 'node:path'
import type { Session } from 'electron'
import { APP_ORIGIN } from './protocol.ts'

const LONGEST_NAME = 120
/** Names that Windows keeps for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** What a path means something by, what a terminal obeys, and what turns the writing's direction. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu

/** The name of a file without what is a path, a device or a trick of the eye. */
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

/** May the page save what comes from here? Its own server, and what it made itself. */
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
