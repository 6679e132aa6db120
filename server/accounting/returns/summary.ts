/** Fiscal summary of a month, a quarter or a year, from stored tax totals: an estimate, never a filing. */
import { findCompany } from '../../company/index.ts'
import { addDays, addYears, monthPeriod, quarterOf, quarterPeriod, yearPeriod } from '../../domain/dates.ts'
import type { BusinessDate, Period } from '../../domain/dates.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type { fiscalSummaryContract } from './contract.ts'
import type { Ctx } from '../../context.ts'
import {
  monthNumber,
  monthTotals,
  partiesAbove,
  taxTotals,
  topParties,
  withholdingTotals,
} from '../../tax/totals/index.ts'
import type { Months, Side, TaxTotalRow } from '../../tax/totals/index.ts'
import { thirdPartyLimit } from './models/lists.ts'
import { obligationOf } from './calendar/obligations.ts'
import type { Obligation } from './calendar/obligations.ts'
import { periodUnit, previousQuarter, quarterReturn } from './calendar/periods.ts'
import { returnsOfQuarter } from './models/models.ts'
import { qualityOf } from './quality/quality.ts'
import { findFilings } from './rows.ts'
import { collected, deductible, made, ofTax, received, selectorsOf } from './models/selectors.ts'
import type { TaxFamily } from '../../tax/systems/contract.ts'
import { familyOf } from './calendar/return-rows.ts'
import { isSelfAssessed } from '../../tax/totals/index.ts'
import { standingOf, verdictOf } from './calendar/filing-duty.ts'
import type { Standing, Verdict } from './calendar/filing-duty.ts'

import type { PurchasesElsewhere, ReadPurchasesElsewhere } from './ports.ts'

type Summary = ContractOutput<typeof fiscalSummaryContract>

const TOP_CLIENTS = 5
/** Most customers above the limit of model 347 in the summary; the return itself lists all. */
const THIRD_PARTIES = 50

interface NamedPeriod extends Period {
  label: string
  quarters: number[]
  months: Months
  /** Period key in the totals by party: 202607, 202623 or 202600. */
  partyPeriod: number
}

function periodOf({ year, quarter, month }: ContractInput<typeof fiscalSummaryContract>): NamedPeriod {
  if (quarter !== undefined && month !== undefined)
    throw validationFailed([
      {
        code: 'period_ambiguous',
        field: 'month',
        severity: 'error',
        message: 'Give a quarter or a month, not both.',
        fix: 'Leave one of them out.',
      },
    ])
  if (month !== undefined)
    return {
      ...monthPeriod(year, month),
      label: `${year}-${String(month).padStart(2, '0')}`,
      quarters: [Math.ceil(month / 3)],
      months: { from: year * 100 + month, to: year * 100 + month },
      partyPeriod: year * 100 + month,
    }
  if (quarter !== undefined)
    return {
      ...quarterPeriod(year, quarter),
      label: `${quarter}T ${year}`,
      quarters: [quarter],
      months: monthsOf(quarterPeriod(year, quarter)),
      partyPeriod: year * 100 + 20 + quarter,
    }
  return {
    ...yearPeriod(year),
    label: String(year),
    quarters: [1, 2, 3, 4],
    months: monthsOf(yearPeriod(year)),
    partyPeriod: year * 100,
  }
}

/** Returns the months of a period. */
function monthsOf(period: Period): Months {
  return { from: monthNumber(period.from), to: monthNumber(period.to) }
}

const sum = <T>(list: readonly T[], pick: (item: T) => number) =>
  list.reduce((total, item) => total + pick(item), 0)

type ByRate = Summary['output']['byRate']

/** Returns taxed operations by rate and surcharge, highest first. */
function byRate(figures: readonly TaxTotalRow[], tax: (figure: TaxTotalRow) => Cents): ByRate {
  const rates = new Map<
    string,
    { vatRateBp: number; surchargeBp: number; base: Cents; tax: Cents; surcharge: Cents }
  >()
  for (const figure of figures) {
    const key = `${figure.vatRateBp}|${figure.surchargeBp}`
    const row = rates.get(key) ?? {
      vatRateBp: figure.vatRateBp,
      surchargeBp: figure.surchargeBp,
      base: 0,
      tax: 0,
      surcharge: 0,
    }
    row.base += figure.baseCents
    row.tax += tax(figure)
    row.surcharge += figure.surchargeCents
    rates.set(key, row)
  }
  return [...rates.values()]
    .filter((row) => row.base !== 0 || row.tax !== 0 || row.surcharge !== 0)
    .sort((a, b) => b.vatRateBp - a.vatRateBp || a.surchargeBp - b.surchargeBp)
    .map((row) => ({
      rate: percentFromBasisPoints(Math.max(0, row.vatRateBp)),
      base: eurosFromCents(row.base),
      quota: eurosFromCents(row.tax),
      ...(row.surchargeBp < 0 ? {} : { surchargeRate: percentFromBasisPoints(row.surchargeBp) }),
      surcharge: eurosFromCents(row.surcharge),
    }))
}

