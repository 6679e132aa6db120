/**
 * Queue of links, files and clicked notifications from outside the window. They wait until the page listens, so that
 * none is lost during a cold start or a reload of the page.
 */
import { NEWS } from '../preload/contract.ts'
import { filesOf, readOpened } from './files.ts'
import { isPagePath, LINK_SCHEME, pathOfLink } from './window/links.ts'

/** Maximum length of the queue, in case the page never loads. */
const LONGEST_QUEUE = 20

export interface Arrivals {
  /** Arguments of a command line: `sello://` links and file paths; all others are ignored. */
  words: (words: readonly string[], folder: string) => Promise<void>
  link: (link: string) => void
  file: (path: string) => Promise<void>
  /** Opens an address of the page. Returns false if it is not one. */
  visit: (path: string) => boolean
  /** Reports that the page listens. */
  pageReady: () => void
  /** Reports that the page is gone or unloading: later arrivals wait for the next page. */
  pageGone: () => void
}

interface ArrivalsOptions {
  /** Sends a message to the page. */
  send: (channel: string, news: unknown) => void
  /** Brings the window to the front; opens it if it was closed. */
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
    // The path would reveal more about the person than a log should contain.
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
