/** What a preview shows, asked for again whenever something changed: one request at a time, the last wish wins. */
import { onScopeDispose, ref, shallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { CallError } from '../../call.ts'
import type { PdfArea } from './pdf.ts'

export interface Preview {
  bytes: Uint8Array<ArrayBuffer>
  areas: readonly PdfArea[]
}

/** From what the window is answered: the file in base64. */
export function previewOf({ pdf, areas }: { pdf: string; areas: readonly PdfArea[] }): Preview {
  return { bytes: Uint8Array.from(atob(pdf), (sign) => sign.charCodeAt(0)), areas }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** `load` answers null when there is nothing to show yet. */
export function usePreview(load: () => Promise<Preview | null>) {
  const preview = shallowRef<Preview | null>(null)
  const busy = ref(false)
  /** Of the last request; what was shown before stays. */
  const error = shallowRef<CallError | null>(null)
  let wanted = false
  /** Grows when what was asked for is no longer what is shown. */
  let subject = 0

  async function ask(): Promise<void> {
    const about = subject
    try {
      const next = await load()
      if (about !== subject) return
      error.value = null
      const before = preview.value
      // The same bytes keep their pages: nothing is drawn again.
      preview.value =
        before && next && isSame(before.bytes, next.bytes) ? { ...next, bytes: before.bytes } : next
    } catch (thrown) {
      if (about === subject) error.value = asCallError(thrown)
    }
  }

  /** Asks again, after the request that is under way. */
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
  /** Forgets what is shown, and what is on its way: the next thing is another one. */
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
