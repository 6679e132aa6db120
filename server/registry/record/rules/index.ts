/**
 * The authority's rules, asked before anything is issued: an issued number with a rejected record is work for a person.
 * Source: AEAT, validations and errors of billing records 1.2.2; the codes are the authority's. What only the authority
 * can know (its census, what it holds of earlier records) is not here.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { RegistryCancellation, RegistryInvoice, SystemInfo } from '../fields.ts'
import { breakdownRule } from './breakdown.ts'
import { cancellationFaults } from './cancellation.ts'
import { issueDateRule, operationDateRule } from './dates.ts'
import { completed } from './fault.ts'
import type { Rule, RuleFault } from './fault.ts'
import {
  agreementRule,
  descriptionRule,
  marksRule,
  rectificationRule,
  simplifiedLimitRule,
  substitutionRule,
} from './kinds.ts'
import { issuerRule, madeByRule, recipientsRule } from './parties.ts'
import { systemFaults } from './system.ts'
import { numberFaults, referenceFaults } from './text-rules.ts'
import { amountsRule, sumsRule } from './totals.ts'

export type { RuleFault } from './fault.ts'

/** Everything the authority would object to in a registration, in the order of the record. `today` is the day in Spain. */
export function checkRecord(invoice: RegistryInvoice, today: BusinessDate): RuleFault[] {
  return RULES.flatMap((rule) => completed(rule(invoice, today)))
}

/**
 * Everything the authority would object to in a cancellation, whatever it holds of the invoice. Without `today`, the day in
 * Spain, it is not asked whether the invoice is of the future.
 */
export function checkCancellation(cancellation: RegistryCancellation, today?: BusinessDate): RuleFault[] {
  return completed(cancellationFaults(cancellation, today ?? null))
}

/** Everything the authority would object to in the program's own data, which every record carries. */
export function checkSystem(system: SystemInfo): RuleFault[] {
  return completed(systemFaults(system))
}

const RULES: readonly Rule[] = [
  issuerRule,
  ({ number }) => numberFaults(number, 'number', 'Change the code of the series.'),
  issueDateRule,
  ({ recordId }) => referenceFaults(recordId),
  rectificationRule,
  substitutionRule,
  operationDateRule,
  descriptionRule,
  marksRule,
  madeByRule,
  recipientsRule,
  breakdownRule,
  amountsRule,
  sumsRule,
  simplifiedLimitRule,
  agreementRule,
]
