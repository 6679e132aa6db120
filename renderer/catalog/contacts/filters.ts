/** Filter of the list of contacts from its address. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { ViewQuery } from '../../components/views/own-views.ts'

export const ROLES = ['all', 'customer', 'supplier'] as const

const LONGEST_TEXT = 100

const roleOf = (word = '') => (word === 'customer' || word === 'supplier' ? word : undefined)

/** Returns the parameters of the address that the list knows. */
export function contactQueryText({ q = '', role: word }: ViewQuery): ViewQuery {
  const role = roleOf(word)
  return { ...(q ? { q } : {}), ...(role ? { role } : {}) }
}

export function contactFilter({
  q = '',
  role: word,
}: ViewQuery): Pick<InputOf<'contacts.list'>, 'text' | 'role'> {
  const role = roleOf(word)
  return { ...(q ? { text: q.slice(0, LONGEST_TEXT) } : {}), ...(role ? { role } : {}) }
}