async function documents(ctx: Ctx, side: Side, months: Months): Promise<number> {
  return sum(await monthTotals(ctx, side, months), (month) => month.documents)
}

const issuedHere = (figure: TaxTotalRow) => figure.side === 'issued' && collected(figure)
const quotaOf = (figure: TaxTotalRow) => figure.taxCents + figure.surchargeCents

async function outputOf(
  ctx: Ctx,
  months: Months,
  figures: readonly TaxTotalRow[],
): Promise<Summary['output']> {
  const issued = figures.filter(issuedHere)
  const baseOf = (match: (figure: TaxTotalRow) => boolean) =>
    eurosFromCents(sum(issued.filter(match), (figure) => figure.baseCents))
  const baseCents = sum(issued, (figure) => figure.baseCents)
  const quotaCents = sum(issued, quotaOf)
  return {
    byRate: byRate(
      issued.filter(({ taxTreatment }) => taxTreatment === 'S1'),
      (figure) => figure.taxCents,
    ),
    exemptBase: baseOf(({ taxTreatment }) => taxTreatment.startsWith('E')),
    notSubjectBase: baseOf(({ taxTreatment }) => taxTreatment.startsWith('N')),
    reverseChargeBase: baseOf(({ taxTreatment }) => taxTreatment === 'S2'),
    base: eurosFromCents(baseCents),
    quota: eurosFromCents(quotaCents),
    total: eurosFromCents(baseCents + quotaCents),
    invoices: await documents(ctx, 'issued', months),
  }
}

interface Bought {
  deductibleCents: Cents
  selfAssessedCents: Cents
  figures: TaxTotalRow[]
}

function boughtOf(figures: readonly TaxTotalRow[], family: TaxFamily): Bought {
  const isOwn = ofTax(family)
  const purchases = figures.filter((figure) => received(figure) && isOwn(figure))
  const deducted = purchases.filter((figure) => deductible(figure) && collected(figure))
  return {
    deductibleCents: sum(deducted, (figure) => figure.deductibleCents),
    selfAssessedCents: sum(
      purchases.filter((figure) => made(figure) && isSelfAssessed('received', figure)),
      (figure) => figure.taxCents,
    ),
    figures: deducted,
  }
}

/** Returns the output VAT and surcharge of a period of whole months, in cents. */
export async function outputVat(ctx: Ctx, period: Period): Promise<Cents> {
  return sum((await taxTotals(ctx, monthsOf(period))).filter(issuedHere), quotaOf)
}

/**
 * Returns the result as in the periodic return of the business: tax of other countries (one-stop shop) and of other
 * territories is settled elsewhere.
 */
function resultOf(figures: readonly TaxTotalRow[], bought: Bought, family: TaxFamily): Cents {
  return (
    sum(figures.filter(selectorsOf(family).taxedSales), quotaOf) +
    bought.selfAssessedCents -
    bought.deductibleCents
  )
}

async function compareWith(ctx: Ctx, period: Period): Promise<Summary['compare']['previousPeriod']> {
  const months = monthsOf(period)
  const { base, quota, total } = await outputOf(ctx, months, await taxTotals(ctx, months))
  return { from: period.from, to: period.to, base, quota, total }
}

/** Returns the range of the same length that ends the day before. */
function previousOf(input: ContractInput<typeof fiscalSummaryContract>): Period {
  const { year, quarter, month } = input
  if (month !== undefined) return month === 1 ? monthPeriod(year - 1, 12) : monthPeriod(year, month - 1)
  if (quarter !== undefined)
    return quarter === 1 ? quarterPeriod(year - 1, 4) : quarterPeriod(year, quarter - 1)
  return yearPeriod(year - 1)
}

const ESTIMATE = 'An estimate to prepare by, until the return is filed.'
const NO_PURCHASES = 'Purchases are not known, so deductible VAT is not included.'
const FROM_ERP =
  'Purchases read from the accounting system count by the day of the document, with all their VAT as deductible; VAT books and forms count only what is entered here.'
const ERP_PARTLY = 'The accounting system was not read over the whole period.'
const SIMPLIFIED =
  'Under the simplified scheme Sello computes neither the VAT return nor the instalment (131).'
