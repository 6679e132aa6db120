/** Rules for amounts: their format, and totals that add up. */
import { centsToText, MAX_CENTS } from '../../../../../domain/money.ts'
import type { Cents } from '../../../../../domain/money.ts'
import type { RegistryInvoice } from '../fields.ts'
import { SCHEMA_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'

/** Regimes whose totals cannot be derived from the breakdown. */
const REGIMES_WITHOUT_SUMS = ['03', '05', '06', '08', '09']

export function* amountsRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  for (const [field, cents] of amountsOf(invoice)) {
    if (Number.isInteger(cents) && Math.abs(cents) <= MAX_CENTS) continue
    yield {
      code: 'amount_too_large',
      authorityCode: SCHEMA_FAULT,
      field,
      message: 'The registry takes amounts of whole cents with at most 12 digits before the decimals.',
      fix: 'Correct the amount, or split the invoice.',
    }
    // One amount out of range would also make the sums fail.
    return
  }
}

/** Yields every amount with its field, lines before sums. */
function* amountsOf(invoice: RegistryInvoice): Iterable<[field: string, cents: Cents]> {
  for (const [index, line] of invoice.breakdown.entries()) {
    yield [`breakdown[${index}].baseCents`, line.baseCents]
    yield [`breakdown[${index}].costBaseCents`, line.costBaseCents ?? 0]
    yield [`breakdown[${index}].taxCents`, line.taxCents]
    yield [`breakdown[${index}].surchargeCents`, line.surchargeCents]
  }
  yield ['taxTotalCents', invoice.taxTotalCents]
  yield ['totalCents', invoice.totalCents]
  const { rectification } = invoice
  if (rectification?.method !== 'S') return
  yield ['rectification.baseCents', rectification.baseCents]
  yield ['rectification.taxCents', rectification.taxCents]
  yield ['rectification.surchargeCents', rectification.surchargeCents ?? 0]
}

/** Checks the sums exactly. The authority tolerates 10 EUR, but our own sums are exact, so any difference is a fault. */
export function* sumsRule({ breakdown, taxTotalCents, totalCents }: RegistryInvoice): Iterable<RuleFinding> {
  if (breakdown.some((line) => REGIMES_WITHOUT_SUMS.includes(line.regimeKey ?? ''))) return
  const taxSum = breakdown.reduce((sum, line) => sum + line.taxCents + line.surchargeCents, 0)
  const totalSum = breakdown.reduce((sum, line) => sum + line.baseCents, taxSum)
  if (taxSum !== taxTotalCents) yield sumFault('tax_total', '2006', 'taxTotalCents', taxTotalCents, taxSum)
  if (totalSum !== totalCents) yield sumFault('total', '2005', 'totalCents', totalCents, totalSum)
}

function sumFault(
  code: string,
  authorityCode: string,
  field: string,
  stated: Cents,
  sum: Cents,
): RuleFinding {
  return {
    code: `${code}_mismatch`,
    authorityCode,
    field,
    message: `The total says ${centsToText(stated)}, the breakdown adds up to ${centsToText(sum)}.`,
    fix: 'Recalculate the invoice.',
  }
}
