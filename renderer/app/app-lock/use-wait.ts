/** Countdown of the seconds until the next attempt; 0 when it is allowed. */
import { useIntervalFn } from '@vueuse/core'
import { computed, ref } from 'vue'

export function useWait() {
  const until = ref(0)
  const now = ref(Date.now())
  useIntervalFn(() => (now.value = Date.now()), 250)
  const seconds = computed(() => Math.max(0, Math.ceil((until.value - now.value) / 1000)))

  /** Starts a wait; 0 ends it. */
  function wait(forSeconds: number): void {
    now.value = Date.now()
    until.value = now.value + forSeconds * 1000
  }

  return { seconds, wait }
}

/** Formats the countdown: `4 s`, `2 min 05 s`. */
export function waitText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes} min ${String(seconds % 60).padStart(2, '0')} s` : `${seconds} s`
}
