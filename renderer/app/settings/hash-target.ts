/** Scrolls the part of a page that the address names (`#backups`) into view and focuses it, once it has been drawn. */
import { onScopeDispose, watch } from 'vue'
import { useRoute } from 'vue-router'

/** Parts that load from the server appear late and move others; after this time the page stays where it is. */
const FOLLOW_MS = 3_000
/** User input ends the scrolling: the page must not move while it is being used. */
const HANDS = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const

/** Follows the hash of the address while the calling component is mounted. */
export function useHashTarget(): void {
  const route = useRoute()
  let stop = (): void => undefined

  /** Keeps a part in view while the page grows around it. */
  function follow(id: string): void {
    const ending = new AbortController()
    const show = (): void => {
      const target = document.getElementById(id)
      if (!target) return
      target.scrollIntoView({ block: 'start' })
      if (document.activeElement === target) return
      if (!target.matches('input, select, textarea, button, a[href]')) target.tabIndex = -1
      target.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(show)
    const timer = setTimeout(() => ending.abort(), FOLLOW_MS)
    ending.signal.addEventListener('abort', () => {
      observer.disconnect()
      clearTimeout(timer)
    })
    for (const hand of HANDS)
      window.addEventListener(hand, () => ending.abort(), { signal: ending.signal, passive: true })
    stop = () => ending.abort()
    show()
    observer.observe(document.body, { childList: true, subtree: true })
  }

  watch(
    () => route.fullPath,
    () => {
      stop()
      const id = decodeURIComponent(route.hash.slice(1))
      if (id) follow(id)
    },
    { immediate: true, flush: 'post' },
  )
  onScopeDispose(() => stop())
}
