/** A button that may not be pressed before what it is about has been on the screen for a moment, whole and unchanged. */
import { onScopeDispose, ref, watch } from 'vue'
import type { Ref } from 'vue'

const ARM_MS = 800

/** `ends` are the first and the last piece of it; `content` is anything that changes when it does, null before it is there. */
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
    // What is longer than the window is seen whole once both its ends have been. A new observer tells of all of them first.
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
