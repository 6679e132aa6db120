/** Loads the content of a tab: again when its query or the ledger changes, while the old content stays visible. */
import { useLiveQuery } from '../../composables/use-live-query.ts'

/** Events that book something. */
export const FACTS = ['ledger.changed', 'invoice.*', 'received.changed', 'payment.changed', 'bank.changed']

/** Calls `fetch` with the value of `query`, again whenever it changes. */
export function useReport<Query, Answer>(query: () => Query, fetch: (query: Query) => Promise<Answer>) {
  const {
    data: answer,
    error,
    load,
  } = useLiveQuery(() => fetch(query()), { events: FACTS, key: query, reportsReloadErrors: true })
  return { answer, error, load }
}
