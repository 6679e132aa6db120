/** Words of a list's address: what they are, and what a change makes of them. Pure. */
import type { ViewQuery } from '../views/own-views.ts'

/** A query as vue-router gives it: anything that may have been typed into the address. */
type Query = Readonly<Record<string, unknown>>

/** Changes of an address by name; null and '' take a word out. */
export type AddressChanges = Readonly<Record<string, string | null>>

/** The words of a query that have one value, in their order. */
export function queryValues(query: Query): ViewQuery {
  const words: Record<string, string> = {}
  for (const [key, value] of Object.entries(query))
    if (typeof value === 'string' && value !== '') words[key] = value
  return words
}

/** The words after some changes. */
export function changedQueryValues(query: Query, changes: AddressChanges): ViewQuery {
  return queryValues({ ...query, ...changes })
}

/** What the tab of a built-in view asks for. */
export const viewQuery = (view: string): ViewQuery => (view === 'all' ? {} : { view })
