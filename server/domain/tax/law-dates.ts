/**
 * Dates from which legal duties apply, as dated rows with their publication and status. A change of law changes only
 * these rows: help, first steps and the list of deadlines read them. Pure.
 */
import type { BusinessDate } from '../dates.ts'

export const LAW_DATE_CODES = [
  'verifactu_companies',
  'verifactu_others',
  'einvoice_large',
  'einvoice_others',
  'einvoice_statuses_persons',
] as const
type LawDateCode = (typeof LAW_DATE_CODES)[number]

export interface LawDate {
  code: LawDateCode
  /** First day of the duty; for an announced one a month is enough (`2028-10`). */
  date: BusinessDate | `${number}-${number}`
  /** `announced`: stated by the government or the agency without publication in the gazette. Not binding. */
  state: 'in_force' | 'announced'
  /** Day of publication or announcement. */
  since: BusinessDate
  source: string
  /** Number in the official gazette; null if there is none. */
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

/** Returns the date in force of a duty: the one published last. */
export function dateInForce(code: LawDateCode, dates: readonly LawDate[] = LAW_DATES): LawDate {
  const [latest] = dates
    .filter((each) => each.code === code && each.state === 'in_force')
    .sort((a, b) => (a.since < b.since ? 1 : -1))
  if (!latest) throw new Error(`No date of ${code} is in force.`)
  return latest
}

/** Returns the date announced for a duty after the date in force was published; null if there is none. */
export function announcedDate(code: LawDateCode, dates: readonly LawDate[] = LAW_DATES): LawDate | null {
  const { since } = dateInForce(code, dates)
  const [latest] = dates
    .filter((each) => each.code === code && each.state === 'announced' && each.since > since)
    .sort((a, b) => (a.since < b.since ? 1 : -1))
  return latest ?? null
}

/**
 * Returns the code of the duty to use VERI*FACTU (RD 1007/2023 art. 3) for a kind of taxpayer: companies pay
 * corporation tax (3.1.a), the others do not.
 */
export function verifactuCode(kind: 'natural' | 'legal'): LawDateCode {
  return kind === 'legal' ? 'verifactu_companies' : 'verifactu_others'
}

/** Returns a sentence on an announced date that is not law; empty if there is none. */
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

/** Formats a date of law in words: `1 de enero de 2027`, `octubre de 2028`. */
export function lawDateMessage(date: LawDate['date'], language: 'es' | 'en'): string {
  const hasDay = date.length === 10
  return new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
    ...(hasDay ? { day: 'numeric' as const } : {}),
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(hasDay ? `${date}T00:00:00Z` : `${date}-01T00:00:00Z`))
}
