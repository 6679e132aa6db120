/** The returns as outsiders see them: which apply, their results, terms and boxes. */
import { findCompany } from '../company/index.ts'
import type { CompanyRow } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { eurosFromCents } from '../core/money.ts'
import type { Cents } from '../core/money.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { euFigures, taxFigures, withholdingFigures } from '../figures/index.ts'
import { formulaWords } from './boxes.ts'
import type { BoxValue } from './boxes.ts'
import { computeModel, withheldShareBp } from './compute.ts'
import type { Computed } from './compute.ts'
import type {
  FiscalModel,
  FiscalProfile,
  FiscalWarning,
  Filing,
  ModelNumber,
  ModelSummary,
  Outcome,
} from './contract.ts'
import { instalmentRules } from './model-income.ts'
import { MODEL_NAMES } from './names.ts'
import { quarterObligation, yearObligation } from './obligations.ts'
import { quarterReturn, returnPeriod, yearReturn } from './periods.ts'
import type { ReturnPeriod } from './periods.ts'
import { qualityOf, warningsOf } from './quality.ts'
import { findFilings, findProfile } from './rows.ts'
import type { FilingRow } from './rows.ts'

export const QUARTERLY: readonly ModelNumber[] = ['303', '130', '111', '115', '349', '369']
export const YEARLY: readonly ModelNumber[] = ['390', '347', '190', '180']

/** What decides which returns a business files in a period. */
export interface Standing {
  company: CompanyRow
  profile: FiscalProfile
  reasons: ReadonlySet<string>
  hasEu: boolean
  hasOneStopShop: boolean
  /** Of the year before; the part of the income that bore withholding. */
  withheldBp: number | null
}

export async function standingOf(ctx: Ctx, period: ReturnPeriod): Promise<Standing> {
  const company = await findCompany(ctx)
  const withheld = await withholdingFigures(ctx, period.months)
  const figures = await taxFigures(ctx, period.months)
  return {
    company,
    profile: await findProfile(ctx, company.kind),
    reasons: new Set(withheld.map(({ reason }) => reason)),
    hasEu: (await euFigures(ctx, period.months)).length > 0,
    hasOneStopShop: figures.some(({ side, regimeKey }) => side === 'issued' && regimeKey === '17'),
    withheldBp: await withheldShareBp(ctx, period.year - 1),
  }
}

/** Why a return is not filed in the period, or null when it is. */
export function whyNot(model: ModelNumber, standing: Standing, year: number): string | null {
  const { company, profile, reasons } = standing
  switch (model) {
    case '303':
    case '390':
      if (company.territory !== 'mainland') return 'territory'
      return company.vat_regime === 'exempt' || company.vat_regime === 'surcharge' ? 'vat_regime' : null
    case '130':
      if (company.kind === 'legal') return 'company'
      if (profile.incomeMethod === 'modules') return 'modules'
      if (profile.incomeMethod === 'none') return 'no_activity'
      return (standing.withheldBp ?? 0) >= instalmentRules(year).exemptFromBp ? 'withheld_share' : null
    case '111':
    case '190':
      return reasons.has('professional') || reasons.has('work') ? null : 'nothing_withheld'
    case '115':
    case '180':
      return reasons.has('rent') ? null : 'nothing_withheld'
    case '349':
      return standing.hasEu ? null : 'no_eu'
    case '369':
      return standing.hasOneStopShop ? null : 'no_one_stop_shop'
    case '347':
      return null
  }
}

const CENTS_TO_PERCENT = 100

function boxNumber({ box, value }: BoxValue): number {
  if (box.kind === 'count') return value
  return box.kind === 'percent' ? value / CENTS_TO_PERCENT : eurosFromCents(value)
}

/** What a negative result usually becomes: refund only where the year ends, else offset. */
function usualOutcome(resultCents: Cents | null): Outcome {
  if (resultCents === null || resultCents === 0) return 'none'
  return resultCents > 0 ? 'pay' : 'offset'
}

function filingView(filing: FilingRow, computed: Computed): Filing {
  const differences = computed.values.flatMap((value) => {
    const filed = filing.boxes[value.box.box] ?? 0
    if (filed === value.value) return []
    return [
      {
        box: value.box.box,
        filed: boxNumber({ ...value, value: filed }),
        now: boxNumber(value),
      },
    ]
  })
  return {
    id: filing.publicId,
    filedOn: filing.filedOn,
    outcome: filing.outcome,
    result: eurosFromCents(filing.resultCents),
    reference: filing.reference,
    differences,
  }
}

