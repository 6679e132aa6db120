/** The returns that a company files, or may file, in the last and current quarter and year: filed, open or late. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import type { ModelNumber } from '../contract.ts'
import { findFilings } from '../rows.ts'
import { standingOf, verdictOf } from './filing-duty.ts'
import type { Standing } from './filing-duty.ts'
import { recentTerms } from './open-terms.ts'

interface RecentReturn {
  model: ModelNumber
  year: number
  /** `3T`, `11` or `0A`. */
  code: string
  /** Last day of the period. */
  to: BusinessDate
  dueFrom: BusinessDate
  dueTo: BusinessDate
  directDebitTo: BusinessDate | null
  /** Null if the books cannot tell whether it is filed. */
  applies: true | null
  filedOn: BusinessDate | null
}

/**
 * Returns them without results, the first to end first: which returns apply follows from stored totals, and each period
 * is read once.
 */
export async function recentReturns(ctx: Ctx): Promise<RecentReturn[]> {
  const terms = await recentTerms(ctx)
  const years = { from: Math.min(...terms.map(({ year }) => year)), to: Number(ctx.today().slice(0, 4)) }
  const standings = new Map<string, Standing>()
  const filings = new Map<ModelNumber, Awaited<ReturnType<typeof findFilings>>>()
  const found: RecentReturn[] = []
  for (const { model, year, dueFrom, dueTo, directDebitTo, returns } of terms) {
    const filed = filings.get(model) ?? (await findFilings(ctx, model, years))
    filings.set(model, filed)
    const filing = filed.get(`${year} ${returns.code}`)
    const period = `${year} ${returns.code}`
    const standing = standings.get(period) ?? (await standingOf(ctx, returns))
    standings.set(period, standing)
    const { applies } = verdictOf(model, standing, year)
    if (applies === false && !filing) continue
    found.push({
      model,
      year,
      code: returns.code,
      to: returns.to,
      dueFrom,
      dueTo,
      directDebitTo,
      applies: applies === null && !filing ? null : true,
      filedOn: filing?.filedOn ?? null,
    })
  }
  return found
}
