/** Content of a preview, loaded again after every change: one request at a time, the last one wins. */
import { onScopeDispose, ref, shallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import type { PdfArea } from './pdf.ts'

export interface Preview {
  bytes: Uint8Array<ArrayBuffer>
  areas: readonly PdfArea[]
}

/** Returns the preview of an answer, whose file is in base64. */
export function previewOf({ pdf, areas }: { pdf: string; areas: readonly PdfArea[] }): Preview {
  return { bytes: Uint8Array.from(atob(pdf), (sign) => sign.charCodeAt(0)), areas }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** `load` returns null if there is nothing to show yet. */
export function usePreview(load: () => Promise<Preview | null>) {
  const preview = shallowRef<Preview | null>(null)
  const busy = ref(false)
  /** Error of the last request; the previous content stays visible. */
  const error = shallowRef<CallError | null>(null)
  let wanted = false
  /** Increases when the requested subject differs from the shown one. */
  let subject = 0

  async function ask(): Promise<void> {
    const about = subject
    try {
      const next = await load()
      if (about !== subject) return
      error.value = null
      const before = preview.value
      // Unchanged bytes keep their pages: nothing is rendered again.
      preview.value =
        before && next && isSame(before.bytes, next.bytes) ? { ...next, bytes: before.bytes } : next
    } catch (thrown) {
      if (about === subject) error.value = asCallError(thrown)
    }
  }

  /** Requests again, after the current request. */
  async function refresh(): Promise<void> {
    wanted = true
    if (busy.value) return
    busy.value = true
    while (wanted) {
      wanted = false
      await ask()
    }
    busy.value = false
  }
  /** Discards the shown and the requested content: the next subject is another one. */
  function clear(): void {
    subject++
    preview.value = null
    error.value = null
  }
  onScopeDispose(() => {
    wanted = false
    clear()
  })

  return { preview, busy, error, refresh, clear }
}
