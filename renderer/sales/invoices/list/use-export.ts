/** Lifecycle of an export: requested, polled until it is ready, saved, discarded. Nothing of it outlives its dialog. */
import { onScopeDispose, ref, shallowRef } from 'vue'
import { asCallError, call, callBytes } from '../../../call.ts'
import type { CallError } from '../../../call.ts'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { saveFile } from '../read/save-pdf.ts'

const LOOK_EVERY_MS = 400

type ExportStage = 'choosing' | 'preparing' | 'saving' | 'done'

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, LOOK_EVERY_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

export function useExport(save: (file: File) => void = saveFile) {
  const stage = ref<ExportStage>('choosing')
  /** Last answer of the server. */
  const job = shallowRef<OutputOf<'exports.get'> | null>(null)
  /** Name of the saved archive; null if there was nothing to put into one. */
  const savedAs = ref<string | null>(null)
  const refusal = shallowRef<CallError | null>(null)
  let control: AbortController | null = null

  function reset(): void {
    control?.abort()
    stage.value = 'choosing'
    job.value = null
    savedAs.value = null
    refusal.value = null
  }

  async function run(input: InputOf<'exports.create'>, bookId: string): Promise<void> {
    reset()
    stage.value = 'preparing'
    const own = new AbortController()
    const { signal } = own
    control = own
    let id: string | null = null
    try {
      // This request is not aborted: the identifier of a started export is needed to cancel it.
      let view = await call('exports.create', input, { bookId })
      id = view.id
      signal.throwIfAborted()
      for (job.value = view; view.state !== 'ready'; job.value = view) {
        await pause(signal)
        view = await call('exports.get', { id }, { bookId, signal })
      }
      if (view.failedCount < view.total) {
        stage.value = 'saving'
        const file = await callBytes('exports.file', { id }, { bookId, signal })
        save(file)
        savedAs.value = file.name
      }
      stage.value = 'done'
    } catch (thrown) {
      if (signal.aborted) return
      refusal.value = asCallError(thrown)
      stage.value = 'choosing'
    } finally {
      // The server would discard it too, only later.
      if (id !== null) void call('exports.cancel', { id }, { bookId }).catch(() => undefined)
    }
  }

  onScopeDispose(() => control?.abort())
  return { stage, job, savedAs, refusal, run, reset }
}
