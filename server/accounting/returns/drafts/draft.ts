/** Writes the draft of a return for the module of its tax office. */
import { createHash } from 'node:crypto'
import { findCompany } from '../../../company/index.ts'
import type { UseCase } from '../../../context.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { taxTotals } from '../../../tax/totals/index.ts'
import type { TaxTotalRow } from '../../../tax/totals/index.ts'
import { familyOf, taxOfReturn } from '../calendar/return-rows.ts'
import { filedFigures, refundNotNow } from '../filings.ts'
import { correctionsOfDue, linesOfSales, owedAsBuyer, ratesOf } from '../models/igic/model-420.ts'
import { computedOf } from '../models/models.ts'
import type { When } from '../models/selectors.ts'
import { findFilings } from '../rows.ts'
import { returnPeriod } from '../schemes/units.ts'
import type { returnDraftContract } from './contract.ts'
import { draft420, kindOf420 } from './xml-420.ts'

function amountsOf(figures: readonly TaxTotalRow[], when: When) {
  const rows = figures.filter(when)
  const rates = ratesOf(rows, () => true)
  const [only] = rates
  return {
    baseCents: rows.reduce((sum, { baseCents }) => sum + baseCents, 0),
    taxCents: rows.reduce((sum, { taxCents }) => sum + taxCents, 0),
    rateBp: rates.length === 1 && only !== undefined && only >= 0 ? only : null,
  }
}

/** Returns the draft. Throws `validation_failed` for a business of another tax, and for a refund before the fourth quarter. */
export const returnDraft: UseCase<typeof returnDraftContract> = async (ctx, input) => {
  const company = await findCompany(ctx)
  if (taxOfReturn(input.model) !== familyOf(company))
    throw validationFailed([
      {
        code: 'other_territory',
        field: 'model',
        severity: 'error',
        message: 'Businesses of that territory file with another treasury or another tax.',
        fix: 'Prepare this return elsewhere.',
      },
    ])
  if (input.outcome === 'refund' && input.quarter !== 4) throw validationFailed([refundNotNow])
  const period = await returnPeriod(ctx, input.model, input)
  const filings = await findFilings(ctx, input.model, { from: period.year, to: period.year })
  const earlier = filings.get(`${period.year} ${period.code}`) ?? null
  const { boxes } = filedFigures(await computedOf(ctx, input.model, period), input.nature, earlier)
  const figures = await taxTotals(ctx, period.months)
  const box = (number: string) => boxes[number] ?? 0
  const bytes = draft420({
    year: period.year,
    quarter: input.quarter,
    completes: input.nature === 'first' ? null : { receipt: input.previousReceipt ?? null },
    filer: {
      nif: company.nif,
      name: company.legal_name,
      postalCode: company.postal_code,
      country: company.country,
      email: company.email,
    },
    isCash: company.vat_regime === 'cash',
    lines: ratesOf(figures, linesOfSales).map((rateBp) => ({
      ...amountsOf(figures, (group) => linesOfSales(group) && group.vatRateBp === rateBp),
      rateBp,
    })),
    asBuyer: amountsOf(figures, owedAsBuyer),
    corrections: amountsOf(figures, correctionsOfDue),
    box,
    kind: kindOf420(box, input.outcome, input.quarter),
  })
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `BORRADOR-${input.model}-${period.year}-${period.code}-${company.nif}.xml`,
  }
}
