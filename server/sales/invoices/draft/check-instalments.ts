/** Rules of the due dates of an invoice: one, or several instalments. Pure. */
import { daysBetween } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { instalmentFaults } from '../../../domain/tax/instalments.ts'
import type { InstalmentFault } from '../../../domain/tax/instalments.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import { payableOf } from '../content.ts'
import type { DraftContent } from '../content.ts'
import { error, warning } from './faults.ts'

/** Ley 3/2004 art. 4: at most 60 days between businesses. */
const MAX_TERM_DAYS = 60

const TEXTS: Readonly<Record<InstalmentFault['code'], { message: string; fix: string; part?: string }>> = {
  instalments_nothing_due: {
    message: 'Instalments divide what is to be paid, and nothing is.',
    fix: 'Leave them out.',
  },
  instalment_value: {
    message: 'An instalment has a percentage or an amount; only the last one may have neither.',
    fix: 'Give one of the two.',
    part: 'percent',
  },
  instalments_sum: {
    message: 'The instalments do not add up to what is to be paid.',
    fix: 'Change one of them, or leave the last one without a value: it is then the rest.',
  },
  instalment_not_positive: {
    message: 'Nothing is left for that instalment.',
    fix: 'Lower the others, or leave it out.',
    part: 'amount',
  },
  instalments_order: {
    message: 'The due dates of instalments follow each other.',
    fix: 'Use a day after that of the instalment before.',
    part: 'dueDate',
  },
  instalment_before_issue: {
    message: 'The instalment would be due before the invoice is issued.',
    fix: 'Use the issue date or later.',
    part: 'dueDate',
  },
}

function faultOf({ code, index, sumCents, dueCents }: InstalmentFault): Fault {
  const { message, fix, part } = TEXTS[code]
  return error({
    code,
    field: index === null ? 'instalments' : `instalments[${index}].${part ?? 'dueDate'}`,
    message,
    fix,
    ...(sumCents === undefined || dueCents === undefined
      ? {}
      : { params: { sum: eurosFromCents(sumCents), due: eurosFromCents(dueCents) } }),
  })
}

function termWarning(dueDate: BusinessDate, issueDate: BusinessDate, field: string): Fault[] {
  if (daysBetween(issueDate, dueDate) <= MAX_TERM_DAYS) return []
  return [
    warning({
      code: 'term_too_long',
      field,
      message: 'Between businesses the law allows at most 60 days.',
      fix: 'Shorten the term, unless the customer is a consumer.',
    }),
  ]
}

/** Returns the faults of the due date, or of the instalments. */
export function dueFaults(content: DraftContent, totals: Totals, issueDate: BusinessDate): Fault[] {
  const { dueDate, instalments } = content
  if (instalments !== null) {
    const faults = instalmentFaults(instalments, payableOf(content, totals).shown, issueDate).map(faultOf)
    const last = instalments.at(-1)
    return faults.length > 0 || !last
      ? faults
      : termWarning(last.dueDate, issueDate, `instalments[${instalments.length - 1}].dueDate`)
  }
  if (!dueDate) return []
  if (dueDate >= issueDate) return termWarning(dueDate, issueDate, 'dueDate')
  return [
    error({
      code: 'due_date_before_issue',
      field: 'dueDate',
      message: 'The invoice would be due before it is issued.',
      fix: 'Use the issue date or later.',
    }),
  ]
}
