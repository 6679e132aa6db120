/** Learns from a document that was entered: compares what was shown with what was entered. Pure. */
import { daysBetween } from '../../domain/dates.ts'
import type { Proposal } from '../intake/contract.ts'
import type { ReceivedInput } from '../invoices/contract.ts'
import { placeOfValue, placedBy, withShape } from './places.ts'
import {
  commonPrint,
  emptyMemory,
  isSameLabel,
  layoutFor,
  MOST_IBANS,
  MOST_LAYOUTS,
  MOST_MEMORY,
  MOST_TERMS,
  MOST_RATES,
  MOST_RULES,
  PLACED_FIELDS,
  USUAL_FIELDS,
} from './shape.ts'
import type { FieldRule, KnownLayout, PlacedField, SupplierMemory, UsualField } from './shape.ts'
import { digestsOf } from './classify.ts'

/** A document that was entered; `proposal` is what was shown of it, null if it was typed. */
export interface Lesson {
  proposal: Proposal | null
  input: ReceivedInput
  /** Day of the entry. */
  today: string
}

const bare = (text: string): string => text.toUpperCase().replace(/\s+/g, '')

/** Fields of which it is counted how often they were shown and corrected. */
export const COUNTED_FIELDS = [
  ...PLACED_FIELDS,
  'supplierName',
  'paymentMethod',
  'concept',
  'taxLines',
] as const

/** Returns the values by which shown and entered fields are compared. */
export function comparable(
  field: PlacedField | UsualField | 'taxLines',
  of: Proposal | ReceivedInput,
): string | null {
  switch (field) {
    case 'supplierNumber':
      return of.supplierNumber == null ? null : bare(of.supplierNumber)
    case 'taxLines': {
      const sums = of.taxLines.map(({ base, vatRate, tax }) => `${base} ${vatRate ?? ''} ${tax ?? ''}`)
      return sums.toSorted().join('; ')
    }
    case 'withholding':
      return String(of.withholding?.rate ?? 0)
    case 'deductiblePct':
      return deductibleOf(of)
    case 'concept':
    case 'account':
      return bookedAs(field, of)
    case 'termDays':
      return of.dueDate == null || of.issueDate === undefined
        ? null
        : String(daysBetween(of.issueDate, of.dueDate))
    case 'currency':
      return of.currency ?? 'EUR'
    case 'kind':
      return of.kind ?? 'invoice'
    default: {
      const value = of[field]
      return value == null ? null : String(value).trim()
    }
  }
}

/** Returns the one deductible part of all lines; null if they differ, or if all of it is, which needs no memory. */
function deductibleOf({ taxLines }: Pick<Proposal, 'taxLines'>): string | null {
  const parts = new Set(taxLines.map(({ deductiblePct }) => deductiblePct))
  const [only] = parts
  return parts.size === 1 && only !== undefined && only < 100 ? String(only) : null
}

/** Returns the concept or account of the document, or the one of all its lines. */
function bookedAs(field: 'concept' | 'account', of: Proposal | ReceivedInput): string | null {
  const whole = of[field]
  if (whole != null) return whole
  const ofLines = new Set(of.taxLines.map((each) => each[field]))
  const [only] = ofLines
  return ofLines.size === 1 && only !== undefined ? only : null
}

function counted(memory: SupplierMemory, { proposal, input }: Lesson): void {
  if (!proposal) return
  for (const field of COUNTED_FIELDS) {
    const shown = comparable(field, proposal)
    if (shown === null || shown === '') continue
    const counts = (memory.fields[field] ??= { shown: 0, sure: 0, corrected: 0, sureCorrected: 0 })
    const isSure = ['proven', 'known'].includes(proposal.levels[field] ?? '')
    const isCorrected = shown !== comparable(field, input)
    counts.shown += 1
    if (isSure) counts.sure += 1
    if (isCorrected) counts.corrected += 1
    if (isSure && isCorrected) counts.sureCorrected += 1
  }
}

/** Returns the layout of a document, which becomes the newest; a new one if it is of none that is known. */
function layoutOf(memory: SupplierMemory, print: readonly string[]): KnownLayout {
  const known = layoutFor(memory, print)
  const layout = known
    ? { ...known, print: commonPrint(known.print, print), documents: known.documents + 1 }
    : { print: [...print], documents: 1, rules: [] }
  memory.layouts = [layout, ...memory.layouts.filter((each) => each !== known)].slice(0, MOST_LAYOUTS)
  return layout
}

