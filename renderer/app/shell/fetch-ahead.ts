/**
 * Fetches the code of the pages before they are asked for, one after another and only while nothing else happens: the
 * first visit of a page is then as quick as the next. The server is on this computer, so nothing is saved by waiting.
 */
import type { Router } from 'vue-router'

/** After the window is there: whoever is quicker gets the page as it comes. */
const AFTER_MS = 2_000

/** Routes by name, those that are opened most often first; what cannot be fetched now is fetched when it is visited. */
export function fetchAhead(router: Router, first: readonly string[]): void {
  const routes = router.getRoutes()
  const place = (name: unknown): number => {
    const at = first.indexOf(String(name))
    return at === -1 ? first.length : at
  }
  const pages = routes
    .toSorted((a, b) => place(a.name) - place(b.name))
    .flatMap(({ components }) => {
      const page = components?.default
      // A page that was visited is there already, and no function any more.
      return typeof page === 'function' ? [page as () => Promise<unknown>] : []
    })
  const next = (): void => {
    const page = pages.shift()
    if (page)
      requestIdleCallback(
        () =>
          void page()
            .catch(() => undefined)
            .then(next),
      )
  }
  setTimeout(next, AFTER_MS)
}
