/** A button that may not be pressed before what it is about has been on the screen for a moment, whole and unchanged. */
import { useIntersectionObserver } from '@vueuse/core'
import { onScopeDispose, ref, watch } from 'vue'
import type { Ref } from 'vue'

const ARM_MS = 800

/** `ends` are the first and the last piece of it; `content` is anything that changes when it does. */
export function useArmed(ends: readonly Ref<HTMLElement | null>[], content: () => unknown): Ref<boolean> {
  const armed = ref(false)
  const seen = ends.map(() => false)
  let timer: ReturnType<typeof setTimeout> | undefined

  function begin(): void {
    clearTimeout(timer)
    armed.value = false
    if (!seen.every(Boolean)) return
    timer = setTimeout(() => (armed.value = true), ARM_MS)
  }
  // A card longer than the window is seen whole once both its ends have been.
  for (const [index, end] of ends.entries())
    useIntersectionObserver(end, ([entry]) => {
      if (!entry?.isIntersecting || seen[index]) return
      seen[index] = true
      begin()
    })
  watch(content, () => {
    begin()
  })
  onScopeDispose(() => clearTimeout(timer))
  return armed
}
