/** A user's own views of a list: which one is shown, and the result of changing them. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type OwnView = OutputOf<'views.list'>['items'][number]
export type ViewQuery = Readonly<Record<string, string>>

/** Limit of the server per list. */
export const MOST_VIEWS = 12

/** Returns the parameters of an address that define the shown rows: one value each, none empty. */
export function querySummary(query: Readonly<Record<string, unknown>>): ViewQuery {
  const words: Record<string, string> = {}
  for (const key of Object.keys(query).toSorted()) {
    const value = query[key]
    if (typeof value === 'string' && value !== '' && value.length <= 100 && /^[a-z][A-Za-z]{0,19}$/.test(key))
      words[key] = value
  }
  return words
}

export function isSameQuery(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  return JSON.stringify(querySummary(a)) === JSON.stringify(querySummary(b))
}

type NewView = Omit<OwnView, 'id'> & { id?: string }

/** Adds a view at the end; a view of that name gets the new filter. */
export function withView(views: readonly OwnView[], name: string, query: ViewQuery): NewView[] {
  const isIt = (view: OwnView) => view.name.toLocaleLowerCase() === name.toLocaleLowerCase()
  if (views.some(isIt)) return views.map((view) => (isIt(view) ? { ...view, query } : view))
  return [...views, { name, query }]
}

/** Moves a view one position to the left or right; at the ends it stays. */
export function movedView(views: readonly OwnView[], id: string, step: -1 | 1): OwnView[] {
  const next = [...views]
  const from = next.findIndex((view) => view.id === id)
  const to = from + step
  const [view, other] = [next[from], next[to]]
  if (!view || !other) return next
  next[from] = other
  next[to] = view
  return next
}
