/**
 * Days from which the law obliges, as dated rows with where they were published and whether they are law. A change of law
 * is a change of these rows: help, first steps and the list of what is due read them. Pure.
 */
import type { BusinessDate } from '../dates.ts'

export const LAW_DATE_CODES = [
  'verifactu_companies',
  'verifactu_others',
  'einvoice_large',
  'einvoice_others',
  'einvoice_statuses_persons',
] as const
export type LawDateCode = (typeof LAW_DATE_CODES)[number]

export interface LawDate {
  code: LawDateCode
  /** First day of the duty; of what is only announced, a month is enough (`2028-10`). */
  date: BusinessDate | `${number}-${number}`
  /** `announced`: said by the government or the agency, without a norm in the gazette. It binds nobody. */
  state: 'in_force' | 'announced'
  /** Day it was published, or announced. */
  since: BusinessDate
  source: string
  /** Number in the official gazette; null where there is none. */
  gazette: string | null
}

export const LAW_DATES: readonly LawDate[] = [
  {
    code: 'verifactu_companies',
    date: '2027-01-01',
    state: 'in_force',
    since: '2025-12-03',
    source: 'RD 1007/2023, disp. final 4.ª; RDL 15/2025, disp. final 1.ª',
    gazette: 'BOE-A-2025-24446',
  },
  {
    code: 'verifactu_others',
    date: '2027-07-01',
    state: 'in_force',
    since: '2025-12-03',
    source: 'RD 1007/2023, disp. final 4.ª; RDL 15/2025, disp. final 1.ª',
    gazette: 'BOE-A-2025-24446',
  },
  {
    code: 'verifactu_companies',
    date: '2028-10',
    state: 'announced',
    since: '2026-10-05',
    source: 'Nota de prensa del Ministerio de Hacienda',
    gazette: null,
  },
  {
    code: 'verifactu_others',
    date: '2028-10',
    state: 'announced',
    since: '2026-10-05',
    source: 'Nota de prensa del Ministerio de Hacienda',
    gazette: null,
  },
  {
    code: 'einvoice_large',
    date: '2027-10-06',
    state: 'in_force',
    since: '2026-10-06',
    source: 'RD 238/2026, disp. final 4.ª; Orden HAC/1028/2026',
    gazette: 'BOE-A-2026-20587',
  },
  {
    code: 'einvoice_others',
    date: '2028-10-06',
    state: 'in_force',
    since: '2026-10-06',
    source: 'RD 238/2026, disp. final 4.ª; Orden HAC/1028/2026',
    gazette: 'BOE-A-2026-20587',
  },
  {
    code: 'einvoice_statuses_persons',
    date: '2029-10-06',
    state: 'in_force',
    since: '2026-10-06',
    source: 'RD 238/2026, disp. final 4.ª; Orden HAC/1028/2026',
    gazette: 'BOE-A-2026-20587',
  },
]

/** The date in force of a duty: the one published last. */
export function dateInForce(code: LawDateCode, dates: readonly LawDate[] = LAW_DATES): LawDate {
  const [latest] = dates
    .filter((each) => each.code === code && each.state === 'in_force')
    .sort((a, b) => (a.since < b.since ? 1 : -1))
  if (!latest) throw new Error(`No date of ${code} is in force.`)
  return latest
}

/** What was announced of a duty after the date in force was published; null when nothing was. */
export function announcedDate(code: LawDateCode, dates: readonly LawDate[] = LAW_DATES): LawDate | null {
  const { since } = dateInForce(code, dates)
  const [latest] = dates
    .filter((each) => each.code === code && each.state === 'announced' && each.since > since)
    .sort((a, b) => (a.since < b.since ? 1 : -1))
  return latest ?? null
}

/** The duty to use VERI*FACTU (RD 1007/2023 art. 3): companies pay corporation tax (3.1.a), the others do not. */
export function verifactuCode(kind: 'natural' | 'legal'): LawDateCode {
  return kind === 'legal' ? 'verifactu_companies' : 'verifactu_others'
}

/** A sentence about what was announced and is not law; empty when nothing is. */
export function announcementMessage(
  code: LawDateCode,
  language: 'es' | 'en',
  dates: readonly LawDate[] = LAW_DATES,
): string {
  const announced = announcedDate(code, dates)
  if (!announced) return ''
  const [said, date] = [lawDateMessage(announced.since, language), lawDateMessage(announced.date, language)]
  return language === 'es'
    ? `El ${said} se anunció un retraso a ${date}; mientras no se publique en el BOE, no cambia nada.`
    : `On ${said} a delay to ${date} was announced; until it is published in the gazette, nothing changes.`
}

/** A date of law in words: `1 de enero de 2027`, `octubre de 2028`. */
export function lawDateMessage(date: LawDate['date'], language: 'es' | 'en'): string {
  const hasDay = date.length === 10
  return new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
    ...(hasDay ? { day: 'numeric' as const } : {}),
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(hasDay ? `${date}T00:00:00Z` : `${date}-01T00:00:00Z`))
}