async function summaryOf(ctx: Ctx, computed: Computed, standing: Standing): Promise<ModelSummary> {
  const { model, period, resultCents } = computed
  const today = ctx.today()
  const term =
    period.quarter === null
      ? yearObligation(model, period.year, today)
      : quarterObligation(model, period.year, period.quarter, today)
  const filings = await findFilings(ctx, model, { from: period.year, to: period.year })
  const filing = filings.get(`${period.year} ${period.code}`)
  const why = whyNot(model, standing, period.year)
  return {
    model,
    name: MODEL_NAMES[model],
    period: period.code,
    year: period.year,
    applies: why === null,
    why,
    result: resultCents === null ? null : eurosFromCents(resultCents),
    outcome: filing?.outcome ?? usualOutcome(resultCents),
    dueFrom: term.dueFrom,
    dueTo: term.dueTo,
    directDebitTo: term.directDebitTo ?? null,
    status: term.status,
    filing: filing ? filingView(filing, computed) : null,
  }
}

/** Warnings that a return has of its own. */
function ownWarnings(computed: Computed, why: string | null): FiscalWarning[] {
  const warnings = [...computed.warnings]
  if (why === 'modules')
    warnings.push({
      code: 'modules',
      severity: 'info',
      message: 'Businesses under modules file model 131, whose figures Sello does not know.',
    })
  if (why === 'withheld_share')
    warnings.push({
      code: 'withheld_share',
      severity: 'info',
      message:
        'At least 70 % of last year’s income bore withholding, so no instalment is due (RIRPF art. 109.1).',
    })
  if (why === 'vat_regime')
    warnings.push({
      code: 'vat_regime',
      severity: 'info',
      message: 'Under this VAT scheme the return is not filed.',
    })
  if (why === 'territory')
    warnings.push({
      code: 'territory',
      severity: 'info',
      message: 'VAT does not apply in the Canary Islands, Ceuta and Melilla.',
    })
  return warnings
}

/** A whole return as outsiders see it. */
export async function modelView(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<FiscalModel> {
  const standing = await standingOf(ctx, period)
  const computed = await computeModel(ctx, model, period, standing.profile)
  const summary = await summaryOf(ctx, computed, standing)
  const quality = await qualityOf(ctx, period)
  return {
    ...summary,
    estimate: true,
    mode: ctx.book.mode,
    sections: Object.entries(computed.sections).map(([id, title]) => ({ id, title })),
    boxes: computed.values.map((value) => ({
      box: value.box.box,
      section: value.box.section,
      label: value.box.label,
      kind: value.box.kind ?? 'amount',
      amount: boxNumber(value),
      formula: formulaWords(value.box),
      documents: value.documents,
      input: value.box.input === true,
    })),
    lists: computed.lists,
    warnings: [...ownWarnings(computed, summary.why), ...warningsOf(quality, period, ctx.today())],
    source: computed.source,
  }
}

/** One return with all its boxes. */
export const fiscalModel: UseCase<ParsedInputOf<'fiscal.model'>, OutputOf<'fiscal.model'>> = (ctx, input) =>
  modelView(ctx, input.model, returnPeriod(input.model, input.year, input.quarter))

/** The returns of a quarter; after the fourth also those of the year. */
export const fiscalModels: UseCase<ParsedInputOf<'fiscal.models'>, OutputOf<'fiscal.models'>> = async (
  ctx,
  { year, quarter },
) => {
  const period = quarterReturn(year, quarter)
  const standing = await standingOf(ctx, period)
  const models: ModelSummary[] = []
  for (const model of QUARTERLY)
    models.push(await summaryOf(ctx, await computeModel(ctx, model, period, standing.profile), standing))
  if (quarter === 4) {
    const whole = yearReturn(year)
    const ofYear = await standingOf(ctx, whole)
    for (const model of YEARLY)
      models.push(await summaryOf(ctx, await computeModel(ctx, model, whole, ofYear.profile), ofYear))
  }
  return {
    year,
    quarter,
    mode: ctx.book.mode,
    estimate: true,
    models,
    warnings: warningsOf(await qualityOf(ctx, period), period, ctx.today()),
  }
}

/** Everything a return computed, for the slice's other use cases. */
export async function computedOf(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<Computed> {
  const company = await findCompany(ctx)
  return computeModel(ctx, model, period, await findProfile(ctx, company.kind))
}

/** Models of a period in the order they are shown. */
export function modelsOf(quarter: number): ModelNumber[] {
  return quarter === 4 ? [...QUARTERLY, ...YEARLY] : [...QUARTERLY]
}
