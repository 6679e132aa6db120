/** Loads the journey of an invoice, again whenever something happens that may be a part of it. */
import { useDebounceFn } from '@vueuse/core'
import { shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { call } from '../../call.ts'
import { latestCall } from '../../composables/latest-call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { mayRun } from '../../stores/person.ts'
import type { Journey } from './journey.ts'

const SETTLE_MS = 200

/** Returns the steps of an invoice of a book; null until they are known. */
export function useJourney(
  operation: 'invoices.journey' | 'received.journey',
  about: () => { id: string; bookId: string },
  events: readonly string[],
): ShallowRef<Journey['steps'] | null> {
  const steps = shallowRef<Journey['steps'] | null>(null)
  const begin = latestCall()
  async function load(): Promise<void> {
    if (!mayRun(operation)) return
    const { id, bookId } = about()
    const isLatest = begin()
    try {
      const found = await call(operation, { id }, { bookId })
      if (isLatest()) steps.value = found.steps
    } catch {
      // The page shows the same facts in its other parts; the next event loads it again.
    }
  }
  watch(
    () => about().id,
    () => {
      steps.value = null
      void load()
    },
    { immediate: true },
  )
  const soon = useDebounceFn(load, SETTLE_MS)
  for (const type of events)
    onEvent(type, (event) => {
      if (event.bookId === about().bookId) void soon()
    })
  onReopened(() => void soon())
  return steps
}
