/** The deadlines of the company in a range of days, as data and as a calendar file. */
import { createHash } from 'node:crypto'
import { addYears } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { programLanguage } from '../../../domain/languages.ts'
import { findCompany } from '../../../company/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type {
  fiscalDeadlinesCalendarContract,
  fiscalDeadlinesContract,
  ModelNumber,
  ReturnDeadline,
} from '../contract.ts'
import { MODEL_NAMES } from '../models/names.ts'
import { findFilings } from '../rows.ts'
import { findSchemes } from '../schemes/schemes.ts'
import { unitOf } from '../schemes/units.ts'
import { standingOf, verdictOf } from './filing-duty.ts'
import type { Standing } from './filing-duty.ts'
import { filingTerm } from './obligations.ts'
import { quarterAt } from './open-terms.ts'
import { monthReturn, previousQuarter, quarterReturn, yearReturn } from './periods.ts'
import type { ReturnPeriod } from './periods.ts'
import { returnsListedFor } from './return-rows.ts'

/** Longest range, in years. */
const LONGEST_YEARS = 2
/** The returns that can be filed every month (RIVA arts. 71.3 and 81; RIRPF art. 108.1). */
const MONTHLY: readonly ModelNumber[] = ['303', '111', '115', '123', '349']

interface Range {
  from?: BusinessDate | undefined
  to?: BusinessDate | undefined
  /** Instead of what the schemes of each year say. */
  filer?: 'quarterly' | 'monthly' | undefined
}

function rangeOf(ctx: Ctx, input: Range): { from: BusinessDate; to: BusinessDate } {
  const from = input.from ?? ctx.today()
  const to = input.to ?? addYears(from, 1)
  if (from > to)
    throw validationFailed([
      { code: 'dates_reversed', field: 'from', severity: 'error', message: 'from is after to.' },
    ])
  if (to > addYears(from, LONGEST_YEARS))
    throw validationFailed([
      {
        code: 'range_too_long',
        field: 'to',
        severity: 'error',
        message: `The range is longer than ${LONGEST_YEARS} years.`,
      },
    ])
  return { from, to }
}

/** Returns every return with its periods that may end in the years of the range: a term ends at most a year later. */
function candidates(
  { quarterly, yearly }: ReturnType<typeof returnsListedFor>,
  from: number,
  to: number,
  isMonthly: (model: ModelNumber, year: number) => boolean,
): [ModelNumber, ReturnPeriod][] {
  const found: [ModelNumber, ReturnPeriod][] = []
  for (let year = from - 1; year <= to; year++) {
    for (const model of quarterly)
      if (isMonthly(model, year))
        for (let month = 1; month <= 12; month++) found.push([model, monthReturn(year, month)])
      else for (let quarter = 1; quarter <= 4; quarter++) found.push([model, quarterReturn(year, quarter)])
    for (const model of yearly) found.push([model, yearReturn(year)])
  }
  return found
}

/** Reasons for which a return is not filed that books written later can change. */
const FROM_THE_BOOKS: readonly (string | null)[] = [
  'no_rent_withheld',
  'no_eu',
  'no_one_stop_shop',
  'below_limit',
  'owes_no_vat',
  'nothing_withheld',
]

/** Decides which returns apply; each period is read once. */
class Duties {
  private readonly ctx: Ctx
  private readonly standings = new Map<string, Promise<Standing>>()

  constructor(ctx: Ctx) {
    this.ctx = ctx
  }

  private verdict(model: ModelNumber, period: ReturnPeriod) {
    const key = `${period.year} ${period.code}`
    let standing = this.standings.get(key)
    if (!standing) this.standings.set(key, (standing = standingOf(this.ctx, period)))
    return standing.then((found) => verdictOf(model, found, period.year))
  }

  /**
   * Returns null when the return may have to be filed. A period that has not ended has few books or none: a return that
   * applied in the last or the current period of its kind may apply in it.
   */
  async appliesIn(model: ModelNumber, period: ReturnPeriod): Promise<boolean | null> {
    const { applies, why } = await this.verdict(model, period)
    if (applies !== false || !FROM_THE_BOOKS.includes(why)) return applies
    const today = this.ctx.today()
    if (period.to < today) return false
    const now = quarterAt(today)
    const before = previousQuarter(now.year, now.quarter)
    const recent =
      period.quarter === null
        ? [yearReturn(now.year - 1), yearReturn(now.year)]
        : [quarterReturn(before.year, before.quarter), quarterReturn(now.year, now.quarter)]
    for (const each of recent) if ((await this.verdict(model, each)).applies !== false) return null
    return false
  }
}

/** Returns the deadlines that end in the range, the first to end first. */
async function deadlinesOf(ctx: Ctx, input: Range): Promise<ReturnDeadline[]> {
  const { from, to } = rangeOf(ctx, input)
  const years = { from: Number(from.slice(0, 4)), to: Number(to.slice(0, 4)) }
  const duties = new Duties(ctx)
  const filings = new Map<ModelNumber, ReadonlyMap<string, unknown>>()
  const stated = await findSchemes(ctx)
  const isMonthly = (model: ModelNumber, year: number): boolean =>
    input.filer === undefined
      ? unitOf(model, stated.get(year)) === 'month'
      : input.filer === 'monthly' && MONTHLY.includes(model)
  const found: ReturnDeadline[] = []
  const listed = returnsListedFor(await findCompany(ctx))
  for (const [model, period] of candidates(listed, years.from, years.to, isMonthly)) {
    const term = filingTerm(model, period.year, period.code)
    if (term.due < from || term.due > to) continue
    const applies = await duties.appliesIn(model, period)
    if (applies === false) continue
    const filed =
      filings.get(model) ?? (await findFilings(ctx, model, { from: years.from - 1, to: years.to }))
    filings.set(model, filed)
    found.push({
      model,
      name: MODEL_NAMES[model],
      year: period.year,
      period: period.code,
      ...term,
      applies,
      filed: filed.has(`${period.year} ${period.code}`),
    })
  }
  return found.sort((a, b) => (a.due === b.due ? 0 : a.due < b.due ? -1 : 1))
}

/** Lists the deadlines of a range with their direct-debit days. */
export const fiscalDeadlines: UseCase<typeof fiscalDeadlinesContract> = async (ctx, input) => ({
  ...rangeOf(ctx, input),
  mode: ctx.book.mode,
  deadlines: await deadlinesOf(ctx, input),
})

/**
 * Returns the same as an iCalendar file, without what is filed, in the language of the company; with the days by which something
 * is to be reported to the public platform, for those who may see its invoices.
 */
export const fiscalDeadlinesCalendar: UseCase<typeof fiscalDeadlinesCalendarContract> = async (
  ctx,
  input,
) => {
  const { icsOf } = await import('./ics.ts')
  const company = await findCompany(ctx)
  const open = (await deadlinesOf(ctx, input)).filter(({ filed }) => !filed)
  const answers = ctx.may('sales.read') ? await ctx.env.related.answers(ctx, rangeOf(ctx, input)) : []
  const bytes = Buffer.from(
    icsOf(open, {
      language: programLanguage(company.default_language),
      bookId: ctx.book.publicId,
      mode: ctx.book.mode,
      writtenAt: ctx.now(),
      answers,
    }),
  )
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${rangeOf(ctx, input).from.slice(0, 4)}-plazos-${company.nif}.ics`,
  }
}
