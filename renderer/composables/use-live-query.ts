/** Loads what a page shows, and loads it again after events of the active book. */
import { useDebounceFn } from '@vueuse/core'
import { onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Ref, WatchSource } from 'vue'
import { asCallError } from '../call.ts'
import type { CallError } from '../call.ts'
import { onEvent, onReopened } from '../events.ts'
import { useSessionStore } from '../stores/session.ts'
import { latestCall } from './latest-call.ts'

const SETTLE_MS = 250

interface LiveQueryOptions {
  /** Types of events that change the answer, as `onEvent` takes them. */
  events: readonly string[]
  /** The query, if it can change: a new one is loaded at once. */
  key?: WatchSource
  /** Clears the answer when `key` changes; otherwise it stays until the new one arrives. */
  clearsOnChange?: boolean
  /** Reports the error of a reload as well; otherwise only as long as there is no answer. */
  reportsReloadErrors?: boolean
  /** Called before each reload that an event causes. */
  onRefresh?: () => void
}

/** Returns the answer, which stays visible while a newer one loads; an answer to an older call is dropped. */
export function useLiveQuery<Answer>(fetch: () => Promise<Answer>, options: LiveQueryOptions) {
  const session = useSessionStore()
  const data = shallowRef<Answer | null>(null) as Ref<Answer | null>
  const error = shallowRef<CallError | null>(null)
  const loading = ref(false)
  const begin = latestCall()

  async function load(): Promise<void> {
    const isLatest = begin()
    loading.value = true
    try {
      const answer = await fetch()
      if (!isLatest()) return
      data.value = answer
      error.value = null
    } catch (thrown) {
      if (isLatest() && (options.reportsReloadErrors || data.value === null))
        error.value = asCallError(thrown)
    } finally {
      if (isLatest()) loading.value = false
    }
  }

  /** Loads again soon; several calls in a short time load once. */
  const refresh = useDebounceFn(() => {
    options.onRefresh?.()
    return load()
  }, SETTLE_MS)

  if (options.key)
    watch(
      options.key,
      () => {
        if (options.clearsOnChange) {
          data.value = null
          error.value = null
        }
        void load()
      },
      { deep: true },
    )
  for (const type of options.events)
    onEvent(type, (event) => {
      if (event.bookId === session.activeBook?.id) void refresh()
    })
  onReopened(() => void refresh())
  // Answers that are still to come are of no use.
  onScopeDispose(() => void begin())
  void load()
  return { data, error, loading, load, refresh }
}