/** Returns where the entered value of a field stands on the paper; null if it is not on it. */
export function placeOfInput(
  field: PlacedField,
  { layout, evidence }: Proposal,
  input: ReceivedInput,
): ReturnType<typeof placeOfValue> {
  const labels = (evidence[field] ?? []).flatMap(({ args }) => args['label'] ?? [])
  const entered = input[field]
  return entered == null ? null : placeOfValue(field, entered, layout?.labelled ?? [], labels)
}

/** Learns where a field stands, by the place of the entered value. A correction puts the label back that was shown. */
function learnPlace(rules: FieldRule[], field: PlacedField, { proposal, input }: Lesson): FieldRule[] {
  const { labelled } = proposal!.layout!
  const entered = input[field] ?? null
  const isCorrected = comparable(field, proposal!) !== comparable(field, input)
  const at = placeOfInput(field, proposal!, input)
  const others = rules.filter((rule) => rule.field !== field)
  const own = rules
    .filter((rule) => rule.field === field)
    .map((rule): FieldRule => {
      const isRight = at !== null && isSameLabel(rule.label, at.label)
      if (isRight) return rule
      // A label that holds another value than the entered one was wrong this time.
      const isWrong = placedBy(rule, labelled).some(({ value }) => value !== entered)
      return isCorrected || isWrong ? { ...rule, streak: 0, misses: rule.misses + 1 } : rule
    })
  if (at === null || entered === null) return [...own, ...others]
  const known = own.find((rule) => isSameLabel(rule.label, at.label))
  const rule: FieldRule = {
    field,
    label: known?.label ?? at.label,
    shapes: withShape(known?.shapes ?? [], field, entered, at.text),
    streak: isCorrected ? 0 : (known?.streak ?? 0) + 1,
    hits: (known?.hits ?? 0) + 1,
    misses: (known?.misses ?? 0) + (isCorrected && known ? 1 : 0),
  }
  return [rule, ...own.filter((each) => each !== known), ...others].slice(0, MOST_RULES)
}

function learnUsual(memory: SupplierMemory, input: ReceivedInput): void {
  const { usual } = memory
  const learn = (field: UsualField, value: string | null): void => {
    const before = usual[field]
    if (value === null) {
      // What was left empty this time is no longer usual.
      if (before) usual[field] = { ...before, streak: 0 }
      return
    }
    usual[field] = { value, streak: before?.value === value ? before.streak + 1 : 1 }
  }
  for (const field of USUAL_FIELDS) learn(field, comparable(field, input))
  const rates = input.taxLines.flatMap(({ vatRate }) => (vatRate == null ? [] : [vatRate]))
  memory.rates = [...new Set([...rates, ...memory.rates])].slice(0, MOST_RATES)
}

function learnIban(memory: SupplierMemory, iban: string, today: string): void {
  const known = memory.ibans.find((each) => each.iban === iban)
  memory.ibans = [
    { iban, documents: (known?.documents ?? 0) + 1, lastOn: today },
    ...memory.ibans.filter((each) => each !== known),
  ].slice(0, MOST_IBANS)
}

function learnTerms(memory: SupplierMemory, words: readonly string[]): void {
  for (const digest of digestsOf(words)) memory.words[digest] = (memory.words[digest] ?? 0) + 1
  const most = Object.entries(memory.words).toSorted(([, a], [, b]) => b - a)
  memory.words = Object.fromEntries(most.slice(0, MOST_TERMS))
}

const sizeOf = (memory: SupplierMemory): number => JSON.stringify(memory).length

/** Returns the memory of a supplier after one more document; `before` is null for the first. */
export function learned(before: SupplierMemory | null, lesson: Lesson): SupplierMemory {
  const memory = before === null ? emptyMemory() : structuredClone(before)
  const { proposal, input, today } = lesson
  counted(memory, lesson)
  learnUsual(memory, input)
  if (proposal?.layout) {
    const layout = layoutOf(memory, proposal.layout.print)
    for (const field of PLACED_FIELDS) layout.rules = learnPlace(layout.rules, field, lesson)
    learnTerms(memory, proposal.layout.words)
  }
  if (proposal?.iban !== undefined) learnIban(memory, proposal.iban, today)
  while (sizeOf(memory) > MOST_MEMORY && memory.layouts.length > 0) memory.layouts.pop()
  return memory
}
