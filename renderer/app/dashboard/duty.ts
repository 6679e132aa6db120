/** Deadline of the legal obligation to use VERI*FACTU, until its date. Pure. */
import {
  announcementMessage,
  dateInForce,
  LAW_DATES,
  lawDateMessage,
} from '../../../server/domain/tax/law-dates.ts'
import type { LawDate } from '../../../server/domain/tax/law-dates.ts'

interface Duty {
  companies: string
  others: string
  /** Number of the current regulation in the official gazette. */
  gazette: string
  /** Announcement that is not law yet; empty if there is none. */
  announced: string
}

/** Returns the deadline; null from its last date on. */
export function dutyAhead(
  today: string,
  language: 'es' | 'en',
  dates: readonly LawDate[] = LAW_DATES,
): Duty | null {
  const [companies, others] = [
    dateInForce('verifactu_companies', dates),
    dateInForce('verifactu_others', dates),
  ]
  if (today >= companies.date && today >= others.date) return null
  return {
    companies: lawDateMessage(companies.date, language),
    others: lawDateMessage(others.date, language),
    gazette: others.gazette ?? '',
    announced: announcementMessage('verifactu_others', language, dates),
  }
}
