/**
 * `v-runs` names the operation that a control calls, or with which the work behind it ends. In an office the control is
 * hidden from somebody who may not run it; a desk has no limits, and the directive does nothing there.
 *
 *   <UButton v-runs="'contacts.delete'" …>
 *
 * Entries of menus, bulk actions, empty states and shortcuts name theirs in `runs`.
 */
import { watch } from 'vue'
import type { Directive } from 'vue'
import { inOffice, mayRun } from './stores/person.ts'
import type { Runs } from './stores/person.ts'

/** Ends the watch of a control. */
const watches = new WeakMap<HTMLElement, () => void>()

function follow(control: HTMLElement, runs: Runs): void {
  watches.get(control)?.()
  control.dataset.runs = [runs].flat().join(' ')
  watches.set(
    control,
    watch(
      () => mayRun(runs),
      (allowed) => void (control.hidden = !allowed),
      { immediate: true },
    ),
  )
}

export const vRuns: Directive<HTMLElement, Runs> = {
  beforeMount(control, { value }) {
    if (inOffice()) follow(control, value)
  },
  updated(control, { value, oldValue }) {
    if (inOffice() && value !== oldValue) follow(control, value)
  },
  unmounted(control) {
    watches.get(control)?.()
  },
}

/** Returns whether the control around an element is hidden from the person. */
export function isForbidden(element: HTMLElement | null): boolean {
  const runs = element?.closest<HTMLElement>('[data-runs]')?.dataset.runs
  return runs !== undefined && !mayRun(runs.split(' ') as Exclude<Runs, string>)
}
