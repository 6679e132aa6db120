/** What a merge shows beside the values: names of fields, and who changed the record last on the other side. */
import { shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import { onEvent } from '../../events.ts'
import type { WindowEvent } from '../../events.ts'
import type { Difference } from './three-way.ts'

/** A difference in words. */
export interface DescribedChange {
  label: string
  before: string
  mine: string
  theirs: string
}
export type Describe = (difference: Difference) => DescribedChange

export interface LastChange {
  name: string
  at: string
}

/**
 * Remembers who changed a record last, from the events of `type`. `isIt` says whether an event is about the record;
 * `isOwn` whether it is about a change of this page.
 */
export function useLastChange(
  type: string,
  isIt: (event: WindowEvent) => boolean,
  isOwn: (event: WindowEvent) => boolean = () => false,
): ShallowRef<LastChange | null> {
  const last = shallowRef<LastChange | null>(null)
  onEvent(type, (event) => {
    if (!isIt(event) || isOwn(event)) return
    const { actor } = event
    if (actor && actor.kind !== 'system') last.value = { name: actor.name, at: event.createdAt }
  })
  return last
}
