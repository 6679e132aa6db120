/** Amounts without VAT, whose reason a list does not say: a guess by the other party, as a question to the person. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { HistoryParty, HistorySource } from '../../../domain/history.ts'
import type { Cents } from '../../../domain/money.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import type { QuestionAnswer } from './codes.ts'
import { areaOf, partyKey } from './document.ts'
import type { Report } from './report.ts'

interface Untaxed {
  party: HistoryParty
  day: BusinessDate
  source: HistorySource
  baseCents: Cents
}

const ISSUED_GUESS = { spain: 'E1', union: 'E5', elsewhere: 'E2' } as const

/** Returns the treatment of an issued amount without VAT. */
export function untaxedIssued(report: Report, { party, day, source, baseCents }: Untaxed): TaxTreatment {
  return report.ask(
    {
      code: 'question_untaxed_issued',
      about: partyKey(party),
      name: party.name,
      guess: ISSUED_GUESS[areaOf(party, day)],
      depends: ['303', '349', '390'],
    },
    source,
    baseCents,
  )
}

const RECEIVED_GUESS = { spain: 'exempt', union: 'eu_services', elsewhere: 'foreign_services' } as const

/** Returns what a received amount without VAT is. */
export function untaxedReceived(
  report: Report,
  { party, day, source, baseCents }: Untaxed,
): QuestionAnswer<'question_untaxed_received'> {
  return report.ask(
    {
      code: 'question_untaxed_received',
      about: partyKey(party),
      name: party.name,
      guess: RECEIVED_GUESS[areaOf(party, day)],
      depends: ['303', '349', '390'],
    },
    source,
    baseCents,
  )
}
