/** Legal limit of cash payments, as dated rows. */
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { checkNif } from '../../domain/tax/nif.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'

interface CashLimit {
  from: BusinessDate
  to: BusinessDate | null
  /** Operations of this amount or more cannot be paid in cash when one of the parties acts as a business. */
  cents: Cents
  /** When the payer is a natural person, not acting as a business, and lives abroad. */
  foreignConsumerCents: Cents
  source: string
}

const CASH_LIMITS: readonly CashLimit[] = [
  {
    from: '2012-11-19',
    to: '2021-07-10',
    cents: 250_000,
    foreignConsumerCents: 1_500_000,
    source: 'Ley 7/2012 art. 7.Uno.1',
  },
  {
    from: '2021-07-11',
    to: null,
    cents: 100_000,
    foreignConsumerCents: 1_000_000,
    source: 'Ley 7/2012 art. 7.Uno.1, en la redacción de la Ley 11/2021',
  },
]

/** Returns the limit on a day, or null before one existed. */
export function cashLimitAt(date: BusinessDate): CashLimit | null {
  return CASH_LIMITS.find((row) => row.from <= date && (row.to === null || date < addDays(row.to, 1))) ?? null
}

/**
 * Returns a warning when a cash payment reaches the limit. The whole operation counts, not the instalment: parts of
 * one operation are added up (art. 7.Uno.2).
 */
export function cashWarning(facts: {
  date: BusinessDate
  operationCents: Cents
  payerNif: string | null
  payerCountry: string
}): Fault | null {
  const limit = cashLimitAt(facts.date)
  if (!limit) return null
  const isForeignConsumer =
    facts.payerCountry !== 'ES' && !(facts.payerNif !== null && checkNif(facts.payerNif).kind === 'entity')
  const limitCents = isForeignConsumer ? limit.foreignConsumerCents : limit.cents
  if (Math.abs(facts.operationCents) < limitCents) return null
  return {
    code: 'cash_limit',
    field: 'method',
    severity: 'warning',
    message: `Operations of ${eurosFromCents(limitCents)} EUR or more may not be paid in cash, not even in part.`,
    fix: 'Use another method, or make sure that the limit does not apply.',
    params: { limit: eurosFromCents(limitCents), source: limit.source },
  }
}
