/**
 * Start and stop of a reading: the limit of the month's calls is confirmed first, and what was just read is not read
 * again.
 */
import { ref, shallowRef } from 'vue'
import { asCallError, call } from '../../call.ts'
import { translate } from '../../i18n.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import type { Quota } from './messages.ts'
import type { Erp } from './use-erp.ts'

type Wish = Pick<InputOf<'erp.sync'>, 'mode' | 'force'>

/** A reading that would use more calls than the month has left. */
export interface Guard {
  wish: Wish
  estimate: number
  left: number
  quota: Quota | null
}

export function useReading(erp: Erp) {
  const toasts = useToasts()
  const busy = ref(false)
  const stopping = ref(false)
  const guard = shallowRef<Guard | null>(null)

  async function read(wish: Wish): Promise<void> {
    if (busy.value) return
    busy.value = true
    const before = erp.open.value?.lastRun?.runId
    try {
      const run = await call('erp.sync', wish)
      guard.value = null
      if (run.state === 'completed' && run.runId === before)
        toasts.done(translate('erp.justRead'), {
          id: 'erp-read',
          actions: [{ label: translate('erp.readAgain'), run: () => void read({ ...wish, force: true }) }],
        })
    } catch (thrown) {
      const error = asCallError(thrown)
      if (error.code === 'erp_quota_guard') {
        const { estimate, left, quota } = error.details
        guard.value = {
          wish,
          estimate: Number(estimate),
          left: Number(left),
          quota: (quota ?? null) as Quota | null,
        }
      } else toasts.failed(error)
    } finally {
      busy.value = false
    }
    await erp.load()
  }

  /** Starts the reading that the limit had stopped. */
  async function force(): Promise<void> {
    if (guard.value) await read({ ...guard.value.wish, force: true })
  }

  async function cancel(id: string): Promise<void> {
    stopping.value = true
    try {
      await call('erp.cancel', { id })
      await erp.load()
    } catch (thrown) {
      toasts.failed(thrown)
    } finally {
      stopping.value = false
    }
  }

  return { busy, stopping, guard, read, force, cancel }
}

export type Reading = ReturnType<typeof useReading>
