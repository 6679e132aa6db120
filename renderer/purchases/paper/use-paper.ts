/** A supplier's file as the page can show it: PDF, image or text, never rendered as a page with scripts. */
import { onScopeDispose, ref, shallowRef, watch } from 'vue'

const TEXT_CHARS = 200_000

type PaperKind = 'pdf' | 'image' | 'text' | 'other'

/**
 * Returns which type the page draws itself; the type comes from the server's check of the bytes, or from the file
 * name.
 */
function kindOf({ type, name }: Pick<File, 'type' | 'name'>): PaperKind {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return 'pdf'
  if (/^image\/(?:png|jpeg|webp)$/.test(type)) return 'image'
  if (/^text\/|xml$/.test(type) || /\.(?:xml|xsig|txt|csv)$/i.test(name)) return 'text'
  return 'other'
}

/** Returns the content of a file; its address ends with the component. */
export function usePaper(file: () => File | null) {
  const url = ref('')
  const kind = ref<PaperKind>('other')
  const text = shallowRef('')
  const bytes = shallowRef<Uint8Array | null>(null)

  function drop(): void {
    if (url.value) URL.revokeObjectURL(url.value)
    url.value = ''
  }

  watch(
    file,
    async (next) => {
      drop()
      text.value = ''
      bytes.value = null
      if (!next) return
      kind.value = kindOf(next)
      if (kind.value === 'text') {
        const read = await next.slice(0, TEXT_CHARS).text()
        if (next === file()) text.value = read
        return
      }
      // The type is set here, so that nothing is ever shown as a page with scripts.
      const type =
        kind.value === 'pdf'
          ? 'application/pdf'
          : kind.value === 'image'
            ? next.type
            : 'application/octet-stream'
      url.value = URL.createObjectURL(new Blob([next], { type }))
      if (kind.value !== 'pdf') return
      const read = await next.arrayBuffer()
      if (next === file()) bytes.value = new Uint8Array(read)
    },
    { immediate: true },
  )
  onScopeDispose(drop)
  return { url, kind, text, bytes }
}
