/**
 * Saving a form that somebody else has saved meanwhile: what they changed is merged with the page, and what both changed
 * is asked. For editors with a save button; drafts of invoices save by themselves.
 */
import { computed, ref, shallowRef } from 'vue'
import type { Ref, ShallowRef } from 'vue'
import { asCallError } from '../../call.ts'
import type { LastChange } from './changes.ts'
import type { Difference, Merge, Side } from './three-way.ts'

/** What somebody else changed, and was merged with the page by itself. */
export interface MergedChanges {
  differences: readonly Difference[]
  change: LastChange | null
}

/** A form that several people may have open: what `ChangesOfOthers` shows and does. */
export interface SharedForm<Form extends object> {
  /** The two changes, until somebody has chosen; null without a conflict. */
  conflict: Readonly<Ref<Merge<Form> | null>>
  merged: Readonly<ShallowRef<MergedChanges | null>>
  /** Forgets `merged`: it was read. */
  closeMerged(): void
  /** Who changed the record last, elsewhere. */
  change: Readonly<ShallowRef<LastChange | null>>
  /** Who goes on with the record while this page waits. */
  pausedBy: Readonly<Ref<string | null>>
  /** Goes on with what was chosen. */
  choose(choices: ReadonlyMap<string, Side>): void | Promise<void>
  /** Saves what is here, and then leaves the record to somebody else until `resume`. */
  pauseFor(by: string): Promise<void>
  resume(): Promise<void>
}

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
  /** Saves what is typed, if anything is, before somebody else goes on. */
  saveTyped: () => Promise<unknown>
  /** Shows why the record could not be read when the work on it goes on. */
  failed: (thrown: unknown) => void
}

export function useMerge<Form extends object, Saved extends { version: number }>(
  options: MergeOptions<Form, Saved>,
) {
  const met = shallowRef<{ saved: Saved; theirs: Form; before: Form } | null>(null)
  const merged = shallowRef<MergedChanges | null>(null)
  const pausedBy = ref<string | null>(null)
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

  /** The page is then on top of what the server holds; it is saved by whoever asked. */
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

  async function pauseFor(by: string): Promise<void> {
    await options.saveTyped()
    pausedBy.value = by
  }
  async function resume(): Promise<void> {
    pausedBy.value = null
    await meet().catch(options.failed)
  }

  function reset(): void {
    met.value = null
    merged.value = null
  }
  /** Forgets all that concerned the record that was open. */
  function begin(): void {
    reset()
    pausedBy.value = null
  }

  const shared: SharedForm<Form> = {
    conflict,
    merged,
    closeMerged: () => (merged.value = null),
    change: options.change,
    pausedBy,
    choose,
    pauseFor,
    resume,
  }
  return { shared, pausedBy, save, meet, reset, begin }
}
