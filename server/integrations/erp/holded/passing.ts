/** Lists that are passed over because the account does not offer them or the key may not read them. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Page } from '../port.ts'
import type { List } from './lists.ts'
import { isClosed } from './notes.ts'
import type { Memory } from './notes.ts'

/** What an account does not offer it may come to offer. */
export const CLOSED_DAYS = 90

/** `days`: how long the list is not asked for again. */
export function closed(memory: Memory, list: List, today: BusinessDate, days = CLOSED_DAYS): Memory {
  return { ...memory, closed: { ...memory.closed, [list.path]: addDays(today, days) } }
}

/** Of what is not read, nothing is missing: it is only not known. */
export function unreadKinds(
  memory: Memory,
  lists: readonly List[],
  today: BusinessDate,
): Pick<Page, 'unread'> {
  const unread = lists.filter(({ path }) => isClosed(memory, path, today)).map(({ kind }) => kind)
  return unread.length === 0 ? {} : { unread }
}
