/** Filter of a list in its address, so that a reload, a link and "back" show the same rows. */
import { computed, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { ViewQuery } from '../views/own-views.ts'
import { queryValues, changedQueryValues } from './address.ts'
import type { AddressChanges } from './address.ts'

export interface ListAddressOptions {
  /** Route names under which the page is shown. */
  pages: readonly string[]
  /** Path for a change of the filter; by default the path stays. */
  path?: string | undefined
  /** Returns the known parameters, if unknown ones are to be dropped. */
  wordsOf?: ((query: ViewQuery) => ViewQuery) | undefined
  /** Returns the parameters after a change, if the page omits its defaults from the address. */
  changed?: ((query: ViewQuery, changes: Record<string, string | null>) => ViewQuery) | undefined
  /** Parameters that `clear` keeps. */
  keeps?: readonly string[] | undefined
}

export function useListAddress({
  pages,
  path,
  wordsOf = (query) => query,
  changed: changedBy = changedQueryValues,
  keeps = [],
}: ListAddressOptions) {
  const route = useRoute()
  const router = useRouter()
  const shown = shallowRef({ query: route.query, id: route.params.id })
  // The route changes a moment before the page is unmounted.
  watch(
    () => [route.query, route.params.id] as const,
    ([query, id]) => {
      if (pages.includes(String(route.name))) shown.value = { query, id }
    },
  )
  const query = computed<ViewQuery>(() => wordsOf(queryValues(shown.value.query)))
  /** Identifier in the path. */
  const id = computed(() => String(shown.value.id ?? ''))
  const word = (name: string): string => query.value[name] ?? ''
  const changed = (changes: AddressChanges): ViewQuery => wordsOf(changedBy(query.value, changes))

  function go(to: { path?: string | undefined; query: ViewQuery }): void {
    void router.replace({ path: to.path ?? route.path, query: { ...to.query } })
  }
  const change = (changes: AddressChanges): void => go({ path, query: changed(changes) })
  const clear = (): void =>
    go({ path, query: Object.fromEntries(keeps.filter(word).map((name) => [name, word(name)])) })

  return { query, id, word, changed, change, clear, go }
}
