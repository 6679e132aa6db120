/** States the schemes of a year. Only a person can: nothing in the books says them. */
import type { ContractOutput } from '../../../domain/contract/define-contract.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { periodUnit } from '../calendar/periods.ts'
import type { ModelNumber } from '../contract.ts'
import { findFilings } from '../rows.ts'
import type { filingSchemesContract, setFilingSchemesContract } from './contract.ts'
import { findSchemes, isInSii, isMonthlyVat, writeSchemes } from './schemes.ts'
import type { Schemes, StatedSchemes } from './schemes.ts'
import { unitOf } from './units.ts'

/** Returns that are filed by months or by quarters. */
const EITHER: readonly ModelNumber[] = ['303', '111', '115', '123', '349']

const answersOf = ({ statedAt: _at, statedBy: _by, ...answers }: StatedSchemes): Schemes => answers

async function view(ctx: Ctx, year: number): Promise<ContractOutput<typeof filingSchemesContract>> {
  const stated = await findSchemes(ctx)
  const own = stated.get(year) ?? null
  const before = stated.get(year - 1) ?? null
  const unit = (model: ModelNumber) => (unitOf(model, own) === 'month' ? 'month' : 'quarter')
  return {
    year,
    schemes: own && answersOf(own),
    statedAt: own && new Date(own.statedAt).toISOString(),
    statedBy: own?.statedBy ?? null,
    yearBefore: before && answersOf(before),
    periods: { '303': unit('303'), '111': unit('111'), '115': unit('115'), '349': unit('349') },
    inSii: own !== null && isInSii(own),
  }
}

/** Returns the schemes of a year. */
export const getFilingSchemes: UseCase<typeof filingSchemesContract> = (ctx, { year }) => view(ctx, year)

const OPEN = ['preparing', 'sent', 'unknown'] as const

/** Returns the periods of a model in a year that are filed, or whose filing is under way. */
async function filedPeriods(ctx: Ctx, model: ModelNumber, year: number): Promise<string[]> {
  const filed = [...(await findFilings(ctx, model, { from: year, to: year })).keys()]
  const open = await ctx.db
    .selectFrom('filing_sendings')
    .select('period')
    .where('book_id', '=', ctx.book.id)
    .where('model', '=', model)
    .where('year', '=', year)
    .where('state', 'in', OPEN)
    .execute()
  return [...filed.map((key) => key.split(' ')[1] ?? ''), ...open.map(({ period }) => period)]
}

/** Returns why schemes cannot be stated: they contradict each other, or returns that were filed by other periods. */
async function faultsOfStatement(ctx: Ctx, year: number, schemes: Schemes): Promise<Fault[]> {
  const faults: Fault[] = []
  if (schemes.voluntarySii && isMonthlyVat(schemes))
    faults.push({
      code: 'sii_by_law',
      field: 'voluntarySii',
      severity: 'error',
      message: 'A business that files its VAT return by months is in the SII by law, not by choice.',
      fix: 'Answer no.',
    })
  for (const model of EITHER) {
    const unit = unitOf(model, schemes)
    const other = (await filedPeriods(ctx, model, year)).find((code) => periodUnit(code) !== unit)
    if (other !== undefined)
      faults.push({
        code: 'filed_by_other_periods',
        field: model === '349' ? 'monthly349' : 'largeCompany',
        severity: 'error',
        message: `Model ${model} of ${year} is filed for ${other}: by these schemes it has other periods.`,
        fix: 'Withdraw that mark if it is wrong. A change within a year is not covered.',
        params: { model, period: other, year },
      })
  }
  return faults
}

/** States the schemes of a year, with who stated them. Throws `validation_failed` for answers that contradict each other. */
export const setFilingSchemes: UseCase<typeof setFilingSchemesContract> = (ctx, { year, ...schemes }) =>
  ctx.transaction(async (tx) => {
    const faults = await faultsOfStatement(tx, year, schemes)
    if (faults.length > 0) throw validationFailed(faults)
    await writeSchemes(tx, year, schemes)
    const stated = Object.entries(schemes)
      .filter(([, answer]) => answer !== false && answer !== 'none')
      .map(([name, answer]) => (answer === true ? name : `${name} ${answer}`))
    await recordAudit(tx, {
      action: 'filing.schemes_stated',
      target: {
        type: 'company',
        id: tx.book.publicId,
        label: `${year}: ${stated.length === 0 ? '—' : stated.join(', ')}`,
      },
    })
    await emitEvent(tx, 'filing.changed', { model: null })
    return view(tx, year)
  })
