/**
 * Prefetch of the code of the pages, one after another and only while the window is idle: the first visit of a page
 * is then as fast as the next. The server is on this computer, so waiting would save nothing.
 */
import type { Router } from 'vue-router'

/** Delay after the window is shown: a faster user loads the page directly. */
const AFTER_MS = 2_000

/** Prefetches routes by name, the most used first; a failed one is loaded when it is visited. */
export function prefetchPages(router: Router, first: readonly string[]): void {
  const routes = router.getRoutes()
  const place = (name: unknown): number => {
    const at = first.indexOf(String(name))
    return at === -1 ? first.length : at
  }
  const pages = routes
    .toSorted((a, b) => place(a.name) - place(b.name))
    .flatMap(({ components }) => {
      const page = components?.default
      // The component of a visited page is loaded and no longer a function.
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
