/** Lists that are skipped because the account does not offer them or the key may not read them. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Page } from '../port.ts'
import type { List } from './lists.ts'
import { isClosed } from './notes.ts'
import type { Memory } from './notes.ts'

/** Days until a list is tried again: an account may offer it later. */
export const CLOSED_DAYS = 90

/** Marks a list as skipped. `days`: time until it is tried again. */
export function withListSkipped(memory: Memory, list: List, today: BusinessDate, days = CLOSED_DAYS): Memory {
  return { ...memory, closed: { ...memory.closed, [list.path]: addDays(today, days) } }
}

/** Returns the kinds that are not read: the absence of their records means nothing. */
export function unreadKinds(
  memory: Memory,
  lists: readonly List[],
  today: BusinessDate,
): Pick<Page, 'unread'> {
  const unread = lists.filter(({ path }) => isClosed(memory, path, today)).map(({ kind }) => kind)
  return unread.length === 0 ? {} : { unread }
}
