/** The messages of a webhook, newest first, page by page; while some are under way they are looked at again. */
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { asCallError, call } from '../call.ts'
import type { CallError } from '../call.ts'
import type { Delivery, DeliveryState } from './words.ts'

const PAGE = 50
const LOOK_AGAIN_MS = 3000

/** `state` null is all of them. `isLive` says whether anything can change by itself. */
export function useDeliveries(
  webhookId: () => string,
  state: Ref<DeliveryState | null>,
  isLive: () => boolean,
) {
  const items = shallowRef<readonly Delivery[] | null>(null)
  const next = shallowRef<string | null>(null)
  const error = shallowRef<CallError | null>(null)
  /** Grows with each look. */
  const stamp = ref(0)
  let generation = 0

  const ask = (limit: number, cursor?: string) =>
    call('webhooks.deliveries', {
      id: webhookId(),
      limit,
      ...(state.value ? { state: state.value } : {}),
      ...(cursor ? { cursor } : {}),
    })

  /** From the top, as many as are shown, up to one page of the server. */
  async function load(): Promise<void> {
    const mine = ++generation
    try {
      const page = await ask(Math.min(100, Math.max(PAGE, items.value?.length ?? 0)))
      if (mine !== generation) return
      items.value = page.items
      next.value = page.nextCursor
      error.value = null
      stamp.value++
    } catch (thrown) {
      if (mine === generation) error.value = asCallError(thrown)
    }
  }
  async function more(): Promise<void> {
    if (!next.value) return
    const mine = generation
    try {
      const page = await ask(PAGE, next.value)
      if (mine !== generation) return
      items.value = [...(items.value ?? []), ...page.items]
      next.value = page.nextCursor
    } catch (thrown) {
      if (mine === generation) error.value = asCallError(thrown)
    }
  }
  watch([webhookId, state], () => {
    items.value = null
    void load()
  })
  const seen = useDocumentVisibility()
  /** Whoever has gone further down is not thrown back to the first page. */
  const isAtTop = computed(() => (items.value?.length ?? 0) <= PAGE)
  useIntervalFn(() => {
    if (seen.value === 'visible' && isAtTop.value && isLive()) void load()
  }, LOOK_AGAIN_MS)

  return { items, next, error, stamp, load, more }
}
