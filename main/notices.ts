/** System notifications, shown while the window is not in front. The page decides their content. */
import type * as Electron from 'electron'
import type { Notice } from '../preload/contract.ts'

/** Maximum number of notifications per minute. */
const MOST_A_MINUTE = 6
const MINUTE_MS = 60_000

interface Notices {
  show: (notice: Notice) => boolean
}

export function openNotices({
  Notification,
  isWatched,
  visit,
  now = Date.now,
}: {
  Notification: typeof Electron.Notification
  /** Returns true if the window is in front. */
  isWatched: () => boolean
  visit: (path: string) => void
  now?: () => number
}): Notices {
  /** By kind: an unreferenced notification is garbage-collected together with its click handler. */
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
