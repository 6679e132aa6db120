/** Notices of the system, for when nobody looks at the window. What they may say is the page's decision. */
import type * as Electron from 'electron'
import type { Notice } from '../preload/contract.ts'

/** More than so many in a minute are noise, whatever asks for them. */
const MOST_A_MINUTE = 6
const MINUTE_MS = 60_000

export interface Notices {
  show: (notice: Notice) => boolean
}

export function openNotices({
  Notification,
  isWatched,
  visit,
  now = Date.now,
}: {
  Notification: typeof Electron.Notification
  /** Is the window in front? */
  isWatched: () => boolean
  visit: (path: string) => void
  now?: () => number
}): Notices {
  /** By kind: a notice that nothing refers to is thrown away with its click. */
  const shown = new Map<string, Electron.Notification>()
  let times: number[] = []

  return {
    show({ kind, title, body, path }) {
      if (isWatched() || !Notification.isSupported()) return false
      times = times.filter((time) => now() - time < MINUTE_MS)
      if (times.length >= MOST_A_MINUTE) return false
      times.push(now())
      shown.get(kind)?.close()
      const notice = new Notification({ title, body })
      shown.set(kind, notice)
      const forget = (): void => {
        if (shown.get(kind) === notice) shown.delete(kind)
      }
      notice.on('click', () => {
        forget()
        visit(path)
      })
      notice.on('close', forget)
      notice.show()
      return true
    },
  }
}
