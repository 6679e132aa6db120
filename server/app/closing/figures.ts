/** Five figures of a quarter beside those of the four before it: null, with the reason, where Sello does not know one. */
import { centsFromEuros, eurosFromCents } from '../../domain/money.ts'
import { findCompany } from '../../company/index.ts'
import type { Ctx } from '../../context.ts'
import { monthResults } from '../../accounting/ledger/index.ts'
import { modelSummary, periodsOf, quarterReturn, taxReturnOf } from '../../accounting/returns/index.ts'
import type { ReturnPeriod } from '../../accounting/returns/index.ts'
import type { ModelNumber, ModelSummary } from '../../accounting/returns/contract.ts'
import { firstMonth, monthTotals } from '../../tax/totals/index.ts'
import { FIGURES } from './contract.ts'
import type { ClosingFigure, FigureAmount, FigureId } from './contract.ts'

const QUARTERS_BEFORE = 4

type Amount = Pick<FigureAmount, 'amount' | 'why'>
/** Of each model, and of the indirect tax, its return of the quarter, or those of its months. */
type Models = Readonly<Record<'tax' | '130' | '111' | '115', readonly ModelSummary[]>>

const unknown = (why: string): Amount => ({ amount: null, why })
const known = (amount: number): Amount => ({ amount, why: null })

/** Returns the result of a return: as filed, else as computed; null where it is not computed or may not be due. */
function resultOf(model: ModelSummary): Amount {
  if (model.filing && model.computed) return known(model.filing.result)
  if (model.applies === true && model.computed && model.result !== null) return known(model.result)
  return unknown(model.why ?? 'not_computed')
}

/** Returns what was withheld from others: none only where the books or the person say that there was none. */
function withheldOf(models: Models): Amount {
  return sumOf(
    [...models['111'], ...models['115']].map((model) => {
      const isNone = model.why === 'nothing_withheld' || model.why === 'no_rent_withheld'
      return model.applies === false && isNone && !model.filing ? known(0) : resultOf(model)
    }),
  )
}

/** Returns the sum of amounts; the first that is not known makes it unknown. */
function sumOf(parts: readonly Amount[]): Amount {
  let cents = 0
  for (const part of parts) {
    if (part.amount === null) return part
    cents += centsFromEuros(part.amount) ?? 0
  }
  return known(eurosFromCents(cents))
}

async function modelsOf(ctx: Ctx, period: ReturnPeriod, given: readonly ModelSummary[]): Promise<Models> {
  const periods = await periodsOf(ctx)
  const { year, quarter } = period
  const of = async (model: ModelNumber): Promise<ModelSummary[]> => {
    const found = given.filter((each) => each.model === model)
    if (found.length > 0) return found
    for (const each of periods.inQuarter(model, { year, quarter: quarter ?? 4 }))
      found.push(await modelSummary(ctx, model, each))
    return found
  }
  const { model } = taxReturnOf(await findCompany(ctx))
  return { tax: await of(model), '130': await of('130'), '111': await of('111'), '115': await of('115') }
}

async function figuresOf(
  ctx: Ctx,
  period: ReturnPeriod,
  given: readonly ModelSummary[],
): Promise<Record<FigureId, Amount>> {
  const months = await monthResults(ctx, period.months.from, period.months.to)
  const models = await modelsOf(ctx, period, given)
  const sum = (pick: (month: (typeof months)[number]) => number) =>
    months.reduce((total, month) => total + pick(month), 0)
  const received = await monthTotals(ctx, 'received', period.months)
  const expensesCents = sum((month) => month.expensesCents)
  const hasPurchases = expensesCents !== 0 || received.some(({ documents }) => documents > 0)
  return {
    income: known(eurosFromCents(sum((month) => month.incomeCents))),
    expenses: hasPurchases ? known(eurosFromCents(expensesCents)) : unknown('no_purchases'),
    vat: sumOf(models.tax.map(resultOf)),
    instalment: sumOf(models['130'].map(resultOf)),
    withheld: withheldOf(models),
  }
}

/** Returns the first month of which the books have a document or an entry; null when they are empty. */
async function firstKnownMonth(ctx: Ctx): Promise<number | null> {
  const document = await firstMonth(ctx)
  const entry = (await monthResults(ctx, 0, 999_999))[0]?.month ?? null
  return document !== null && entry !== null ? Math.min(document, entry) : (document ?? entry)
}

/** Returns the figures of a quarter; `models` are its returns, already computed. */
export async function closingFigures(
  ctx: Ctx,
  { year, quarter }: { year: number; quarter: number },
  models: readonly ModelSummary[],
): Promise<ClosingFigure[]> {
  const began = await firstKnownMonth(ctx)
  const quarters: (Record<FigureId, Amount> & { year: number; quarter: number })[] = []
  for (let back = 0; back <= QUARTERS_BEFORE; back++) {
    const index = year * 4 + quarter - 1 - back
    const at = { year: Math.floor(index / 4), quarter: (index % 4) + 1 }
    const period = quarterReturn(at.year, at.quarter)
    const none = unknown('no_data')
    const empty = { income: none, expenses: none, vat: none, instalment: none, withheld: none }
    const isBefore = began === null || period.months.to < began
    quarters.push({ ...at, ...(isBefore ? empty : await figuresOf(ctx, period, back === 0 ? models : [])) })
  }
  return FIGURES.map((id) => ({
    id,
    amounts: quarters.map((each) => ({ year: each.year, quarter: each.quarter, ...each[id] })),
  }))
}
