/** Computes a return from tax totals, typed boxes and earlier returns. Reads stored totals only. */
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import {
  sumMonths,
  firstMonth,
  monthTotals,
  taxTotals,
  taxTotalsByMonth,
  withholdingTotals,
} from '../../tax/totals/index.ts'
import type {
  MonthFigure,
  Months,
  MonthTotal,
  TaxTotalRow,
  WithholdingFigure,
} from '../../tax/totals/index.ts'
import { assetVat, quarterDepreciation, soldWithInvoice } from '../assets/index.ts'
import { evaluate } from './models/boxes.ts'
import type { BoxValue, Bilingual } from './models/boxes.ts'
import type { FiscalProfile, FiscalWarning, ModelList, ModelNumber } from './contract.ts'
import { list180, list190, list347, list349, list369 } from './models/lists.ts'
import { carriedReturn } from './models/carried.ts'
import type { CarriedReturn } from './models/carried.ts'
import { list415 } from './models/igic/list-415.ts'
import { compute425 } from './models/igic/year.ts'
import { boxes390, SECTIONS_390 } from './models/model-390.ts'
import {
  BOXES_111,
  BOXES_115,
  boxes130,
  hardToJustify,
  instalmentRules,
  quarterDeduction,
  SECTIONS_111,
  SECTIONS_115,
  SECTIONS_130,
} from './models/model-income.ts'
import { MODEL_SOURCES } from './models/names.ts'
import { crowdedWarnings } from './models/rate-lines.ts'
import { typedReturn } from './models/typed/typed-returns.ts'
import { quarterMonths, quarterReturn } from './calendar/periods.ts'
import type { ReturnPeriod } from './calendar/periods.ts'
import { findFilings, findInputs } from './rows.ts'
import { periodsOf } from './schemes/units.ts'
import type { FilingRow } from './rows.ts'

/** A computed return. Amounts are cents. */
export interface Computed {
  model: ModelNumber
  period: ReturnPeriod
  sections: Record<string, Bilingual>
  values: BoxValue[]
  lists: ModelList[]
  /** Amount to pay; negative in favour of the business; null when nothing is paid. */
  resultCents: Cents | null
  source: Bilingual
  warnings: FiscalWarning[]
}

const NONE: ReadonlyMap<string, number> = new Map()

/** Returns the value of a box of a computed return. */
export function boxCents(values: readonly BoxValue[], box: string): Cents {
  return values.find((value) => value.box.box === box)?.value ?? 0
}

const key = (year: number, quarter: number) => `${year} ${quarter}T`

interface Quarter {
  year: number
  quarter: number
}

/** Returns the totals of one period out of those of many months. */
function figuresOf(months: readonly MonthFigure[], { from, to }: Months): TaxTotalRow[] {
  return sumMonths(months.filter(({ month }) => month >= from && month <= to))
}

const keyOf = ({ year, code }: Pick<ReturnPeriod, 'year' | 'code'>) => `${year} ${code}`

const DECEMBER = 12

/** Returns what only the last period of a year has. */
function ofLastPeriod({ months }: ReturnPeriod, given: [string, number][]): [string, number][] {
  return months.to % 100 === DECEMBER ? given : []
}

/** A period of a periodic tax return: as computed, and the filing in force. */
export interface CarriedPeriod {
  period: ReturnPeriod
  values: BoxValue[]
  filing: FilingRow | null
}

/**
 * Computes a periodic tax return for consecutive periods, months or quarters as stated for each year. The amount to offset
 * passes from each to the next: as filed, else as computed, with a negative result assumed to be offset; an amount typed
 * into the box that takes it replaces it. Returns the periods by `year period`.
 */
async function computeCarried(
  ctx: Ctx,
  { model, boxes, carry, fromAssets }: CarriedReturn,
  last: ReturnPeriod,
): Promise<Map<string, CarriedPeriod>> {
  const began = await firstMonth(ctx)
  const periods = await periodsOf(ctx)
  const first = began === null || began > last.months.from ? last : periods.at(model, began)
  const months = await taxTotalsByMonth(ctx, { from: first.months.from, to: last.months.to })
  const before = periods.before(model, first)
  const years = { from: Math.min(before.year, last.year - 1), to: last.year }
  const filed = await findFilings(ctx, model, years)
  const typed = await findInputs(ctx, model, years)
  const assets = fromAssets === null ? null : await assetVat(ctx)
  const ofAssets = (year: number): [string, number][] =>
    fromAssets === null || assets === null ? [] : [[fromAssets, assets.adjustmentOf(year)]]
  const filedBefore = filed.get(keyOf(before))
  let left = filedBefore ? carry.leftOfFiling(filedBefore) : 0
  const found = new Map<string, CarriedPeriod>()
  for (let at = first; at.months.from <= last.months.from; at = periods.after(model, at)) {
    const name = keyOf(at)
    const inputs = typed.get(name) ?? NONE
    const figures = figuresOf(months, at.months)
    const values = evaluate(
      boxes(at.months.to, figures),
      figures,
      new Map([[carry.into, left], ...ofLastPeriod(at, ofAssets(at.year)), ...inputs]),
    )
    const filing = filed.get(name) ?? null
    found.set(name, { period: at, values, filing })
    left = filing ? carry.leftOfFiling(filing) : carry.left((box) => boxCents(values, box))
  }
  return found
}

