/** Filter and order of the console from its address, and back from a saved view. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import type { ViewQuery } from '../../components/views/own-views.ts'

type Input = InputOf<'console.list'>
export type ConsoleRow = OutputOf<'console.list'>['items'][number]
export type ConsoleTotals = OutputOf<'console.list'>['totals']
export type Card = keyof ConsoleTotals['cards']
export type ReturnState = NonNullable<Input['returnState']>
export type ConsoleFilter = Pick<
  Input,
  'text' | 'cards' | 'model' | 'returnState' | 'assignee' | 'group' | 'favourite'
>
export type SavedFilter = OutputOf<'console.views'>['items'][number]['filter']

/** In the order of the page: what is late first. */
export const CARDS: readonly Card[] = [
  'late',
  'open',
  'closing',
  'trouble',
  'certificate',
  'inbox',
  'bank',
  'approvals',
  'receipts',
]
export const RETURN_STATES: readonly ReturnState[] = ['late', 'open', 'upcoming', 'unknown', 'filed']

type Sort = NonNullable<Input['sort']>
const SORTS: readonly Sort[] = [
  'name',
  'assignee',
  'due',
  'trouble',
  'certificate',
  'inbox',
  'bank',
  'activity',
]
/** Orders that a narrow window offers. */
export const ORDERS: readonly Sort[] = ['due', 'name', 'trouble', 'certificate', 'inbox', 'bank']
/** Sorted by how many there are, the most first. */
const COUNTED: readonly Sort[] = ['trouble', 'inbox', 'bank', 'activity']
const LONGEST_TEXT = 80
const LONGEST_GROUP = 40

/** Returns the filter; unknown values in the address are ignored. */
export function consoleFilter(query: ViewQuery): ConsoleFilter {
  const { q = '', cards = '', model = '', state = '', assignee = '', group = '', favourite = '' } = query
  const known = CARDS.filter((card) => cards.split(',').includes(card))
  const returnState = RETURN_STATES.find((each) => each === state)
  return {
    ...(q ? { text: q.slice(0, LONGEST_TEXT) } : {}),
    ...(known.length > 0 ? { cards: known } : {}),
    ...(/^\d{3}$/.test(model) ? { model } : {}),
    ...(returnState ? { returnState } : {}),
    ...(assignee ? { assignee: assignee.slice(0, LONGEST_TEXT) } : {}),
    ...(group ? { group: group.slice(0, LONGEST_GROUP) } : {}),
    ...(favourite === '1' ? { favourite: true as const } : {}),
  }
}

/** Order as the list has it in its address: `-inbox` is most first, `due` is the first day first. */
export type ListOrder = Sort | `-${Sort}`

/** Returns the order of an address. */
export const consoleSort = ({ sort = '' }: ViewQuery): ListOrder =>
  SORTS.flatMap((each): ListOrder[] => [each, `-${each}`]).find((each) => each === sort) ?? 'due'

/** Returns the order as the operation takes it. */
export function orderOf(order: ListOrder): { sort: Sort; descending: boolean } {
  const sort = order.replace('-', '') as Sort
  const isReversed = order.startsWith('-')
  return { sort, descending: COUNTED.includes(sort) ? !isReversed : isReversed }
}

/** Parameters of the address that a view sets or clears. */
export const PARAMETERS = ['q', 'cards', 'model', 'state', 'assignee', 'group', 'favourite', 'sort'] as const

/** Returns the address of a saved view. */
export function queryOf({
  text,
  cards,
  model,
  returnState,
  assignee,
  group,
  favourite,
  sort,
  descending,
}: SavedFilter): ViewQuery {
  const query: Record<string, string> = {}
  if (text) query.q = text
  if (cards && cards.length > 0) query.cards = cards.join(',')
  if (model) query.model = model
  if (returnState) query.state = returnState
  if (assignee) query.assignee = assignee
  if (group) query.group = group
  if (favourite) query.favourite = '1'
  if (sort) {
    const isReversed = COUNTED.includes(sort) ? descending === false : descending === true
    const order = `${isReversed ? '-' : ''}${sort}`
    if (order !== 'due') query.sort = order
  }
  return query
}
