/** The one thing that a panel shows: read when it is named, and what comes for one that is shown no more is left aside. */
import { shallowRef, watch } from 'vue'
import { asCallError } from '../call.ts'
import type { CallError } from '../call.ts'

/** `load` reads it again over what is shown; another `id` begins with nothing. */
export function useDetail<Detail>(id: () => string, read: (id: string) => Promise<Detail>) {
  const found = shallowRef<Detail | null>(null)
  const error = shallowRef<CallError | null>(null)

  async function load(): Promise<void> {
    const wanted = id()
    error.value = null
    try {
      const one = await read(wanted)
      if (wanted === id()) found.value = one
    } catch (thrown) {
      if (wanted === id()) error.value = asCallError(thrown)
    }
  }
  watch(
    id,
    () => {
      found.value = null
      void load()
    },
    { immediate: true },
  )
  return { found, error, load }
}
