/** State of the accounting connection of the active book, refreshed by events. */
import { useThrottleFn } from '@vueuse/core'
import { computed, onMounted, shallowRef } from 'vue'
import { asCallError, call } from '../../call.ts'
import type { CallError } from '../../call.ts'
import { onEvent, onReopened } from '../../events.ts'
import { useSessionStore } from '../../stores/session.ts'
import { earlierConnections, openConnection, systemsOf } from './messages.ts'
import type { Integration } from './messages.ts'

/** A reading emits an event per page; the figures need not be updated faster than the eye can follow. */
const FOLLOW_MS = 400

export function useErp() {
  const session = useSessionStore()
  const integrations = shallowRef<readonly Integration[] | null>(null)
  const error = shallowRef<CallError | null>(null)
  let generation = 0

  /** Reloads it; the shown state stays meanwhile. */
  async function load(): Promise<void> {
    const mine = ++generation
    try {
      const found = await call('erp.status', {})
      if (mine !== generation) return
      integrations.value = found.integrations
      error.value = null
    } catch (thrown) {
      if (mine === generation && !integrations.value) error.value = asCallError(thrown)
    }
  }
  const follow = useThrottleFn(load, FOLLOW_MS, true)
  onMounted(load)
  onEvent('erp.*', (event) => {
    if (event.bookId === session.activeBook?.id) void follow()
  })
  onReopened(() => void load())

  const all = computed(() => integrations.value ?? [])
  return {
    integrations,
    error,
    load,
    open: computed(() => openConnection(all.value)),
    earlier: computed(() => earlierConnections(all.value)),
    systems: computed(() => systemsOf(all.value)),
  }
}

export type Erp = ReturnType<typeof useErp>
