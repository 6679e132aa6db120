/** What a form says beside a field that was read: how sure it is, why, and what else it may be. Pure. */
import type { Proposal, ReceivedForm } from '../form.ts'
import { reasonsOf } from './reasons.ts'
import type { Reason } from './reasons.ts'

type NoteTone = 'doubt' | 'sure' | 'checked'

export interface FieldNote {
  tone: NoteTone
  /** Key of its words below `fieldRead.level`. */
  word: 'read' | 'guess' | 'missing' | 'unproven' | 'known' | 'proven' | 'checked'
  reasons: readonly Reason[]
  alternatives: readonly (string | number)[]
}

/** Fields of the form that hold a field of the reading. */
const HELD: Readonly<Record<string, readonly (keyof ReceivedForm)[]>> = {
  supplierName: ['supplierName'],
  supplierNif: ['nif'],
  supplierCountry: ['country'],
  supplierNumber: ['supplierNumber'],
  issueDate: ['issueDate'],
  dueDate: ['dueDate'],
  kind: ['kind'],
  taxLines: ['lines'],
  total: ['lines'],
  withholding: ['withholding'],
  paymentMethod: ['paymentMethod'],
  currency: ['currency', 'fxRate'],
  concept: ['concept'],
}

/** Returns the values of the form that a field of the reading fills, as one comparable text. */
export function heldBy(form: ReceivedForm, field: string): string {
  const names = HELD[field] ?? []
  return JSON.stringify(names.map((name) => form[name]))
}

/** Returns the values of all fields as they were filled, to see which a person has changed. */
export function heldAll(form: ReceivedForm): Record<string, string> {
  return Object.fromEntries(Object.keys(HELD).map((field) => [field, heldBy(form, field)]))
}

const DOUBTFUL: readonly string[] = ['read', 'guess']

/** Fields whose alternatives can be chosen: the form holds them as one value. */
const CHOOSABLE: readonly string[] = ['supplierName', 'supplierNif', 'supplierNumber', 'issueDate', 'dueDate']

interface NoteContext {
  proposal: Proposal
  /** Fields to look at, as the server or the form says. */
  doubts: readonly string[]
  /** Fields that a person has accepted. */
  accepted: ReadonlySet<string>
  /** True if a person has changed the value since it was filled. */
  isChanged: boolean
  /** The value that the form holds now, which is no alternative. */
  value: string
}

/** Returns the note of a field; null if nothing has to be said of it. */
export function noteOf(field: string, context: NoteContext): FieldNote | null {
  const { proposal, doubts, accepted, isChanged, value } = context
  const level = proposal.levels[field]
  const inDoubt = doubts.includes(field)
  const others = [...(proposal.alternatives[field] ?? [])]
  const read = Reflect.get(proposal, field) as unknown
  // The first value is an alternative as well once another one was taken.
  if (isChanged && (typeof read === 'string' || typeof read === 'number')) others.unshift(read)
  const alternatives = CHOOSABLE.includes(field)
    ? [...new Set(others)].filter((each) => String(each) !== value).slice(0, 9)
    : []
  const note = (tone: NoteTone, word: FieldNote['word']): FieldNote => ({
    tone,
    word,
    reasons: isChanged ? [] : reasonsOf(proposal, field),
    alternatives,
  })
  if (accepted.has(field)) return note('checked', 'checked')
  // What a person typed needs no mark, only the way back.
  if (isChanged) return alternatives.length > 0 ? note('checked', 'checked') : null
  if (level === undefined) return inDoubt ? note('doubt', 'missing') : null
  if (DOUBTFUL.includes(level)) return note('doubt', level === 'guess' ? 'guess' : 'read')
  if (inDoubt) return note('doubt', level === 'missing' ? 'missing' : 'unproven')
  if (level === 'known') return note('sure', 'known')
  return level === 'proven' ? note('sure', 'proven') : null
}
