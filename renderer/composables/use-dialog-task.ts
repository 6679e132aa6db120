/** Action of a dialog after its confirmation: one at a time, with its error kept for display. */
import { ref, shallowRef } from 'vue'
import { asCallError } from '../call.ts'
import type { CallError } from '../call.ts'

/**
 * `run` ignores a second confirmation during the first; a new error replaces the previous one. `load` fetches what a
 * form shows: the form appears and can be saved once `loaded` is true. Otherwise the answer would overwrite what was
 * typed, and saving after a failed read would clear what is stored.
 */
export function useDialogTask() {
  const busy = ref(false)
  const refusal = shallowRef<CallError | null>(null)
  const loaded = ref(false)

  async function run(task: () => Promise<void>): Promise<void> {
    if (busy.value) return
    busy.value = true
    refusal.value = null
    try {
      await task()
    } catch (thrown) {
      refusal.value = asCallError(thrown)
    } finally {
      busy.value = false
    }
  }

  const load = (task: () => Promise<void>): Promise<void> =>
    run(async () => {
      await task()
      loaded.value = true
    })

  return { busy, refusal, loaded, run, load }
}