const WAGES =
  'Wages are known only as they are typed into form 111, so whether forms 111 and 190 are due is not known.'
const ISSUED_ONLY = 'Only issued invoices count, in the month of their operation; drafts do not.'

const isWithin = (inner: Months, outer: Months): boolean => inner.from >= outer.from && inner.to <= outer.to

/** Returns the obligations of the period: the returns that apply, or may apply, as in the list of returns. */
async function obligationsOf(ctx: Ctx, period: NamedPeriod, year: number): Promise<Summary['obligations']> {
  const today = ctx.today()
  const due: Omit<Summary['obligations'][number], 'filed'>[] = []
  const add = (term: Obligation, { applies, computed }: Verdict) => {
    if (applies !== false) due.push({ ...term, applies, computed })
  }
  const standings = new Map<string, Standing>()
  for (const quarter of period.quarters)
    for (const [model, each] of await returnsOfQuarter(ctx, { year, quarter })) {
      // Of a month, only its own return where that is filed by months.
      if (periodUnit(each.code) === 'month' && !isWithin(each.months, period.months)) continue
      const standing = standings.get(each.code) ?? (await standingOf(ctx, each))
      standings.set(each.code, standing)
      add(obligationOf(model, each, today), verdictOf(model, standing, year))
    }
  const filed = new Set<string>()
  for (const form of new Set(due.map((obligation) => obligation.form)))
    for (const key of (await findFilings(ctx, form, { from: year, to: year })).keys())
      filed.add(`${form} ${key}`)
  return due.map((obligation) => {
    const [first] = obligation.period.split(' ')
    const code = first === obligation.period ? '0A' : first
    return { ...obligation, filed: filed.has(`${obligation.form} ${year} ${code}`) }
  })
}

/** Merges the rates of the books and of the accounting system into one table. */
function withErp(books: ByRate, { byRate: rates }: PurchasesElsewhere): ByRate {
  const merged = books.map((row) => ({ ...row }))
  for (const { vatBp, baseCents, taxCents } of rates) {
    const rate = percentFromBasisPoints(Math.max(0, vatBp))
    const row = merged.find((each) => each.rate === rate && each.surchargeRate === undefined)
    if (row) {
      row.base = eurosFromCents(Math.round(row.base * 100) + baseCents)
      row.quota = eurosFromCents(Math.round(row.quota * 100) + taxCents)
    } else if (baseCents !== 0 || taxCents !== 0)
      merged.push({ rate, base: eurosFromCents(baseCents), quota: eurosFromCents(taxCents), surcharge: 0 })
  }
  return merged.toSorted((a, b) => b.rate - a.rate)
}

function erpView(erp: PurchasesElsewhere, period: Period): NonNullable<Summary['input']['erp']> {
  const { invoices, here, withoutRate, uncertain, issuedElsewhere, readFrom, readUntil } = erp
  return {
    invoices,
    base: eurosFromCents(sum(erp.byRate, ({ baseCents }) => baseCents)),
    deductible: eurosFromCents(sum(erp.byRate, ({ taxCents }) => taxCents)),
    alreadyHere: here,
    withoutRate,
    uncertain,
    issuedElsewhere,
    readFrom,
    readUntil,
    coversPeriod: readFrom !== null && readUntil !== null && readFrom <= period.from && readUntil > period.to,
  }
}

function erpCaveats(erp: NonNullable<Summary['input']['erp']>): string[] {
  return [
    FROM_ERP,
    ...(erp.coversPeriod ? [] : [ERP_PARTLY]),
    ...(erp.withoutRate > 0
      ? [`${erp.withoutRate} purchases in other currencies are left out: no rate.`]
      : []),
    ...(erp.uncertain > 0 ? [`${erp.uncertain} purchases are left out: their sums do not agree.`] : []),
    ...(erp.issuedElsewhere > 0
      ? [`${erp.issuedElsewhere} invoices issued in the accounting system are not included.`]
      : []),
  ]
}

/**
 * Returns the totals of a period with obligations, quality and comparison to the previous period. Reads stored totals
 * only.
 */