const ofYear = (periods: ReadonlyMap<string, CarriedPeriod>, year: number): CarriedPeriod[] =>
  [...periods.values()].filter(({ period }) => period.year === year)

/** Returns a periodic tax return and what its form has no room for. */
async function carriedModel(
  ctx: Ctx,
  row: CarriedReturn,
  period: ReturnPeriod,
): Promise<Pick<Computed, 'sections' | 'values' | 'resultCents' | 'source' | 'warnings'>> {
  const values = (await computeCarried(ctx, row, period)).get(keyOf(period))?.values ?? []
  return {
    sections: row.sections,
    values,
    resultCents: boxCents(values, row.shown.result),
    source: row.source(period.months.to),
    warnings: crowdedWarnings(row.crowded(await taxTotals(ctx, period.months))),
  }
}

/** Returns income, expenses and withholding by customers, from January to the end of a quarter. */
function upTo(months: readonly MonthFigure[], year: number, quarter: number): TaxTotalRow[] {
  return sumMonths(months.filter(({ month }) => month <= quarterMonths(year, quarter).to))
}

async function compute130(ctx: Ctx, { year, quarter }: Quarter, profile: FiscalProfile): Promise<BoxValue[]> {
  const rules = instalmentRules(year)
  const all = { from: year * 100 + 1, to: quarterMonths(year, quarter).to }
  const months = await taxTotalsByMonth(ctx, all)
  const totals = await monthTotals(ctx, 'issued', all)
  const filed = await findFilings(ctx, '130', { from: year, to: year })
  const typed = await findInputs(ctx, '130', { from: year, to: year })
  const depreciated = await quarterDepreciation(ctx, year, quarter)
  const lastYearNet = typed.get(`${year} 0A`)?.get('lastYearNet') ?? null
  let paid = 0
  let negative = 0
  let depreciation = 0
  let values: BoxValue[] = []
  for (let at = 1; at <= quarter; at++) {
    const inputs = typed.get(key(year, at)) ?? NONE
    depreciation = inputs.get('depreciation') ?? depreciation
    const figures = upTo(months, year, at)
    const withheld = totals
      .filter(({ month }) => month <= quarterMonths(year, at).to)
      .reduce((sum, { withholdingCents }) => sum + withholdingCents, 0)
    const boxes = boxes130(rules)
    const ofAssets = depreciated
      .filter((each) => each.quarter <= at)
      .reduce((sum, { cents }) => sum + cents, 0)
    const given = new Map<string, number>([
      ...inputs,
      ['01', -(await soldWithInvoice(ctx, year, at))],
      ['assets', ofAssets],
      ['depreciation', depreciation],
      ['05', paid],
      ['06', withheld],
      ['13', quarterDeduction(lastYearNet, rules)],
    ])
    const draft = evaluate(boxes, figures, given)
    if (profile.incomeMethod === 'direct_simplified')
      given.set(
        'hard',
        hardToJustify(boxCents(draft, '01'), boxCents(draft, 'documented') + ofAssets + depreciation, rules),
      )
    const before = evaluate(boxes, figures, given)
    given.set('15', Math.min(negative, Math.max(0, boxCents(before, '14'))))
    values = evaluate(boxes, figures, given)
    const filing = filed.get(key(year, at))
    const amount = (box: string) => (filing ? (filing.boxes[box] ?? 0) : boxCents(values, box))
    paid += Math.max(0, amount('07')) - amount('16')
    negative += Math.max(0, -amount('19')) - amount('15')
  }
  return values
}

interface Withheld {
  recipients: number
  baseCents: Cents
  amountCents: Cents
}

