/** The close of a quarter: every step in order, from the drafts to the accountant's pack. */
import { findCompany } from '../../company/index.ts'
import type { UseCase } from '../../context.ts'
import { lockedUntil } from '../../accounting/ledger/index.ts'
import { fiscalModels, quarterReturn, taxReturnOf } from '../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import type { closingContract, ClosingStep } from './contract.ts'
import { closingFigures } from './figures.ts'
import {
  approvalsStep,
  bankStep,
  draftsStep,
  receivedDataStep,
  receivedFilesStep,
  recurringStep,
  registryStep,
} from './missing.ts'
import { closingReturns } from './returns.ts'
import { vatEntryStep } from './vat-entry.ts'

const PLAIN = { count: 0, total: null, items: [] }

function lockStep(period: ReturnPeriod, lock: string | null, isOver: boolean): ClosingStep {
  if (lock !== null && lock >= period.to) return { id: 'lock', state: 'done', why: null, ...PLAIN }
  return { id: 'lock', state: 'missing', why: isOver ? null : 'period_open', ...PLAIN, count: 1 }
}

/** Returns the state of a quarter's close. */
export const fiscalClosing: UseCase<typeof closingContract> = async (
  ctx,
  { year, quarter, language = 'es' },
) => {
  const period = quarterReturn(year, quarter)
  const isOver = ctx.today() > period.to
  const { models } = await fiscalModels(ctx, { year, quarter })
  const tax = taxReturnOf(await findCompany(ctx)).model
  const { returns, step, payment } = await closingReturns(ctx, period, models)
  const vat = await vatEntryStep(
    ctx,
    period,
    models.find(({ model }) => model === tax),
    language,
  )
  const lock = await lockedUntil(ctx)
  const steps: ClosingStep[] = [
    await draftsStep(ctx, period),
    await bankStep(ctx, period),
    await receivedFilesStep(ctx, period),
    await approvalsStep(ctx),
    await registryStep(ctx, period),
    await receivedDataStep(ctx, period),
    await recurringStep(ctx, period),
    step,
    payment,
    vat.step,
    lockStep(period, lock, isOver),
    // The download leaves no trace in the books, and whether the accountant has it cannot be known.
    { id: 'pack', state: 'unknown', why: 'not_recorded', ...PLAIN },
  ]
  return {
    year,
    quarter,
    mode: ctx.book.mode,
    estimate: true as const,
    period: { from: period.from, to: period.to, over: isOver },
    lockedUntil: lock,
    missing: steps.filter(({ state }) => state === 'missing').length,
    unknown: steps.filter(({ state }) => state === 'unknown').length,
    steps,
    figures: await closingFigures(ctx, { year, quarter }, models),
    returns,
    vatEntry: vat.entry,
    untrusted: true as const,
  }
}
