/** Returns as API output: which apply, with results, filing periods and boxes. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { formulaMessage } from './boxes.ts'
import type { BoxValue } from './boxes.ts'
import { goodsWithoutAsset, missingProratas } from '../../assets/index.ts'
import { boxCents, computeModel, notComputed } from '../compute.ts'
import type { Computed } from '../compute.ts'
import type {
  Filing,
  FiscalModel,
  fiscalModelContract,
  fiscalModelsContract,
  FiscalWarning,
  ModelNumber,
  ModelSummary,
  Outcome,
} from '../contract.ts'
import { elsewhereReturns } from './elsewhere.ts'
import { MODEL_NAMES } from './names.ts'
import { obligationOf } from '../calendar/obligations.ts'
import { quarterReturn, yearReturn } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { qualityOf, warningsOf } from '../quality/quality.ts'
import { findFilings, findInputs } from '../rows.ts'
import type { FilingRow } from '../rows.ts'
import { standingOf, verdictOf } from '../calendar/filing-duty.ts'
import type { Standing, Verdict } from '../calendar/filing-duty.ts'
import { returnsListedFor, taxOfReturn } from '../calendar/return-rows.ts'
import { findCompany } from '../../../company/index.ts'
import { taxSystemOf } from '../../../tax/systems/index.ts'
import { periodsOf, returnPeriod } from '../schemes/units.ts'
import { isTypedModel } from './typed/typed-returns.ts'
import { schemeWarnings } from '../quality/scheme-limits.ts'
import { replacedElsewhere } from '../quality/replaced-elsewhere.ts'
import { withheldForOther, withheldUnpaid } from '../quality/withheld-unpaid.ts'

const CENTS_TO_PERCENT = 100

function boxNumber({ box, value }: BoxValue): number {
  if (box.kind === 'count' || box.kind === 'code') return value
  return box.kind === 'percent' ? value / CENTS_TO_PERCENT : eurosFromCents(value)
}

/** Returns the usual outcome of a negative result: refund at the end of the year, else offset. */
function usualOutcome(resultCents: Cents | null): Outcome {
  if (resultCents === null || resultCents === 0) return 'none'
  return resultCents > 0 ? 'pay' : 'offset'
}

/** Boxes that a later return takes from the earlier one, or that depend on it: the books alone do not give them. */
const FROM_EARLIER: Partial<Record<ModelNumber, readonly string[]>> = {
  '303': ['70', '109', '71'],
  '130': ['18', '19'],
  '111': ['29', '30'],
  '115': ['04', '05'],
  '123': ['13', '14'],
  '131': ['14', '15'],
  '420': ['44', '45'],
}

const isOfEarlier = ({ nature }: FilingRow, model: ModelNumber, box: string): boolean =>
  nature !== 'first' && FROM_EARLIER[model]?.includes(box) === true

/** A typed return that was marked as filed before anything was typed has no figures to compare. */
const hasFigures = ({ boxes }: FilingRow, { model, resultCents }: Computed): boolean =>
  !isTypedModel(model) || (resultCents !== null && Object.keys(boxes).length > 0)