function withheldFor(rows: readonly WithholdingFigure[], reason: WithholdingFigure['reason']): Withheld {
  const found = rows.filter((row) => row.reason === reason)
  return {
    recipients: found.length,
    baseCents: found.reduce((sum, { baseCents }) => sum + baseCents, 0),
    amountCents: found.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}

async function compute111(
  ctx: Ctx,
  period: ReturnPeriod,
  inputs: ReadonlyMap<string, number>,
): Promise<BoxValue[]> {
  const rows = await withholdingTotals(ctx, period.months)
  const professional = withheldFor(rows, 'professional')
  return evaluate(
    BOXES_111,
    [],
    new Map([
      ...inputs,
      ['07', professional.recipients],
      ['08', professional.baseCents],
      ['09', professional.amountCents],
    ]),
  )
}

async function compute115(
  ctx: Ctx,
  period: ReturnPeriod,
  inputs: ReadonlyMap<string, number>,
): Promise<BoxValue[]> {
  const rent = withheldFor(await withholdingTotals(ctx, period.months), 'rent')
  return evaluate(
    BOXES_115,
    [],
    new Map([...inputs, ['01', rent.recipients], ['02', rent.baseCents], ['03', rent.amountCents]]),
  )
}

async function compute390(
  ctx: Ctx,
  period: ReturnPeriod,
  inputs: ReadonlyMap<string, number>,
): Promise<BoxValue[]> {
  const periods = await periodsOf(ctx)
  const row = carriedReturn('303')!
  const all = await computeCarried(ctx, row, periods.at('303', period.months.to))
  const ofYear = [1, 2, 3, 4].flatMap((quarter) => periods.inQuarter('303', { year: period.year, quarter }))
  const values = ofYear.map((each) => all.get(keyOf(each))?.values ?? [])
  const brought = boxCents(values[0] ?? [], '110')
  const applied = values.reduce((sum, each) => sum + boxCents(each, '78'), 0)
  const assets = await assetVat(ctx)
  return evaluate(
    boxes390(),
    await taxTotals(ctx, period.months),
    new Map([
      ['63', assets.adjustmentOf(period.year)],
      ['107', assets.salesOf(period.year)],
      ...inputs,
      ['85', Math.min(brought, applied)],
    ]),
  )
}

/** Computes one return; `computed.values` is empty when Sello does not compute it. */
export async function computeModel(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
  profile: FiscalProfile,
): Promise<Computed> {
  const base = { model, period, lists: [], source: MODEL_SOURCES[model], warnings: [] }
  const { year } = period
  const quarter = period.quarter ?? 4
  const inputs =
    (await findInputs(ctx, model, { from: year, to: year })).get(`${year} ${period.code}`) ?? NONE
  const row = carriedReturn(model)
  if (row) return { ...base, ...(await carriedModel(ctx, row, period)) }
  switch (model) {
    case '303':
    case '420':
      throw new Error(`Model ${model} is a periodic return.`)
    case '425': {
      const quarters = await computeCarried(ctx, carriedReturn('420')!, quarterReturn(year, 4))
      const figures = await taxTotals(ctx, period.months)
      return { ...base, ...compute425(figures, ofYear(quarters, year), inputs) }
    }
    case '415':
      return { ...base, ...(await list415(ctx, year)) }
    case '390': {
      const values = await compute390(ctx, period, inputs)
      return { ...base, sections: SECTIONS_390, values, resultCents: null }
    }
    case '130': {
      const values = await compute130(ctx, { year, quarter }, profile)
      const { source } = instalmentRules(year)
      return { ...base, sections: SECTIONS_130, values, resultCents: boxCents(values, '19'), source }
    }
    case '111': {
      const values = await compute111(ctx, period, inputs)
      return { ...base, sections: SECTIONS_111, values, resultCents: boxCents(values, '30') }
    }
    case '115': {
      const values = await compute115(ctx, period, inputs)
      return { ...base, sections: SECTIONS_115, values, resultCents: boxCents(values, '05') }
    }
    case '309':
      return notComputed(model, period)
    case '131':
    case '123':
      return { ...base, ...typedReturn(model, inputs) }
    case '347':
      return { ...base, ...(await list347(ctx, year)) }
    case '349':
      return { ...base, ...(await list349(ctx, period)) }
    case '369':
      return { ...base, ...(await list369(ctx, period)) }
    case '190':
      return { ...base, ...(await list190(ctx, period)) }
    case '180':
      return { ...base, ...(await list180(ctx, period)) }
  }
}

/** Returns the result for a return that Sello lists but does not compute. */
export function notComputed(model: ModelNumber, period: ReturnPeriod): Computed {
  return {
    model,
    period,
    sections: {},
    values: [],
    lists: [],
    resultCents: null,
    source: MODEL_SOURCES[model],
    warnings: [],
  }
}

/**
 * Returns the part of the year's income that was subject to withholding, in basis points; null when there was no
 * income.
 */
export async function withheldShareBp(ctx: Ctx, year: number): Promise<number | null> {
  const months = await monthTotals(ctx, 'issued', { from: year * 100 + 1, to: year * 100 + 12 })
  const sum = (pick: (month: MonthTotal) => number) => months.reduce((total, month) => total + pick(month), 0)
  const income = sum(({ incomeCents }) => incomeCents)
  if (income <= 0) return null
  return Math.round((sum(({ withheldBaseCents }) => withheldBaseCents) * 10_000) / income)
}
