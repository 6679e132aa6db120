/** Loads the content of a tab: at first and again after every event of payments or invoices. */
import { useLiveQuery } from '../../composables/use-live-query.ts'

const EVENTS = ['invoice.*', 'payment.*', 'received.*', 'contact.*']

/** Returns the answer of `fetch`; old content stays visible while it reloads. */
export function useLoaded<Answer>(fetch: () => Promise<Answer>) {
  return useLiveQuery(fetch, { events: EVENTS })
}
