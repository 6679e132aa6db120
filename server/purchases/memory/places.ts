/** Finds the numbers and dates of a document at the labels at which a supplier has them. Pure. */
import type { Proposal } from '../intake/contract.ts'
import { commonShape, dateStyleOf, fitted, isSameLabel, MOST_SHAPES, shapeOf } from './shape.ts'
import type { FieldRule, PlacedField } from './shape.ts'

type Labelled = NonNullable<Proposal['layout']>['labelled'][number]

const kindOf = (field: PlacedField): Labelled['kind'] => (field === 'supplierNumber' ? 'number' : 'date')

/** A value of the document at the label of a rule. */
export interface Placed {
  value: string
  at: Labelled
  /** True if the paper says it without doubt: exact text, or two readings that the shape makes alike. */
  isCertain: boolean
}

function placedAt(rule: FieldRule, at: Labelled): Placed | null {
  if (at.kind !== kindOf(rule.field) || !isSameLabel(at.label, rule.label)) return null
  if (at.kind === 'date')
    return rule.shapes.includes(dateStyleOf(at.text))
      ? { value: at.value, at, isCertain: at.other === null && !at.isWeak }
      : null
  for (const shape of rule.shapes) {
    const exact = fitted(at.value, shape, { repair: false })
    const isPicture = at.isWeak || at.other !== null
    const value = exact ?? (isPicture ? fitted(at.value, shape, { repair: true }) : null)
    if (value === null) continue
    const second = at.other === null ? value : fitted(at.other, shape, { repair: true })
    return { value: exact === null ? value : at.value, at, isCertain: !at.isWeak && second === value }
  }
  return null
}

/** Returns the values at the label of a rule that have its shape, each once. */
export function placedBy(rule: FieldRule, labelled: readonly Labelled[]): Placed[] {
  const found: Placed[] = []
  for (const at of labelled) {
    const placed = placedAt(rule, at)
    if (placed && !found.some(({ value }) => value === placed.value)) found.push(placed)
  }
  return found
}

const bare = (text: string): string => text.toUpperCase().replace(/\s+/g, '')

/** Returns where a value stands; at the label that the reader took it from if it stands at several. */
export function placeOfValue(
  field: PlacedField,
  value: string,
  labelled: readonly Labelled[],
  labels: readonly string[],
): Labelled | null {
  const same = labelled.filter(
    (at) => at.kind === kindOf(field) && (at.kind === 'date' ? at.value === value : isNumber(at, value)),
  )
  return same.find(({ label }) => labels.some((each) => isSameLabel(each, label))) ?? same[0] ?? null
}

/** True if a printed number is the entered one, also if OCR took letters of it for digits or the reverse. */
function isNumber({ value: printed, other, isWeak }: Labelled, value: string): boolean {
  if (bare(printed) === bare(value)) return true
  if (!isWeak && other === null) return false
  return fitted(printed, shapeOf(value), { repair: true }) === bare(value)
}

/** Returns the shapes with that of one more value. */
export function withShape(
  shapes: readonly string[],
  field: PlacedField,
  value: string,
  text: string,
): string[] {
  if (kindOf(field) === 'date') return [...new Set([dateStyleOf(text), ...shapes])].slice(0, MOST_SHAPES)
  const shape = shapeOf(value)
  const kept = [...shapes]
  for (const [index, each] of kept.entries()) {
    const common = commonShape(each, shape)
    if (common === null) continue
    kept[index] = common
    return kept
  }
  return [shape, ...kept].slice(0, MOST_SHAPES)
}
