/** Shortcut `Ctrl ↵`, handled before a focused button or switch reacts to Enter. */
import { useEventListener } from '@vueuse/core'

/** Calls `review` once per press; a held key does not repeat it. It leaves an open dialog alone. */
export function useReviewKey(review: () => void): void {
  useEventListener(
    window,
    'keydown',
    (event: KeyboardEvent) => {
      if (
        event.key !== 'Enter' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey ||
        event.isComposing
      )
        return
      if (document.querySelector('[role="dialog"][data-state="open"]')) return
      event.preventDefault()
      event.stopPropagation()
      if (!event.repeat) review()
    },
    { capture: true },
  )
}
