/** The question that a page with unsaved changes asks before the user leaves it. */
import { computed, shallowRef } from 'vue'
import type { ComputedRef } from 'vue'

interface LeaveQuestion {
  /** True while the question is shown. */
  open: ComputedRef<boolean>
  /** Shows the question and resolves with its answer. An earlier question that is still open is answered with no. */
  ask: () => Promise<boolean>
  answer: (leave: boolean) => void
}

export function useLeaveQuestion(): LeaveQuestion {
  const resolver = shallowRef<((leave: boolean) => void) | null>(null)
  function answer(leave: boolean): void {
    resolver.value?.(leave)
    resolver.value = null
  }
  return {
    open: computed(() => resolver.value !== null),
    ask() {
      answer(false)
      return new Promise((resolve) => (resolver.value = resolve))
    },
    answer,
  }
}
