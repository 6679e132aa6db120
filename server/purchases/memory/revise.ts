/**
 * Takes back what an entry taught when it is corrected, voided or restored. None of these makes a value surer than it was:
 * the order of the documents is not stored, so that a streak can only fall. Pure.
 */
import type { Proposal } from '../intake/contract.ts'
import type { ReceivedInput } from '../invoices/contract.ts'
import { digestsOf } from './classify.ts'
import { comparable, COUNTED_FIELDS, learned, placeOfInput } from './learn.ts'
import type { Lesson } from './learn.ts'
import { withShape } from './places.ts'
import { isSameLabel, layoutFor, MOST_RULES, PLACED_FIELDS, SURE_AFTER, USUAL_FIELDS } from './shape.ts'
import type { FieldRule, PlacedField, SupplierMemory } from './shape.ts'

/** An entry that taught and is changed; `proposal` is what was shown of its document. */
interface Correction {
  proposal: Proposal | null
  before: ReceivedInput
  after: ReceivedInput
}

/** Counts a value that was entered as shown and is corrected now, or the reverse. */
function recount(memory: SupplierMemory, { proposal, before, after }: Correction): void {
  if (!proposal) return
  for (const field of COUNTED_FIELDS) {
    const counts = memory.fields[field]
    const shown = comparable(field, proposal)
    if (!counts || shown === null || shown === '') continue
    const [was, is] = [before, after].map((input) => Number(shown !== comparable(field, input)))
    const change = is! - was!
    counts.corrected = Math.max(0, counts.corrected + change)
    if (['proven', 'known'].includes(proposal.levels[field] ?? ''))
      counts.sureCorrected = Math.max(0, counts.sureCorrected + change)
  }
}

/** Replaces a usual value that only this entry had. One that others have too is proposed, and no longer known. */
function correctUsual({ usual }: SupplierMemory, { before, after }: Correction): void {
  for (const field of USUAL_FIELDS) {
    const known = usual[field]
    const [old, value] = [comparable(field, before), comparable(field, after)]
    if (!known || old === value || known.value !== old) continue
    if (known.streak > 1) usual[field] = { ...known, streak: 1 }
    else usual[field] = value === null ? { ...known, streak: 0 } : { value, streak: 1 }
  }
}

/** Makes the label of the corrected value uncertain, and learns that of the right one as of a first document. */
function correctPlace(
  rules: readonly FieldRule[],
  field: PlacedField,
  { proposal, before, after }: Correction,
): FieldRule[] {
  if (comparable(field, before) === comparable(field, after)) return [...rules]
  const from = placeOfInput(field, proposal!, before)
  const to = placeOfInput(field, proposal!, after)
  const wrongShapes =
    from === null || before[field] == null ? [] : withShape([], field, before[field], from.text)
  const revised = rules.flatMap((rule): FieldRule[] => {
    if (rule.field !== field || from === null || !isSameLabel(rule.label, from.label)) return [rule]
    const hits = rule.hits - 1
    // No other document had its value there.
    if (hits <= 0) return []
    const shapes = rule.shapes.filter((shape) => !wrongShapes.includes(shape))
    return [
      { ...rule, shapes: shapes.length > 0 ? shapes : rule.shapes, streak: 0, hits, misses: rule.misses + 1 },
    ]
  })
  if (to === null || after[field] == null) return revised
  const known = revised.find((rule) => rule.field === field && isSameLabel(rule.label, to.label))
  const rule: FieldRule = {
    field,
    label: known?.label ?? to.label,
    shapes: withShape(known?.shapes ?? [], field, after[field], to.text),
    streak: 0,
    hits: (known?.hits ?? 0) + 1,
    misses: known?.misses ?? 0,
  }
  return [rule, ...revised.filter((each) => each !== known)].slice(0, MOST_RULES)
}

/** Returns the memory after an entry that taught it was corrected. */
export function corrected(memory: SupplierMemory, correction: Correction): SupplierMemory {
  const revised = structuredClone(memory)
  recount(revised, correction)
  correctUsual(revised, correction)
  const print = correction.proposal?.layout?.print
  const layout = print ? layoutFor(revised, print) : null
  if (layout) for (const field of PLACED_FIELDS) layout.rules = correctPlace(layout.rules, field, correction)
  return revised
}

const less = (streak: number): number => Math.max(0, streak - 1)

/**
 * Returns the memory without what a void entry confirmed. Counts of what was shown and corrected stay: they are about
 * the reader.
 */
export function withdrawn(
  memory: SupplierMemory,
  { proposal, input }: Pick<Lesson, 'proposal' | 'input'>,
): SupplierMemory {
  const revised = structuredClone(memory)
  const { usual, words } = revised
  for (const field of USUAL_FIELDS) {
    const known = usual[field]
    if (!known || known.value !== comparable(field, input)) continue
    if (known.streak > 1) usual[field] = { ...known, streak: known.streak - 1 }
    else delete usual[field]
  }
  if (proposal?.iban !== undefined)
    revised.ibans = revised.ibans
      .map((each) => (each.iban === proposal.iban ? { ...each, documents: each.documents - 1 } : each))
      .filter(({ documents }) => documents > 0)
  const layout = proposal?.layout ? layoutFor(revised, proposal.layout.print) : null
  if (!proposal?.layout || !layout) return revised
  layout.documents -= 1
  for (const field of PLACED_FIELDS) {
    const at = placeOfInput(field, proposal, input)
    if (at === null) continue
    // A correction confirmed nothing.
    const isConfirmed = comparable(field, proposal) === comparable(field, input)
    layout.rules = layout.rules
      .map((rule) =>
        rule.field === field && isSameLabel(rule.label, at.label)
          ? { ...rule, streak: isConfirmed ? less(rule.streak) : rule.streak, hits: rule.hits - 1 }
          : rule,
      )
      .filter(({ hits }) => hits > 0)
  }
  for (const digest of digestsOf(proposal.layout.words)) {
    const left = (words[digest] ?? 0) - 1
    if (left > 0) words[digest] = left
    else delete words[digest]
  }
  if (layout.documents <= 0) revised.layouts = revised.layouts.filter((each) => each !== layout)
  return revised
}

/** Returns a streak after one more document of which it is not known when it came: no higher than before, unless it is one. */
const steady = (streak: number, was: number): number => Math.max(was, Math.min(streak, SURE_AFTER - 1))

/** Returns the memory after a void entry was restored: it teaches again, and makes nothing known by that. */
export function taughtAgain(before: SupplierMemory | null, lesson: Lesson): SupplierMemory {
  const memory = learned(before, lesson)
  if (before === null) return memory
  for (const field of USUAL_FIELDS) {
    const [now, was] = [memory.usual[field], before.usual[field]]
    if (now && was)
      // What is usual since then stays so.
      memory.usual[field] = now.value === was.value ? { ...was, streak: steady(now.streak, was.streak) } : was
  }
  const print = lesson.proposal?.layout?.print
  const old = print ? (layoutFor(before, print)?.rules ?? []) : []
  for (const rule of (print && layoutFor(memory, print)?.rules) || []) {
    const was = old.find((each) => each.field === rule.field && isSameLabel(each.label, rule.label))
    rule.streak = steady(rule.streak, was?.streak ?? 0)
  }
  // It was shown once.
  memory.fields = before.fields
  return memory
}
