/** The duty to use VERI*FACTU among the deadlines, while its day is ahead. Pure. */
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
  /** Number in the gazette of the norm in force. */
  gazette: string
  /** What was announced and is not law; empty when nothing is. */
  announced: string
}

/** Null from the last of its days on. */
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
