/** Loads the content of a page of taxes, again when its quarter or the books change. */
import type { Ref } from 'vue'
import { useLiveQuery } from '../../composables/use-live-query.ts'

const EVENTS = ['invoice.*', 'received.*', 'payment.*', 'filing.*', 'company.*', 'registry.*']

/** Calls `fetch` whenever `key` changes; an outdated answer is dropped. */
export function useTaxes<Shown>(key: Ref<string>, fetch: () => Promise<Shown>) {
  const {
    data: shown,
    error,
    loading,
    load,
  } = useLiveQuery(fetch, { events: EVENTS, key, clearsOnChange: true })
  return { shown, error, loading, load }
}
