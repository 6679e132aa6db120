/** Content of a tab: loaded at first and again after every event of payments or invoices. */
import { useDebounceFn } from '@vueuse/core'
import { ref, shallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useSessionStore } from '../../stores/session.ts'

const SETTLE_MS = 250

/** Holds the answer of `ask`; old content stays visible while it reloads. */
export function useLoaded<T>(ask: () => Promise<T>) {
  const session = useSessionStore()
  const data = shallowRef<T | null>(null)
  const error = shallowRef<CallError | null>(null)
  const loading = ref(false)
  let turn = 0

  async function load(): Promise<void> {
    const mine = ++turn
    loading.value = true
    try {
      const answer = await ask()
      if (mine !== turn) return
      data.value = answer
      error.value = null
    } catch (thrown) {
      if (mine === turn && data.value === null) error.value = asCallError(thrown)
    } finally {
      if (mine === turn) loading.value = false
    }
  }
  const soon = useDebounceFn(load, SETTLE_MS)
  for (const type of ['invoice.*', 'payment.*', 'received.*', 'contact.*'])
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void soon()
    })
  onReopened(() => void soon())
  void load()
  return { data, error, loading, load }
}
