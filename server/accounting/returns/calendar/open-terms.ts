/** Terms that have not ended: what may still be filed today, of the last and current quarter and year. */
import { quarterOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { findCompany } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import type { ModelNumber } from '../contract.ts'
import { findFilings } from '../rows.ts'
import { obligationOf } from './obligations.ts'
import type { Obligation } from './obligations.ts'
import { periodsOf } from '../schemes/units.ts'
import { previousQuarter, yearReturn } from './periods.ts'
import type { ReturnPeriod } from './periods.ts'
import { returnsListedFor } from './return-rows.ts'

export interface OpenTerm {
  model: ModelNumber
  /** `4T 2026`, `11 2026` or `2026`. */
  period: string
  year: number
  /** Of a month, the quarter that contains it. */
  quarter: number
  dueFrom: BusinessDate
  dueTo: BusinessDate
  /** Null for returns without payment. */
  directDebitTo: BusinessDate | null
  sure: Obligation['sure']
  returns: ReturnPeriod
}

/** Returns the quarter of a day. */
export function quarterAt(today: BusinessDate): { year: number; quarter: number } {
  return { year: Number(today.slice(0, 4)), quarter: quarterOf(today) }
}

/** Returns the filing periods of the last and current quarter and of the last and current year, the first to end first. */
export async function recentTerms(ctx: Ctx): Promise<OpenTerm[]> {
  const today = ctx.today()
  const periods = await periodsOf(ctx)
  const now = quarterAt(today)
  const { quarterly, yearly } = returnsListedFor(await findCompany(ctx))
  const term = (model: ModelNumber, returns: ReturnPeriod): OpenTerm => {
    const { period, dueFrom, dueTo, directDebitTo, sure } = obligationOf(model, returns, today)
    return {
      model,
      period,
      year: returns.year,
      quarter: returns.quarter ?? 4,
      dueFrom,
      dueTo,
      directDebitTo: directDebitTo ?? null,
      sure,
      returns,
    }
  }
  const ofQuarters = [previousQuarter(now.year, now.quarter), now].flatMap((quarter) =>
    quarterly.flatMap((model) => periods.inQuarter(model, quarter).map((period) => term(model, period))),
  )
  const ofYears = [now.year - 1, now.year].flatMap((year) =>
    yearly.map((model) => term(model, yearReturn(year))),
  )
  return [...ofQuarters, ...ofYears].sort((a, b) => (a.dueTo === b.dueTo ? 0 : a.dueTo < b.dueTo ? -1 : 1))
}

/** Returns those of the recent filing periods that are not yet over, the first to end first. */
export async function openTerms(ctx: Ctx): Promise<OpenTerm[]> {
  const today = ctx.today()
  return (await recentTerms(ctx)).filter(({ dueTo }) => dueTo >= today)
}

/** Returns true when the return is marked as filed. */
export async function isFiled(
  ctx: Ctx,
  { model, year, returns }: Pick<OpenTerm, 'model' | 'year' | 'returns'>,
): Promise<boolean> {
  return (await findFilings(ctx, model, { from: year, to: year })).has(`${year} ${returns.code}`)
}
