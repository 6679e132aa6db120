/** Checks records before they are made, in the words of an invoice. */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import type { NewCancellation, NewRegistration } from '../../../facts.ts'
import { outsideField } from '../../field-names.ts'
import { checkCancellation, checkRecord } from './rules/index.ts'

/**
 * Acceptances with errors that can be predicted; the other warnings of the rules are reported earlier, as rules of
 * the trade.
 */
const FORESEEN = ['2001', '2009']

/** The reference is ours and always fits: any one does for the check. */
const REFERENCE = 'rec-1'

/** Checks a registration, and reports what would be accepted with errors. `today` is the date in Spain. */
export function checkRegistration(invoice: NewRegistration, today: BusinessDate): Fault[] {
  return checkRecord({ ...invoice, recordId: REFERENCE }, today)
    .filter((fault) => fault.severity === 'error' || FORESEEN.includes(fault.authorityCode))
    .map((fault) => ({ ...fault, field: outsideField(fault.field) }))
}

/** Checks a cancellation. `today` is the date in Spain. */
export function checkCancellationRecord(cancellation: NewCancellation, today: BusinessDate): Fault[] {
  return checkCancellation({ ...cancellation, recordId: REFERENCE }, today).filter(
    (fault) => fault.severity === 'error',
  )
}
