/** The notices in the corner, one for each place: a new one is shown in the place of the old, for the whole of its own time. */
import { useToast } from '@nuxt/ui/composables/useToast'
import type { Toast } from '@nuxt/ui/composables/useToast'

const MOST_AT_ONCE = 5

let shown = 0

const isAt = (place: string) => (notice: Toast) => String(notice.id).startsWith(`${place} `)

/**
 * Shows and takes away. The library puts what has the same id into the notice that is there, with the time that is left of
 * that one: what came just before its end was gone in a moment, and its button with it. So each has an id of its own here.
 */
export function useNotices() {
  const { toasts, remove } = useToast()

  /** Shows `notice`; at a `place`, instead of what is there. */
  function show(notice: Omit<Partial<Toast>, 'id'>, place = ''): void {
    shown += 1
    const others = place === '' ? toasts.value : toasts.value.filter((each) => !isAt(place)(each))
    // The library's own type asks for handlers that its own function does not.
    const made = { ...notice, id: `${place} ${shown}`, open: true } as Toast
    toasts.value = [...others, made].slice(-MOST_AT_ONCE)
  }

  /** Takes away what is at `place`. */
  function hide(place: string): void {
    for (const { id } of toasts.value.filter(isAt(place))) remove(id)
  }

  return { show, hide }
}
