/** Notices in the corner, one for each place: a new one replaces the old one, for its full duration. */
import { useToast } from '@nuxt/ui/composables/useToast'
import type { Toast } from '@nuxt/ui/composables/useToast'

const MOST_AT_ONCE = 5

let shown = 0

const isAt = (place: string) => (notice: Toast) => String(notice.id).startsWith(`${place} `)

/**
 * Shows and hides notices. The library merges a notice into an existing one with the same id and keeps the remaining
 * time of that one, so that a late notice disappeared at once, along with its button. For this reason each notice has
 * its own id here.
 */
export function useNotices() {
  const { toasts, remove } = useToast()

  /** Shows `notice`; at a `place`, it replaces the previous one. */
  function show(notice: Omit<Partial<Toast>, 'id'>, place = ''): void {
    shown += 1
    const others = place === '' ? toasts.value : toasts.value.filter((each) => !isAt(place)(each))
    // The library's own type requires handlers that its own function does not need.
    const made = { ...notice, id: `${place} ${shown}`, open: true } as Toast
    toasts.value = [...others, made].slice(-MOST_AT_ONCE)
  }

  /** Hides the notice at `place`. */
  function hide(place: string): void {
    for (const { id } of toasts.value.filter(isAt(place))) remove(id)
  }

  return { show, hide }
}
