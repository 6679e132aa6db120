/** Whose data a page is about, as it stands in its address: nothing of the person but what they were found by. */
import type { LocationQuery, RouteLocationRaw } from 'vue-router'
import type { InputOf } from '../../../server/api/contracts.ts'

export type Subject = InputOf<'privacy.preview'>['subject']

const FIELDS = ['contactId', 'nif', 'email', 'name'] as const

/** The address of a person's page. */
export function personAt(subject: Subject): RouteLocationRaw {
  return {
    name: 'privacy-person',
    query: Object.fromEntries(Object.entries(subject).filter(([, value]) => value)),
  }
}

/** The person of an address; null when it names nobody. */
export function subjectOf(query: LocationQuery): Subject | null {
  const subject: Subject = {}
  for (const field of FIELDS) {
    const value = query[field]
    if (typeof value === 'string' && value.trim()) subject[field] = value
  }
  return Object.keys(subject).length > 0 ? subject : null
}

/** Whether the name typed is the one asked for: capitals, accents and blanks do not matter. */
export function isSameName(typed: string, name: string): boolean {
  const folded = (text: string) =>
    text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
  return folded(typed) === folded(name)
}