function filingView(filing: FilingRow, computed: Computed): Filing {
  const compared = hasFigures(filing, computed) ? computed.values : []
  const differences = compared.flatMap((value) => {
    const filed = filing.boxes[value.box.box] ?? 0
    if (filed === value.value || isOfEarlier(filing, computed.model, value.box.box)) return []
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
    source: filing.source,
    differences,
  }
}

async function summaryOf(ctx: Ctx, computed: Computed, standing: Standing): Promise<ModelSummary> {
  const { model, period, resultCents } = computed
  const today = ctx.today()
  const term = obligationOf(model, period, today)
  const filings = await findFilings(ctx, model, { from: period.year, to: period.year })
  const filing = filings.get(`${period.year} ${period.code}`)
  const verdict = verdictOf(model, standing, period.year)
  return {
    model,
    name: MODEL_NAMES[model],
    period: period.code,
    year: period.year,
    ...verdict,
    result: resultCents === null ? null : eurosFromCents(resultCents),
    outcome: filing?.outcome ?? usualOutcome(resultCents),
    dueFrom: term.dueFrom,
    dueTo: term.dueTo,
    directDebitTo: term.directDebitTo ?? null,
    sure: term.sure,
    status: term.status,
    filing: filing ? filingView(filing, computed) : null,
  }
}

const SIMPLIFIED: FiscalWarning = {
  code: 'simplified_scheme',
  severity: 'warning',
  message:
    'Under the simplified scheme (modules) Sello does not compute the VAT return (303): prepare it elsewhere. The boxes of the instalment (131) are typed.',
}

/** Computes a return, or returns it without amounts when Sello does not compute it. */
async function computedFor(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
  standing: Standing,
): Promise<Computed> {
  return isTypedModel(model) || verdictOf(model, standing, period.year).computed
    ? computeModel(ctx, model, period, standing.profile)
    : notComputed(model, period)
}

/** Returns the warnings specific to a return. */
function ownWarnings(computed: Computed, { why }: Verdict, standing: Standing): FiscalWarning[] {
  const warnings = [...computed.warnings]
  if (isTypedModel(computed.model))
    warnings.push({
      code: 'typed_return',
      severity: 'info',
      message: `Every figure of model ${computed.model} is typed by a person: none is from the books.`,
    })
  if (why === 'simplified') warnings.push(SIMPLIFIED)
  if (why === 'not_computed')
    warnings.push({
      code: 'not_computed',
      severity: 'warning',
      message: `Sello does not compute model ${computed.model}: prepare it elsewhere.`,
    })
  if ((computed.model === '111' || computed.model === '190') && standing.wages === 'unknown')
    warnings.push({
      code: 'wages_unknown',
      severity: 'warning',
      message:
        'Sello knows wages only as they are typed into boxes 01 to 06 of form 111: write them, or 0 where nobody was paid.',
    })
  if (why === 'modules')
    warnings.push({
      code: 'modules',
      severity: 'info',
      message: 'Businesses under modules file form 131, whose figures Sello does not know.',
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
      message: 'The return declares a tax that does not apply in the territory of the business.',
    })
  return warnings
}

/** Returns what the register of fixed assets lacks for a return. */
async function assetWarnings(ctx: Ctx, computed: Computed): Promise<FiscalWarning[]> {
  const { model, period, values } = computed
  const warnings: FiscalWarning[] = []
  if (model === '130' && values.length > 0) {
    const count = await goodsWithoutAsset(ctx, period.to)
    if (count > 0)
      warnings.push({
        code: 'goods_without_asset',
        severity: 'warning',
        count,
        message: 'Goods bought are not in the register of fixed assets: their depreciation does not count.',
      })
    if (boxCents(values, 'assets') > 0 && boxCents(values, 'depreciation') > 0)
      warnings.push({
        code: 'depreciation_twice',
        severity: 'warning',
        message:
          'Depreciation is typed, and that of the registered assets counts too: type only what is not in the register.',
      })
  }
  if (model === '303' || model === '390') {
    const missing = period.months.to % 100 === 12 ? await missingProratas(ctx, period.year) : []
    if (missing.length > 0)
      warnings.push({
        code: 'prorata_missing',
        severity: 'warning',
        count: missing.length,
        message:
          'Investment goods are to be regularised, and the final pro rata of a year is not stated: nothing counts for it.',
      })
  }
  return warnings
}

async function otherWarnings(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<FiscalWarning[]> {
  const count = model === '111' || model === '190' ? await withheldForOther(ctx, period) : 0
  if (count === 0) return []
  return [
    {
      code: 'withheld_other',
      severity: 'warning',
      count,
      message:
        'Received invoices bear a withholding that is neither of professionals nor of rent: no return here declares it.',
    },
  ]
}

async function unpaidWarnings(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<FiscalWarning[]> {
  const count = await withheldUnpaid(ctx, model, period)
  if (count === 0) return []
  return [
    {
      code: 'withheld_unpaid',
      severity: 'warning',
      count,
      message:
        'Invoices with withholding are not paid within the period: it is declared when it is paid (RIRPF art. 78), and here it counts by the date of the invoice.',
    },
  ]
}

/** Returns a whole return as API output. */
export async function modelView(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<FiscalModel> {
  const standing = await standingOf(ctx, period)
  const computed = await computedFor(ctx, model, period, standing)
  const typed = (await findInputs(ctx, model, { from: period.year, to: period.year })).get(
    `${period.year} ${period.code}`,
  )
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
      formula: formulaMessage(value.box),
      documents: value.documents,
      input: value.box.input === true,
      typed: typed?.has(value.box.box) === true,
    })),
    lists: computed.lists,
    warnings: [
      ...ownWarnings(computed, summary, standing),
      ...(await unpaidWarnings(ctx, model, period)),
      ...(await otherWarnings(ctx, model, period)),
      ...(await assetWarnings(ctx, computed)),
      ...(await replacedElsewhere(ctx, model, period)),
      ...(taxOfReturn(model) === undefined ? [] : await schemeWarnings(ctx, standing.company, period.year)),
      ...warningsOf(quality, period, ctx.today()),
    ],
    source: computed.source,
    ...(await neighboursOf(ctx, model, period)),
  }
}

