/** Filter of the list of items from its address. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { ViewQuery } from '../../components/views/own-views.ts'

const LONGEST_TEXT = 100

/** Returns the parameters of the address that the list knows. */
export const itemQueryText = ({ q = '', all }: ViewQuery): ViewQuery => ({
  ...(q ? { q } : {}),
  ...(all === '1' ? { all } : {}),
})

/** Inactive items are listed only on request. */
export const itemFilter = ({ q = '', all }: ViewQuery): Pick<InputOf<'items.list'>, 'text' | 'active'> => ({
  ...(q ? { text: q.slice(0, LONGEST_TEXT) } : {}),
  ...(all === '1' ? {} : { active: true }),
})
