/** Parameters in the address of a list, and the result of changing them. Pure. */
import type { ViewQuery } from '../views/own-views.ts'

/** A query as vue-router gives it: it may contain anything the user typed into the address. */
type Query = Readonly<Record<string, unknown>>

/** Changes of an address by parameter; null and '' remove a parameter. */
export type AddressChanges = Readonly<Record<string, string | null>>

/** Returns the parameters of a query that have one value, in their order. */
export function queryValues(query: Query): ViewQuery {
  const words: Record<string, string> = {}
  for (const [key, value] of Object.entries(query))
    if (typeof value === 'string' && value !== '') words[key] = value
  return words
}

/** Returns the parameters after some changes. */
export function changedQueryValues(query: Query, changes: AddressChanges): ViewQuery {
  return queryValues({ ...query, ...changes })
}

/** Returns the parameters of a built-in view's tab. */
export const viewQuery = (view: string): ViewQuery => (view === 'all' ? {} : { view })
