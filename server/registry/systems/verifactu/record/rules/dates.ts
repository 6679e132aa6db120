/** Rules for the dates of an invoice: issue and operation. */
import { addYears, isBusinessDate } from '../../../../../domain/dates.ts'
import type { BusinessDate } from '../../../../../domain/dates.ts'
import type { BreakdownLine, RegistryInvoice } from '../fields.ts'
import type { RuleFinding } from './fault.ts'
import { dateFaults } from './text-rules.ts'

/** The first date of invoices that can be registered: the publication of Orden HAC/1177/2024. */
const FIRST_ISSUE_DATE: BusinessDate = '2024-10-28'
const YEARS_BACK = 20
const YEARS_AHEAD = 1

export function issueDateRule({ issueDate }: RegistryInvoice, today: BusinessDate): Iterable<RuleFinding> {
  return issueDateFaults(issueDate, 'issueDate', today, {
    future: "Issue with today's date.",
    tooOld: "Issue with today's date and give the older day as operation date.",
  })
}

/** Checks the issue date of an invoice to be registered or cancelled; `today` is null where it is unknown. */
export function* issueDateFaults(
  issueDate: BusinessDate,
  field: string,
  today: BusinessDate | null,
  fixes: { future: string; tooOld: string },
): Iterable<RuleFinding> {
  yield* dateFaults(issueDate, field, '1105')
  if (!isBusinessDate(issueDate)) return
  if (today !== null && issueDate > today) {
    yield {
      code: 'issue_date_in_future',
      authorityCode: '1112',
      field,
      message: 'The issue date is in the future.',
      fix: fixes.future,
    }
  }
  if (issueDate < FIRST_ISSUE_DATE) {
    yield {
      code: 'issue_date_too_old',
      authorityCode: today !== null && issueDate < addYears(today, -YEARS_BACK) ? '1133' : '1152',
      field,
      message: `The issue date is before ${FIRST_ISSUE_DATE}, the first the registry takes.`,
      fix: fixes.tooOld,
    }
  }
}

export function* operationDateRule(invoice: RegistryInvoice, today: BusinessDate): Iterable<RuleFinding> {
  const { issueDate, operationDate } = invoice
  if (operationDate === null) return
  const field = 'operationDate'
  yield* dateFaults(operationDate, field, '1145')
  if (!isBusinessDate(operationDate)) return
  const fix = 'Correct the operation date.'
  if (operationDate < addYears(today, -YEARS_BACK)) {
    yield {
      code: 'operation_date_too_old',
      authorityCode: '1134',
      field,
      message: `The operation date is more than ${YEARS_BACK} years ago.`,
      fix,
    }
  }
  if (operationDate > addYears(today, YEARS_AHEAD)) {
    yield {
      code: 'operation_date_too_late',
      authorityCode: '1125',
      field,
      message: 'The operation date is more than a year ahead.',
      fix,
    }
  } else if (!invoice.breakdown.every(isTaxPending)) {
    if (operationDate > today) {
      yield {
        code: 'operation_date_in_future',
        authorityCode: '1173',
        field,
        message: 'Only regimes 14 and 15 (tax not yet due) admit an operation date in the future.',
        fix: 'Correct the operation date, or invoice when the operation has taken place.',
      }
    } else if (operationDate > issueDate) {
      yield {
        code: 'operation_after_issue',
        authorityCode: '1146',
        field,
        message: 'Only regimes 14 and 15 (tax not yet due) admit an operation date after the issue date.',
        fix,
      }
    }
  }
}

/**
 * Returns true for VAT or IGIC that falls due after the invoice: public works and successive supplies. Every line
 * must be of this kind.
 */
function isTaxPending({ tax, regimeKey }: BreakdownLine): boolean {
  return (tax === '01' || tax === '03') && (regimeKey === '14' || regimeKey === '15')
}
