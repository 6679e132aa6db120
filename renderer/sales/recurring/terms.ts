/** Payment terms of a recurring invoice that begins as a copy of one in instalments. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import { daysBetween } from '../../../server/domain/dates.ts'
import { basisPointsFromPercent } from '../../../server/domain/money.ts'
import { areTerms, MAX_TERM } from '../../../server/domain/tax/instalments.ts'

type Invoice = Pick<OutputOf<'invoices.get'>, 'instalments' | 'issueDate'>
type Terms = NonNullable<OutputOf<'contacts.get'>['paymentTerms']>

/** Returns the terms of instalments by percentages; null for fixed amounts, which fit no other total. */
export function termsOfInstalments({ instalments, issueDate }: Invoice): Terms | null {
  if (!instalments || issueDate === null || instalments.some(({ fixed }) => fixed !== undefined)) return null
  const terms = instalments.map(({ dueDate, percent }) => ({
    days: daysBetween(issueDate, dueDate),
    ...(percent === undefined ? {} : { percent }),
  }))
  const exact = terms.map(({ days, percent }) => ({
    days,
    percentBp: percent === undefined ? null : basisPointsFromPercent(percent),
  }))
  return terms.every(({ days }) => days >= 0 && days <= MAX_TERM) && areTerms(exact) ? terms : null
}
