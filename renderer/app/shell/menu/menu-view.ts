/** Whose menu is shown: that of an owner, of those who sell, of those who keep the books, or every entry. */
import { computed } from 'vue'
import type { ComputedRef } from 'vue'
import type { Role } from '../../../../server/domain/people.ts'
import { usePersonStore } from '../../../stores/person.ts'
import { useSessionStore } from '../../../stores/session.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'

export type MenuView = NonNullable<OutputOf<'session.get'>['preferences']['menu']>

const OF_ROLE: Readonly<Record<Role, MenuView>> = {
  owner: 'owner',
  administrator: 'all',
  bookkeeper: 'accountant',
  sales: 'sales',
  accountant: 'accountant',
  adviser: 'accountant',
}

/** Returns the menu of a person who chose none. On a desk there are no roles: its person owns the business. */
export function defaultMenu(roles: readonly Role[] | undefined): MenuView {
  const views = new Set((roles ?? []).map((role) => OF_ROLE[role]))
  if (views.has('owner') || views.size === 0) return 'owner'
  // Two kinds of work need the entries of both.
  return views.size === 1 ? [...views][0]! : 'all'
}

/** Returns the menu of the person in this window. */
export function useMenuView(): ComputedRef<MenuView> {
  const session = useSessionStore()
  const person = usePersonStore()
  return computed(() => session.preferences?.menu ?? defaultMenu(person.me?.roles))
}
