/** Filter of the list of received invoices from its address. Pure. */
import type { InputOf } from '../../server/api/contracts.ts'
import type { ViewQuery } from '../components/views/own-views.ts'

type WindowInput = InputOf<'received.window'>

export const VIEWS = ['all', 'owed', 'overdue', 'withoutFile', 'history'] as const
const SORTS = [
  'receptionDate',
  '-receptionDate',
  'number',
  '-number',
  'total',
  '-total',
  'dueDate',
  '-dueDate',
] as const

const LONGEST_TEXT = 100

/** Returns the filter; unknown values in the address are ignored. */
export function receivedFilter({
  view: wanted = '',
  q = '',
  concept = '',
}: ViewQuery): Pick<WindowInput, 'view' | 'text' | 'concept'> {
  const view = VIEWS.find((each) => each === wanted && each !== 'all')
  return {
    ...(view ? { view } : {}),
    ...(q ? { text: q.slice(0, LONGEST_TEXT) } : {}),
    ...(/^G\d{2}$/.test(concept) ? { concept } : {}),
  }
}

/** Returns the sort order of an address. */
export const receivedSort = ({ sort }: ViewQuery): NonNullable<WindowInput['sort']> =>
  SORTS.find((each) => each === sort) ?? '-receptionDate'
