/** The filter of a list in its address, so that it survives a reload and can be gone back to. */
import { useDebounceFn } from '@vueuse/core'
import { ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

const SEARCH_AFTER_MS = 200

export function useListAddress(...pages: readonly string[]) {
  const route = useRoute()
  const router = useRouter()
  /** Only while the page is shown: leaving it changes the route a moment before the page goes. */
  const query = shallowRef({ ...route.query })
  watch(
    () => route.query,
    (next) => {
      if (pages.includes(String(route.name))) query.value = { ...next }
    },
  )
  const word = (name: string): string => {
    const value = query.value[name]
    return typeof value === 'string' ? value : ''
  }
  function change(changes: Record<string, string>): void {
    const next: Record<string, string> = {}
    for (const [key, value] of Object.entries({ ...query.value, ...changes }))
      if (typeof value === 'string' && value !== '') next[key] = value
    void router.replace({ query: next })
  }
  const typed = ref(word('q'))
  const search = useDebounceFn(() => change({ q: typed.value.trim().slice(0, 100) }), SEARCH_AFTER_MS)
  function clear(): void {
    typed.value = ''
    void router.replace({ query: word('connection') ? { connection: word('connection') } : {} })
  }
  return { query, word, change, typed, search, clear }
}
