/** Who is signed in to an office, and what they may do in the active company. On a desk there is nobody, and all is allowed. */
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { call } from '../call.ts'
import type { OfficeLink } from '../call.ts'
import type { OperationName, OutputOf } from '../../server/api/contracts.ts'
import type { Capability } from '../../server/domain/people.ts'

type Me = OutputOf<'people.me'>

/** What the person may do; null on a desk, which has no limits. */
const rights = shallowRef<ReadonlySet<Capability> | null>(null)

/** Returns whether the person may do something in the active company; on a desk always. */
export function may(capability: Capability): boolean {
  return rights.value?.has(capability) ?? true
}

/** Operations that the person may run; null on a desk. */
const runnable = shallowRef<ReadonlySet<string> | null>(null)

/** What a control does: every operation that it calls, or the one with which the work behind it ends. */
export type Runs = OperationName | readonly OperationName[]

/** Returns whether the person may run all of these operations in the active company; on a desk always. */
export function mayRun(runs: string | readonly string[]): boolean {
  const allowed = runnable.value
  return allowed === null || [runs].flat().every((name) => allowed.has(name))
}

/** Returns the actions that the person may run; one that names no operation runs none. */
export function allowedOf<Action extends { runs?: string | readonly string[] | undefined }>(
  actions: readonly Action[],
): Action[] {
  return actions.filter(({ runs }) => runs === undefined || mayRun(runs))
}

/** Returns whether the window is one of an office. */
export const inOffice = (): boolean => rights.value !== null

export const usePersonStore = defineStore('person', () => {
  /** Null on a desk, before the sign-in, and for somebody without a company. */
  const me = shallowRef<Me | null>(null)
  const isOffice = computed(inOffice)
  /** The link with which the page was opened, until it is used or put aside. */
  const link = shallowRef<OfficeLink | null>(null)
  /** True for somebody who is in no company, and may create none. */
  const isAlone = shallowRef(false)
  let of: string | null = null

  /** Makes the window one of an office, in which nothing is allowed before it is known who is there. */
  function beginOffice(): void {
    rights.value ??= new Set()
    runnable.value ??= new Set()
  }

  /** Loads the rights in the company of a book; nothing if they are those of that book. */
  async function enter(bookId: string | null): Promise<void> {
    beginOffice()
    if (bookId === of && me.value) return
    of = bookId
    if (bookId === null) {
      me.value = null
      rights.value = new Set(['own'])
      runnable.value = new Set()
      return
    }
    await refresh()
  }

  /** Loads the rights again: somebody may have changed them. */
  async function refresh(): Promise<void> {
    if (of === null) return
    const bookId = of
    const found = await call('people.me', {}, { bookId })
    if (of !== bookId) return
    me.value = found
    rights.value = new Set(found.capabilities)
    runnable.value = new Set(found.operations)
  }

  return { me, isOffice, link, isAlone, may, beginOffice, enter, refresh }
})
