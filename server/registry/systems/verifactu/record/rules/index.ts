/**
 * The authority's rules, checked before anything is issued, because an issued number with a rejected record needs
 * manual work. Source: AEAT, validations and errors of billing records 1.2.2; the codes are the authority's. Rules
 * that only the authority can check (its census, its earlier records) are not here.
 */
import type { BusinessDate } from '../../../../../domain/dates.ts'
import type { RegistryCancellation, RegistryInvoice, SystemInfo } from '../fields.ts'
import { breakdownRule } from './breakdown.ts'
import { cancellationFaults } from './cancellation.ts'
import { issueDateRule, operationDateRule } from './dates.ts'
import { withSeverities } from './fault.ts'
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

/**
 * Returns every objection that the authority would raise to a registration, in the order of the record. `today` is
 * the date in Spain.
 */
export function checkRecord(invoice: RegistryInvoice, today: BusinessDate): RuleFault[] {
  return RULES.flatMap((rule) => withSeverities(rule(invoice, today)))
}

/**
 * Returns every objection that the authority would raise to a cancellation, whatever it holds of the invoice. `today`
 * is the date in Spain; without it, an invoice date in the future is not checked.
 */
export function checkCancellation(cancellation: RegistryCancellation, today?: BusinessDate): RuleFault[] {
  return withSeverities(cancellationFaults(cancellation, today ?? null))
}

/** Returns every objection that the authority would raise to the program's own data, which every record carries. */
export function checkSystem(system: SystemInfo): RuleFault[] {
  return withSeverities(systemFaults(system))
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
