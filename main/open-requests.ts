/**
 * What comes from outside the window: links, files and clicked notices. It waits until the page listens, so that
 * nothing is lost at a cold start or while the page is loaded again.
 */
import { NEWS } from '../preload/contract.ts'
import { filesOf, readOpened } from './files.ts'
import { isPagePath, LINK_SCHEME, pathOfLink } from './window/links.ts'

/** How long the queue may grow: a page that never comes must not fill the memory. */
const LONGEST_QUEUE = 20

export interface Arrivals {
  /** Words of a command line: `sello://` links and paths of files; anything else is left alone. */
  words: (words: readonly string[], folder: string) => Promise<void>
  link: (link: string) => void
  file: (path: string) => Promise<void>
  /** An address of the page. False when it is none. */
  visit: (path: string) => boolean
  /** The page listens. */
  pageReady: () => void
  /** The page is gone or on its way: what comes now waits for the next. */
  pageGone: () => void
}

export interface ArrivalsOptions {
  /** To the page. */
  send: (channel: string, news: unknown) => void
  /** Brings the window to the front; opens it where it was closed. */
  show: () => void
  log: (line: string) => void
}

export function openArrivals({ send, show, log }: ArrivalsOptions): Arrivals {
  let listening = false
  let waiting: { channel: string; news: unknown }[] = []

  function hand(channel: string, news: unknown): void {
    show()
    if (listening) send(channel, news)
    else if (waiting.length < LONGEST_QUEUE) waiting.push({ channel, news })
  }

  function visit(path: string): boolean {
    if (!isPagePath(path)) return false
    hand(NEWS.visit, path)
    return true
  }

  function link(text: string): void {
    const path = pathOfLink(text)
    if (path === null) log('a link was ignored')
    else hand(NEWS.visit, path)
  }

  async function file(path: string): Promise<void> {
    const read = await readOpened(path)
    // The path says more about the person than a log should keep.
    if (read === null) log('a file was not opened: not a document, or too big')
    else hand(NEWS.file, read)
  }

  return {
    visit,
    link,
    file,
    async words(words, folder) {
      for (const word of words) if (word.toLowerCase().startsWith(`${LINK_SCHEME}:`)) link(word)
      for (const path of filesOf(words, folder)) await file(path)
    },
    pageReady() {
      listening = true
      const arrived = waiting
      waiting = []
      for (const { channel, news } of arrived) send(channel, news)
    },
    pageGone() {
      listening = false
    },
  }
}
