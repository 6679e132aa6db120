/** Messages of a webhook, newest first, page by page. */
import { ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import type { Delivery, DeliveryState } from './messages.ts'

const PAGE = 50
const MOST_AT_ONCE = 100

/** `state` null selects all of them. */
export function useDeliveries(webhookId: string, state: Ref<DeliveryState | null>) {
  const items = shallowRef<readonly Delivery[] | null>(null)
  const next = shallowRef<string | null>(null)
  const error = shallowRef<CallError | null>(null)
  /** Increases with each load. */
  const stamp = ref(0)
  let generation = 0

  const ask = (limit: number, cursor?: string) =>
    call('webhooks.deliveries', {
      id: webhookId,
      limit,
      ...(state.value ? { state: state.value } : {}),
      ...(cursor ? { cursor } : {}),
    })

  /** Loads as many as are shown, from the top, up to one page of the server. */
  async function load(): Promise<void> {
    const mine = ++generation
    try {
      const page = await ask(Math.min(MOST_AT_ONCE, Math.max(PAGE, items.value?.length ?? 0)))
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
  watch(state, () => {
    items.value = null
    void load()
  })
  /**
   * Refreshes the list, unless more is shown than the server answers at once: the user then keeps the scroll
   * position.
   */
  async function refresh(): Promise<void> {
    if ((items.value?.length ?? 0) <= MOST_AT_ONCE) await load()
  }

  return { items, next, error, stamp, load, refresh, more }
}