export async function fiscalSummaryWith(
  readElsewhere: ReadPurchasesElsewhere,
  ctx: Ctx,
  input: ContractInput<typeof fiscalSummaryContract>,
): Promise<Summary> {
  const period = periodOf(input)
  const figures = await taxTotals(ctx, period.months)
  const output = await outputOf(ctx, period.months, figures)
  const company = await findCompany(ctx)
  const family = familyOf(company)
  const bought = boughtOf(figures, family)
  const quality = await qualityOf(ctx, period)
  const top = await topParties(ctx, 'issued', period.partyPeriod, TOP_CLIENTS)
  const large = await partiesAbove(ctx, 'issued', input.year, thirdPartyLimit(input.year), {
    limit: THIRD_PARTIES,
  })
  const erp = await readElsewhere(ctx, period)
  const fromErp = erp && erpView(erp, period)
  const erpTaxCents = sum(erp?.byRate ?? [], ({ taxCents }) => taxCents)
  const inBooks = quality.received > 0
  const inErp = (erp?.invoices ?? 0) > 0
  const hasPurchases = inBooks || inErp
  const isPartial =
    quality.withoutFile > 0 ||
    ctx.today() <= period.to ||
    (fromErp !== null && (!fromErp.coversPeriod || fromErp.withoutRate + fromErp.uncertain > 0))
  const coverage = isPartial ? 'partial' : 'complete'
  const resultCents = resultOf(figures, bought, family) - erpTaxCents
  const obligations = await obligationsOf(ctx, period, input.year)
  const isSimplified = company.vat_regime === 'simplified'
  const ownRates = byRate(bought.figures, (figure) => figure.deductibleCents - figure.surchargeCents)
  const withheld = await monthTotals(ctx, 'issued', period.months)
  const practised = await withholdingTotals(ctx, period.months)
  const sameLastYear = {
    from: addYears(period.from, -1),
    to: addDays(addYears(addDays(period.to, 1), -1), -1),
  }
  return {
    period: { from: period.from, to: period.to, label: period.label },
    mode: ctx.book.mode,
    estimate: true,
    output,
    input: {
      byRate: erp ? withErp(ownRates, erp) : ownRates,
      deductible: eurosFromCents(bought.deductibleCents + erpTaxCents),
      source: inBooks && inErp ? 'both' : inBooks ? 'books' : inErp ? 'erp' : 'none',
      invoices: quality.received + (erp?.invoices ?? 0),
      selfAssessed: eurosFromCents(bought.selfAssessedCents),
      ...(erp?.lastSyncAt ? { lastSyncAt: erp.lastSyncAt } : {}),
      ...(fromErp ? { erp: fromErp } : {}),
    },
    withholdings: {
      suffered: eurosFromCents(sum(withheld, (month) => month.withholdingCents)),
      practised: eurosFromCents(sum(practised, (row) => row.amountCents) + (erp?.withholdingCents ?? 0)),
    },
    result: {
      vatEstimate: isSimplified ? null : eurosFromCents(resultCents),
      ...(hasPurchases && !isSimplified
        ? { direction: resultCents < 0 ? ('offset' as const) : ('pay' as const) }
        : {}),
    },
    topClients: top.map((client) => ({
      name: client.name,
      nif: client.nif,
      base: eurosFromCents(client.baseCents),
      untrusted: true,
    })),
    compare: {
      previousPeriod: await compareWith(ctx, previousOf(input)),
      sameLastYear: await compareWith(ctx, sameLastYear),
    },
    thirdPartyThreshold: large.flatMap((client) =>
      client.nif === null
        ? []
        : [
            {
              clientName: client.name,
              clientNif: client.nif,
              total: eurosFromCents(client.thirdCents),
              untrusted: true as const,
            },
          ],
    ),
    obligations,
    dataQuality: {
      draftsInPeriod: quality.drafts,
      rejected: quality.rejected,
      pending: quality.pending,
      numberingGaps: quality.gaps,
      missingNif: quality.missingNif,
      receivedWithoutFile: quality.withoutFile,
      inputCoverage: hasPurchases ? coverage : 'none',
    },
    caveats: [
      ESTIMATE,
      ...(hasPurchases ? [] : [NO_PURCHASES]),
      ...(isSimplified ? [SIMPLIFIED] : []),
      ...(obligations.some(({ form, applies }) => form === '111' && applies === null) ? [WAGES] : []),
      ...(fromErp && erp && (inErp || erp.isConnected) ? erpCaveats(fromErp) : []),
      ISSUED_ONLY,
    ],
  }
}

/** Returns the VAT return due next or open now; the same for natural persons and companies. */
export function nextObligation(today: BusinessDate): Obligation {
  const year = Number(today.slice(0, 4))
  const quarter = quarterOf(today)
  const before = previousQuarter(year, quarter)
  const candidates = [
    obligationOf('303', quarterReturn(before.year, before.quarter), today),
    obligationOf('303', quarterReturn(year, quarter), today),
  ].filter(({ status }) => status !== 'past')
  const [next] = candidates
  if (!next) throw new Error('A quarter always has a VAT return ahead.')
  return next
}
