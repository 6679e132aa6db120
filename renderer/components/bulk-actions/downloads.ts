/** Downloads to the computer: progress, a stop button, and a retry after a failure. */
import { shallowReactive } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError, CallOptions } from '../../call.ts'
import { saveFile } from '../../sales/invoices/read/save-pdf.ts'

/** Shorter downloads have no line at the foot. */
const TOLD_AFTER_MS = 400

type Fetching = (options: Required<Pick<CallOptions, 'signal' | 'onBytes' | 'bookId'>>) => Promise<File>

export interface Download {
  /** Name shown to the user. */
  readonly what: string
  state: 'running' | 'failed'
  /** True if it takes long enough to be shown. */
  told: boolean
  bytes: number
  error: CallError | null
  stop: () => void
  again: () => void
}

/** Running downloads, and failed ones whose failure has not been read, oldest first. */
export const downloads = shallowReactive<Download[]>([])

/** Removes its line from the foot. */
export function forgetDownload(download: Download): void {
  const place = downloads.indexOf(download)
  if (place !== -1) downloads.splice(place, 1)
}

/** Downloads a file of the book; resolves to its name, or null if it was stopped or failed. */
export function startDownload(
  what: string,
  bookId: string,
  fetching: Fetching,
  save: (file: File) => void = saveFile,
): Promise<string | null> {
  const control = new AbortController()
  const { signal } = control
  const download: Download = shallowReactive({
    what,
    state: 'running',
    told: false,
    bytes: 0,
    error: null,
    stop() {
      control.abort()
      forgetDownload(download)
    },
    again() {
      forgetDownload(download)
      void startDownload(what, bookId, fetching, save)
    },
  })
  downloads.push(download)
  const timer = setTimeout(() => (download.told = true), TOLD_AFTER_MS)
  return fetching({ signal, bookId, onBytes: (bytes) => (download.bytes = bytes) })
    .then((file) => {
      if (signal.aborted) return null
      save(file)
      forgetDownload(download)
      return file.name
    })
    .catch((thrown: unknown) => {
      if (signal.aborted) return null
      download.error = asCallError(thrown)
      download.state = 'failed'
      download.told = true
      return null
    })
    .finally(() => clearTimeout(timer))
}
