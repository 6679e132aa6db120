/** Delay of a button until its subject has been visible, whole and unchanged, for a moment. */
import { onScopeDispose, ref, watch } from 'vue'
import type { Ref } from 'vue'

const ARM_MS = 800

/**
 * Arms the button. `ends` are the first and the last element of the subject; `content` is any value that changes with
 * it, null until it is loaded.
 */
export function useArmed(
  ends: readonly Readonly<Ref<HTMLElement | null>>[],
  content: () => string | null,
): Ref<boolean> {
  const armed = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let observer: IntersectionObserver | undefined

  function disarm(): void {
    clearTimeout(timer)
    observer?.disconnect()
    armed.value = false
  }
  function begin(): void {
    disarm()
    const pieces = ends.flatMap(({ value }) => value ?? [])
    if (content() === null || pieces.length < ends.length) return
    // A subject taller than the window counts as seen once both its ends were visible. A new observer reports all
    // elements first.
    const unseen = new Set<Element>(pieces)
    observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) unseen.delete(target)
      if (unseen.size > 0) return
      observer?.disconnect()
      timer = setTimeout(() => (armed.value = true), ARM_MS)
    })
    for (const piece of pieces) observer.observe(piece)
  }
  watch([content, ...ends], begin, { flush: 'post', immediate: true })
  onScopeDispose(disarm)
  return armed
}
