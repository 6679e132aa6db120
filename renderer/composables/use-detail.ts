/** Content of a detail panel: loaded when its identifier is set; an answer to an older request is dropped. */
import { shallowRef, watch } from 'vue'
import { asCallError } from '../call.ts'
import type { CallError } from '../call.ts'
import { latestCall } from './latest-call.ts'

/** `load` reloads it over the shown content; another `id` starts empty. */
export function useDetail<Detail>(id: () => string, read: (id: string) => Promise<Detail>) {
  const found = shallowRef<Detail | null>(null)
  const error = shallowRef<CallError | null>(null)
  const begin = latestCall()

  async function load(): Promise<void> {
    const isLatest = begin()
    error.value = null
    try {
      const one = await read(id())
      if (isLatest()) found.value = one
    } catch (thrown) {
      if (isLatest()) error.value = asCallError(thrown)
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
