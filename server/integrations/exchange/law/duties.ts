/**
 * The duties of the mandatory electronic invoice between businesses, as dated rows. Grades of a row: `official` the text
 * was read; `read` several independent readings of the official text; `inferred` no text says it in so many words.
 */
import type { BusinessDate } from '../../../domain/dates.ts'

export type PersonKind = 'natural' | 'attribution' | 'company'
export type TurnoverClass = 'above' | 'up_to'

/** Turnover of the previous calendar year above which a business is bound first. Source: RD 238/2026 DF4.1.a, art. 121 LIVA. */
export const TURNOVER_LIMIT_CENTS = 8_000_000_00

export const DUTY_IDS = [
  'decree_in_force',
  'order_in_force',
  'platform_usable',
  'large_issue',
  'large_statuses',
  'large_pdf',
  'receive_from_large',
  'all_issue',
  'company_statuses',
  'subcontractors',
  'person_statuses',
] as const
type DutyId = (typeof DUTY_IDS)[number]

interface Duty {
  id: DutyId
  from: BusinessDate
  /** Last day; null without an end. */
  to: BusinessDate | null
  /** Whom it binds: `law` and `agency` bind no business. */
  who: 'law' | 'agency' | 'above' | 'up_to_company' | 'up_to_person' | 'everybody' | 'subcontractor'
  what: 'information' | 'issue' | 'receive' | 'statuses' | 'readable_copy'
  source: string
  grade: 'official' | 'read' | 'inferred'
}

export const DUTIES: readonly Duty[] = [
  {
    id: 'decree_in_force',
    from: '2026-04-20',
    to: null,
    who: 'law',
    what: 'information',
    source: 'RD 238/2026 DF4.1',
    grade: 'official',
  },
  {
    id: 'order_in_force',
    from: '2026-10-06',
    to: null,
    who: 'law',
    what: 'information',
    source: 'Orden HAC/1028/2026',
    grade: 'read',
  },
  {
    id: 'platform_usable',
    from: '2027-08-06',
    to: null,
    who: 'agency',
    what: 'information',
    source: 'RD 238/2026 DA5',
    grade: 'official',
  },
  {
    id: 'large_issue',
    from: '2027-10-06',
    to: null,
    who: 'above',
    what: 'issue',
    source: 'RD 238/2026 DF4.1.a',
    grade: 'read',
  },
  {
    id: 'large_statuses',
    from: '2027-10-06',
    to: null,
    who: 'above',
    what: 'statuses',
    source: 'RD 238/2026 DF4.1.a, art. 12',
    grade: 'read',
  },
  {
    id: 'large_pdf',
    from: '2027-10-06',
    to: '2028-10-05',
    who: 'above',
    what: 'readable_copy',
    source: 'RD 238/2026 DT2',
    grade: 'official',
  },
  {
    id: 'receive_from_large',
    from: '2027-10-06',
    to: null,
    who: 'everybody',
    what: 'receive',
    source: 'RD 238/2026 arts. 6.1, DF1, DT2',
    grade: 'inferred',
  },
  {
    id: 'all_issue',
    from: '2028-10-06',
    to: null,
    who: 'everybody',
    what: 'issue',
    source: 'RD 238/2026 DF4.1.b',
    grade: 'read',
  },
  {
    id: 'company_statuses',
    from: '2028-10-06',
    to: null,
    who: 'up_to_company',
    what: 'statuses',
    source: 'RD 238/2026 DT3',
    grade: 'official',
  },
  {
    id: 'subcontractors',
    from: '2028-10-06',
    to: null,
    who: 'subcontractor',
    what: 'information',
    source: 'RD 238/2026 DT1',
    grade: 'official',
  },
  {
    id: 'person_statuses',
    from: '2029-10-06',
    to: null,
    who: 'up_to_person',
    what: 'statuses',
    source: 'RD 238/2026 DT3',
    grade: 'read',
  },
]

/** What is known of a business; null where it is not. */
interface Standing {
  /** Class of the turnover of the calendar year before the one of the day. */
  turnover: TurnoverClass | null
  person: PersonKind
}

/** Returns whether a duty concerns a business: true, false, or null where its turnover is not known. */
export function concerns({ who }: Duty, { turnover, person }: Standing): boolean | null {
  const isPerson = person !== 'company'
  switch (who) {
    case 'everybody':
      return true
    case 'above':
      return turnover === null ? null : turnover === 'above'
    case 'up_to_company':
      return isPerson ? false : turnover === null ? null : turnover === 'up_to'
    case 'up_to_person':
      return isPerson ? (turnover === null ? null : turnover === 'up_to') : false
    // Nothing in the books says whether it works as a subcontractor of a public contract.
    case 'subcontractor':
      return null
    case 'law':
    case 'agency':
      return false
  }
}

/** Returns whether a business must do something on a day; null if that depends on an unknown turnover. */
export function mustDo(what: Duty['what'], on: BusinessDate, standing: Standing): boolean | null {
  let isUnknown = false
  for (const duty of DUTIES) {
    if (duty.what !== what || duty.from > on || (duty.to !== null && duty.to < on)) continue
    const verdict = concerns(duty, standing)
    if (verdict) return true
    if (verdict === null) isUnknown = true
  }
  return isUnknown ? null : false
}

/** Returns the first day on which a business must do something; null if that depends on an unknown turnover, or on none. */
export function firstDay(what: Duty['what'], standing: Standing): BusinessDate | null {
  const days = DUTIES.filter((duty) => duty.what === what && concerns(duty, standing) === true).map(
    ({ from }) => from,
  )
  return days.toSorted()[0] ?? null
}

/**
 * Returns the kind of person by the letter of a tax number: entities in income attribution have E (without legal
 * personality), H (owners of a building) or J (civil companies, which may be taxed as companies: a person can say so).
 */
export function personKindOf(nif: string): PersonKind {
  const letter = nif.charAt(0).toUpperCase()
  if (/[\dKLMXYZ]/.test(letter)) return 'natural'
  return 'EHJ'.includes(letter) ? 'attribution' : 'company'
}