/** Returns the periods before and after one. */
async function neighboursOf(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
): Promise<Pick<FiscalModel, 'earlier' | 'later'>> {
  const periods = await periodsOf(ctx)
  const named = ({ year, code }: ReturnPeriod) => ({ year, period: code })
  return { earlier: named(periods.before(model, period)), later: named(periods.after(model, period)) }
}

/** Returns one return with all its boxes. */
export const fiscalModel: UseCase<typeof fiscalModelContract> = (ctx, input) =>
  returnPeriod(ctx, input.model, input).then((period) => modelView(ctx, input.model, period))

/** Lists the returns of a quarter; after the fourth, also those of the year. */
export const fiscalModels: UseCase<typeof fiscalModelsContract> = async (ctx, { year, quarter }) => {
  const period = quarterReturn(year, quarter)
  const standing = await standingOf(ctx, period)
  const standings = new Map([[period.code, standing]])
  const models: ModelSummary[] = []
  for (const [model, each] of await returnsOfQuarter(ctx, { year, quarter })) {
    const own = standings.get(each.code) ?? (await standingOf(ctx, each))
    standings.set(each.code, own)
    // A return that only a person can add is not named before.
    if (verdictOf(model, own, each.year).why === 'not_added') continue
    models.push(await summaryOf(ctx, await computedFor(ctx, model, each, own), own))
  }
  return {
    year,
    quarter,
    mode: ctx.book.mode,
    estimate: true,
    models,
    elsewhere: [...elsewhereReturns(standing.company)],
    warnings: [
      ...(standing.company.vat_regime === 'simplified' &&
      taxSystemOf(standing.company.territory).regimeOf('simplified')
        ? [SIMPLIFIED]
        : []),
      ...(await schemeWarnings(ctx, standing.company, year)),
      ...warningsOf(await qualityOf(ctx, period), period, ctx.today()),
    ],
  }
}

/** Returns one return with its result and deadlines, as in the list of its period. */
export async function modelSummary(
  ctx: Ctx,
  model: ModelNumber,
  period: ReturnPeriod,
): Promise<ModelSummary> {
  const standing = await standingOf(ctx, period)
  return summaryOf(ctx, await computedFor(ctx, model, period, standing), standing)
}

/** Returns a computed return, for other use cases of the slice. */
export async function computedOf(ctx: Ctx, model: ModelNumber, period: ReturnPeriod): Promise<Computed> {
  return computedFor(ctx, model, period, await standingOf(ctx, period))
}

/** Returns the returns of a quarter in display order, by months where they are filed so; after the fourth, those of the year. */
export async function returnsOfQuarter(
  ctx: Ctx,
  { year, quarter }: { year: number; quarter: number },
): Promise<[ModelNumber, ReturnPeriod][]> {
  const periods = await periodsOf(ctx)
  const { quarterly, yearly } = returnsListedFor(await findCompany(ctx))
  return [
    ...quarterly.flatMap((model) =>
      periods
        .inQuarter(model, { year, quarter })
        .map((period): [ModelNumber, ReturnPeriod] => [model, period]),
    ),
    ...(quarter === 4 ? yearly.map((model): [ModelNumber, ReturnPeriod] => [model, yearReturn(year)]) : []),
  ]
}
