/**
 * Focus management: when the focused element disappears (page change, dialog whose button is gone, button disabled
 * while it works), the focus moves to the page's title, or back to the button once it is enabled again.
 */
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'

const noop = () => document.activeElement === null || document.activeElement === document.body
const isOff = (element: Element) => element.matches(':disabled')

/** Runs after the page's own focus changes on mount. */
const afterDrawing = (work: () => void) => requestAnimationFrame(() => requestAnimationFrame(work))

function toTitle(): void {
  const title = document.querySelector<HTMLElement>('#page h1')
  title?.setAttribute('tabindex', '-1')
  title?.focus({ preventScroll: true })
}

/** Restores the focus while the shell is mounted. */
export function useRestoredFocus(): void {
  let last: HTMLElement | null = null
  let waits = false

  function mend(): void {
    waits = false
    if (!noop()) return
    if (last?.isConnected === true && isOff(last)) return
    if (last?.isConnected === true) last.focus({ preventScroll: true })
    else toTitle()
  }
  function look(): void {
    if (waits || last === null || !noop() || (last.isConnected && isOff(last))) return
    waits = true
    afterDrawing(mend)
  }
  const enters = (event: FocusEvent): void => {
    last = event.target as HTMLElement
  }
  // A focus moved by the user is left alone: only a lost one is restored.
  const leaves = (event: FocusEvent): void => {
    const target = event.target as HTMLElement
    if (event.relatedTarget !== null) return
    queueMicrotask(() => {
      if (last === target && target.isConnected && !isOff(target)) last = null
    })
  }
  const watcher = new MutationObserver(look)
  document.addEventListener('focusin', enters)
  document.addEventListener('focusout', leaves)
  watcher.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
  const stopPages = useRouter().afterEach((to, from) => {
    if (to.path !== from.path) afterDrawing(() => noop() && toTitle())
  })
  onScopeDispose(() => {
    document.removeEventListener('focusin', enters)
    document.removeEventListener('focusout', leaves)
    watcher.disconnect()
    stopPages()
  })
}
