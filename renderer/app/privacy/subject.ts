/** Data subject of a page, as its address states it: only the value they were searched by. */
import type { LocationQuery, RouteLocationRaw } from 'vue-router'
import type { InputOf } from '../../../server/api/contracts.ts'

export type Subject = InputOf<'privacy.preview'>['subject']

const FIELDS = ['contactId', 'nif', 'email', 'name'] as const

/** Returns the address of a person's page. */
export function personAt(subject: Subject): RouteLocationRaw {
  return {
    name: 'privacy-person',
    query: Object.fromEntries(Object.entries(subject).filter(([, value]) => value)),
  }
}

/** Returns the person of an address; null if it names nobody. */
export function subjectOf(query: LocationQuery): Subject | null {
  const subject: Subject = {}
  for (const field of FIELDS) {
    const value = query[field]
    if (typeof value === 'string' && value.trim()) subject[field] = value
  }
  return Object.keys(subject).length > 0 ? subject : null
}

/** Returns whether the typed name is the requested one: case, accents and spaces do not matter. */
export function isSameName(typed: string, name: string): boolean {
  const folded = (text: string) =>
    text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
  return folded(typed) === folded(name)
}
