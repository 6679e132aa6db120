/** Returns on the dashboard: the next ones to file with their results, and the VAT of the open quarter. */
import { daysBetween } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { boxCents, computeModel } from '../compute.ts'
import type { ModelNumber } from '../contract.ts'
import { isTypedModel } from '../models/typed/typed-returns.ts'
import { taxReturnOf } from '../models/carried.ts'
import { findCompany } from '../../../company/index.ts'
import { standingOf, verdictOf } from './filing-duty.ts'
import type { Standing } from './filing-duty.ts'
import { obligationOf } from './obligations.ts'
import { isFiled, openTerms } from './open-terms.ts'
import type { OpenTerm } from './open-terms.ts'
import { monthNumber } from '../../../tax/totals/index.ts'
import { periodsOf } from '../schemes/units.ts'
import { findFilings } from '../rows.ts'

interface UpcomingReturn extends Omit<OpenTerm, 'returns'> {
  /** Null when Sello cannot know whether it is filed. */
  applies: true | null
  computed: boolean
  /** The result that its page shows; null when nothing is paid or the return is not computed. */
  resultCents: Cents | null
}

interface VatToDate {
  /** `4T 2026`, or `11 2026`. */
  label: string
  year: number
  quarter: number
  dueTo: BusinessDate
  /** The totals of its periodic return, and their difference. Null when the business files none. */
  figures: { outputCents: Cents; inputCents: Cents; resultCents: Cents } | null
}

/** Returns with an amount to pay; the others are informative. */
const PAID: readonly ModelNumber[] = ['303', '420', '130', '131', '111', '115', '123']

const FEWEST = 3

/**
 * Returns the returns that this company still has to file, or may have to, with a filing period that ends within
 * `days`; when they are few, also those after them.
 */
export async function upcomingReturns(ctx: Ctx, days: number): Promise<UpcomingReturn[]> {
  const today = ctx.today()
  const standings = new Map<string, Standing>()
  const found: UpcomingReturn[] = []
  for (const term of await openTerms(ctx)) {
    const isLater = daysBetween(today, term.dueTo) > days
    if (isLater && found.length >= FEWEST) break
    const { returns, ...rest } = term
    const name = `${term.year} ${returns.code}`
    const standing = standings.get(name) ?? (await standingOf(ctx, returns))
    standings.set(name, standing)
    const { applies, computed } = verdictOf(term.model, standing, term.year)
    if (applies === false || (await isFiled(ctx, term))) continue
    const resultCents =
      (computed || isTypedModel(term.model)) && PAID.includes(term.model)
        ? (await computeModel(ctx, term.model, returns, standing.profile)).resultCents
        : null
    found.push({ ...rest, applies: applies === null ? null : true, computed, resultCents })
  }
  return found
}

/**
 * Returns the VAT of the period to file next: the previous one while its filing period runs and it is not filed,
 * else the current one.
 */
export async function vatToDate(ctx: Ctx): Promise<VatToDate> {
  const today = ctx.today()
  const periods = await periodsOf(ctx)
  // A territory without a return here still has quarters: those of the State.
  const row = taxReturnOf(await findCompany(ctx))
  const { model } = row
  const now = periods.at(model, monthNumber(today))
  const before = periods.before(model, now)
  const last = obligationOf(model, before, today)
  const filed = await findFilings(ctx, model, { from: before.year, to: before.year })
  const isOpen = last.dueTo >= today && !filed.has(`${before.year} ${before.code}`)
  const period = isOpen ? before : now
  const { year, code } = period
  const standing = await standingOf(ctx, period)
  const { dueTo } = isOpen ? last : obligationOf(model, period, today)
  const verdict = verdictOf(model, standing, year)
  const place = { label: `${code} ${year}`, year, quarter: period.quarter ?? 4, dueTo }
  if (verdict.applies !== true || !verdict.computed) return { ...place, figures: null }
  const { values } = await computeModel(ctx, model, period, standing.profile)
  return {
    ...place,
    figures: {
      outputCents: boxCents(values, row.shown.output),
      inputCents: boxCents(values, row.shown.input),
      resultCents: boxCents(values, row.shown.difference),
    },
  }
}
