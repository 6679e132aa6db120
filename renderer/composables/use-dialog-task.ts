/** What a dialog does once it is agreed to: one deed at a time, and what was refused is kept to be shown. */
import { ref, shallowRef } from 'vue'
import { asCallError } from '../call.ts'
import type { CallError } from '../call.ts'

/** `run` ignores a second yes while the first is under way; its refusal takes the place of the one before. */
export function useDialogTask() {
  const busy = ref(false)
  const refusal = shallowRef<CallError | null>(null)

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

  return { busy, refusal, run }
}
