/** Where the shown document of an earlier program comes from, loaded again when its files change. */
import { computed, shallowRef, watch } from 'vue'
import { call } from '../../call.ts'
import { latestCall } from '../../composables/latest-call.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type Origin = OutputOf<'moving.origin'>

export function useOrigin(type: 'invoice' | 'received', id: () => string, bookId: () => string) {
  const origin = shallowRef<Origin | null>(null)
  const begin = latestCall()

  async function load(): Promise<void> {
    const isLatest = begin()
    try {
      const found = await call('moving.origin', { type, id: id() }, { bookId: bookId() })
      if (isLatest()) origin.value = found
    } catch {
      // The document is shown without it; the next change of the move loads it again.
    }
  }
  watch(
    id,
    () => {
      origin.value = null
      void load()
    },
    { immediate: true },
  )
  const hasPdf = computed(
    () => origin.value?.attachments.some(({ mediaType }) => mediaType === 'application/pdf') ?? false,
  )
  return { origin, hasPdf, load }
}
