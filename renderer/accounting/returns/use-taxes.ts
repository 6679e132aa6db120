/** Loads the content of a page of taxes, again when its quarter or the books change. */
import { useDebounceFn } from '@vueuse/core'
import { ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useSessionStore } from '../../stores/session.ts'

const SETTLE_MS = 300
const EVENTS = ['invoice.*', 'received.*', 'payment.*', 'filing.*', 'company.*', 'registry.*']

/** Calls `fetch` whenever `key` changes; an outdated answer is dropped. */
export function useTaxes<Shown>(key: Ref<string>, fetch: () => Promise<Shown>) {
  const session = useSessionStore()
  const shown = shallowRef<Shown | null>(null) as Ref<Shown | null>
  const error = shallowRef<CallError | null>(null)
  const loading = ref(false)

  async function load(): Promise<void> {
    const mine = key.value
    loading.value = true
    try {
      const answer = await fetch()
      if (mine !== key.value) return
      shown.value = answer
      error.value = null
    } catch (thrown) {
      if (mine === key.value && !shown.value) error.value = asCallError(thrown)
    } finally {
      if (mine === key.value) loading.value = false
    }
  }

  watch(
    key,
    () => {
      shown.value = null
      error.value = null
      void load()
    },
    { immediate: true },
  )
  const loadSoon = useDebounceFn(load, SETTLE_MS)
  for (const type of EVENTS)
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void loadSoon()
    })
  onReopened(() => void loadSoon())
  return { shown, error, loading, load }
}
