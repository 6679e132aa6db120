/** Limits and conditions of the scheme that a company is under, as its tax states them. */
import type { CompanyRow } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { taxTotals } from '../../../tax/totals/index.ts'
import { taxSystemOf } from '../../../tax/systems/index.ts'
import type { FiscalWarning } from '../contract.ts'
import { all, issued, made, ofTax } from '../models/selectors.ts'

/** A year is near its limit from four fifths of it on. */
const NEAR = 0.8

/**
 * Returns what the scheme of a company has a limit for in a year: what it sold comes near it, or passed it. What else decides
 * whether it may be under the scheme, Sello does not check; where the scheme has conditions it says so.
 */
export async function schemeWarnings(
  ctx: Ctx,
  company: Pick<CompanyRow, 'territory' | 'vat_regime'>,
  year: number,
): Promise<FiscalWarning[]> {
  const system = taxSystemOf(company.territory)
  const rule = system.regimeOf(company.vat_regime)
  const warnings: FiscalWarning[] = []
  if (rule?.conditions)
    warnings.push({
      code: 'scheme_conditions',
      severity: 'info',
      message: `Whether the company may be under its scheme, Sello does not check: ${rule.conditions.en}`,
    })
  const lastDay = `${year}-12-31`
  const limit = system.limits.find(
    ({ regime, from, to }) =>
      regime === company.vat_regime && from <= lastDay && (to === null || to >= `${year}-01-01`),
  )
  if (!limit) return warnings
  const sales = all(issued, made, ofTax(system.family))
  const totals = await taxTotals(ctx, { from: year * 100 + 1, to: year * 100 + 12 })
  const soldCents = totals.filter(sales).reduce((sum, { baseCents }) => sum + baseCents, 0)
  if (soldCents < NEAR * limit.cents) return warnings
  const isPassed = soldCents > limit.cents
  warnings.push({
    code: isPassed ? 'scheme_limit_passed' : 'scheme_limit_near',
    severity: 'warning',
    amounts: { sold: eurosFromCents(soldCents), limit: eurosFromCents(limit.cents) },
    message: isPassed
      ? 'The sales of the year are above the limit of the scheme: it ends with the year, as far as is known. Ask your adviser.'
      : 'The sales of the year come near the limit of the scheme.',
  })
  return warnings
}
