/** Filter of the list of quotes from its address. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'

export const VIEWS = ['all', 'drafts', 'waiting', 'to_invoice', 'closed'] as const
export const KINDS = ['quote', 'proforma', 'delivery_note'] as const

type QuoteFilter = Pick<InputOf<'quotes.window'>, 'view' | 'kind' | 'text' | 'client'>

/** Returns the filter; unknown values in the address are ignored. */
export function quoteFilter(query: Readonly<Record<string, unknown>>): QuoteFilter {
  const text = (key: string) => {
    const value = query[key]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const view = VIEWS.find((each) => each !== 'all' && each === text('view'))
  const kind = KINDS.find((each) => each === text('kind'))
  const [q, client] = [text('q'), text('client')]
  return {
    ...(view ? { view } : {}),
    ...(kind ? { kind } : {}),
    ...(q ? { text: q.slice(0, 100) } : {}),
    ...(client ? { client } : {}),
  }
}
