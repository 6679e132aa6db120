/**
 * Saving a form that somebody else has saved meanwhile: what they changed is merged with the page, and what both changed
 * is asked. For editors with a save button; drafts of invoices save by themselves.
 */
import { computed, shallowRef } from 'vue'
import type { ShallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { LastChange } from './changes.ts'
import type { Difference, Merge, Side } from './three-way.ts'

interface MergeOptions<Form extends object, Saved extends { version: number }> {
  /** The form when it was last what the server holds; null while there is nothing saved. */
  before: () => Form | null
  mine: () => Form
  read: () => Promise<Saved>
  formOf: (saved: Saved) => Form | Promise<Form>
  merge: (versions: Record<'before' | 'mine' | 'theirs', Form>) => Merge<Form>
  /** Puts a merged form on the page, on top of what the server holds now. */
  apply: (merged: Form, saved: Saved, theirForm: Form) => void
  change: ShallowRef<LastChange | null>
}

export function useMerge<Form extends object, Saved extends { version: number }>(
  options: MergeOptions<Form, Saved>,
) {
  const met = shallowRef<{ saved: Saved; theirs: Form; before: Form } | null>(null)
  const merged = shallowRef<{ differences: readonly Difference[]; change: LastChange | null } | null>(null)
  /** The two changes, until somebody has chosen; null without a conflict. */
  const conflict = computed(
    () =>
      met.value &&
      options.merge({ before: met.value.before, mine: options.mine(), theirs: met.value.theirs }),
  )

  /** Loads what the server holds now and merges it. Returns true if nothing has to be chosen. */
  async function meet(): Promise<boolean> {
    const before = options.before()
    if (!before) return false
    const saved = await options.read()
    const theirs = await options.formOf(saved)
    const merge = options.merge({ before, mine: options.mine(), theirs })
    if (merge.conflicts.length > 0) {
      met.value = { saved, theirs, before }
      return false
    }
    met.value = null
    const differences = merge.differences.filter(({ changedBy }) => changedBy === 'theirs')
    options.apply(merge.build(), saved, theirs)
    if (differences.length > 0) merged.value = { differences, change: options.change.value }
    return true
  }

  /** Goes on with what was chosen; the page is then on top of what the server holds. */
  function choose(choices: ReadonlyMap<string, Side>): void {
    if (!met.value || !conflict.value) return
    const { saved, theirs } = met.value
    const built = conflict.value.build(choices)
    met.value = null
    options.apply(built, saved, theirs)
  }

  /**
   * Runs `write`, and again on top of a change of somebody else that goes together with the page. Returns null if
   * something has to be chosen first. Throws every other error of `write`.
   */
  async function save<Result>(write: () => Promise<Result>): Promise<Result | null> {
    if (met.value) return null
    for (let tries = 0; ; tries++)
      try {
        return await write()
      } catch (thrown) {
        if (asCallError(thrown).code !== 'version_conflict' || tries === 3) throw thrown
        if (!(await meet())) return null
      }
  }

  function reset(): void {
    met.value = null
    merged.value = null
  }

  return { conflict, merged, save, meet, choose, reset }
}
