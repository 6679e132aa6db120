/** The fiscal summary of a month, a quarter or a year, from figures kept at issue: an estimate, never a filing. */
import { findCompany } from '../company/index.ts'
import { addDays, addYears, monthPeriod, quarterOf, quarterPeriod, yearPeriod } from '../core/dates.ts'
import type { BusinessDate, Period } from '../core/dates.ts'
import { validationFailed } from '../core/errors.ts'
import { eurosFromCents, percentFromBasisPoints } from '../core/money.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import {
  clientTotals,
  countDrafts,
  monthFigures,
  monthTaxes,
  periodQuality,
  verifyNumbering,
} from '../invoices/index.ts'
import type { PeriodTax } from '../invoices/index.ts'
import { quarterObligations, yearObligations } from './obligations.ts'
import type { Obligation } from './obligations.ts'

type Summary = OutputOf<'fiscal.summary'>

/** Model 347: operations with one third party above this sum in a year, VAT included (RD 1065/2007 art. 33). */
const THIRD_PARTY_CENTS = 300_506
const TOP_CLIENTS = 5

interface NamedPeriod extends Period {
  label: string
  quarters: number[]
}

function periodOf({ year, quarter, month }: ParsedInputOf<'fiscal.summary'>): NamedPeriod {
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
    }
  if (quarter !== undefined)
    return { ...quarterPeriod(year, quarter), label: `${quarter}T ${year}`, quarters: [quarter] }
  return { ...yearPeriod(year), label: String(year), quarters: [1, 2, 3, 4] }
}

const monthOf = (date: BusinessDate) => date.slice(0, 7)

function sum(taxes: readonly PeriodTax[], pick: (tax: PeriodTax) => number): number {
  return taxes.reduce((total, tax) => total + pick(tax), 0)
}

async function outputOf(ctx: Ctx, period: Period): Promise<Summary['output']> {
  const taxes = await monthTaxes(ctx, monthOf(period.from), monthOf(period.to))
  const months = await monthFigures(ctx, monthOf(period.from), monthOf(period.to))
  const taxed = taxes.filter((tax) => tax.taxTreatment === 'S1')
  const baseOf = (match: (tax: PeriodTax) => boolean) =>
    eurosFromCents(sum(taxes.filter(match), (tax) => tax.baseCents))
  const baseCents = sum(taxes, (tax) => tax.baseCents)
  const quotaCents = sum(taxes, (tax) => tax.taxCents + tax.surchargeCents)
  return {
    byRate: taxed.map((tax) => ({
      rate: percentFromBasisPoints(tax.vatRateBp ?? 0),
      base: eurosFromCents(tax.baseCents),
      quota: eurosFromCents(tax.taxCents),
      ...(tax.surchargeBp === null ? {} : { surchargeRate: percentFromBasisPoints(tax.surchargeBp) }),
      surcharge: eurosFromCents(tax.surchargeCents),
    })),
    exemptBase: baseOf((tax) => tax.taxTreatment.startsWith('E')),
    notSubjectBase: baseOf((tax) => tax.taxTreatment.startsWith('N')),
    reverseChargeBase: baseOf((tax) => tax.taxTreatment === 'S2'),
    base: eurosFromCents(baseCents),
    quota: eurosFromCents(quotaCents),
    total: eurosFromCents(baseCents + quotaCents),
    invoices: months.reduce((count, month) => count + month.invoices, 0),
  }
}

/** Output VAT and surcharge of a period of whole months, in cents. */
export async function outputVat(ctx: Ctx, period: Period): Promise<number> {
  return sum(
    await monthTaxes(ctx, monthOf(period.from), monthOf(period.to)),
    (tax) => tax.taxCents + tax.surchargeCents,
  )
}

async function compareWith(ctx: Ctx, period: Period): Promise<Summary['compare']['previousPeriod']> {
  const { base, quota, total } = await outputOf(ctx, period)
  return { from: period.from, to: period.to, base, quota, total }
}

/** The stretch of the same length that ends the day before. */
function previousOf(input: ParsedInputOf<'fiscal.summary'>): Period {
  const { year, quarter, month } = input
  if (month !== undefined) return month === 1 ? monthPeriod(year - 1, 12) : monthPeriod(year, month - 1)
  if (quarter !== undefined)
    return quarter === 1 ? quarterPeriod(year - 1, 4) : quarterPeriod(year, quarter - 1)
  return yearPeriod(year - 1)
}

const CAVEATS = [
  'An estimate to prepare by: Sello files no returns.',
  'Purchases are not known, so deductible VAT is not included.',
  'Only issued invoices count, in the month of their operation; drafts do not.',
]

/** Figures of a period with what is due, how sure they are, and how they compare. */
export const fiscalSummary: UseCase<ParsedInputOf<'fiscal.summary'>, Summary> = async (ctx, input) => {
  const period = periodOf(input)
  const company = await findCompany(ctx)
  const today = ctx.today()
  const output = await outputOf(ctx, period)
  const months = await monthFigures(ctx, monthOf(period.from), monthOf(period.to))
  const quality = await periodQuality(ctx, period.from, period.to)
  const year = yearPeriod(input.year)
  const top = await clientTotals(ctx, period.from, period.to, { limit: TOP_CLIENTS })
  const large = await clientTotals(ctx, year.from, year.to, { aboveCents: THIRD_PARTY_CENTS })
  const obligations: Obligation[] = [
    ...period.quarters.flatMap((quarter) => quarterObligations(input.year, quarter, company.kind, today)),
    ...(period.quarters.includes(4) ? yearObligations(input.year, today) : []),
  ]
  const sameLastYear = {
    from: addYears(period.from, -1),
    to: addDays(addYears(addDays(period.to, 1), -1), -1),
  }
  return {
    period: { from: period.from, to: period.to, label: period.label },
    mode: ctx.book.mode,
    estimate: true,
    output,
    input: { byRate: [], deductible: 0, source: 'none' },
    withholdings: {
      suffered: eurosFromCents(months.reduce((total, month) => total + month.withholdingCents, 0)),
      practised: 0,
    },
    result: { vatEstimate: output.quota },
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
        : [{ clientName: client.name, clientNif: client.nif, total: eurosFromCents(client.totalCents) }],
    ),
    obligations,
    dataQuality: {
      draftsInPeriod: await countDrafts(ctx, period),
      rejected: quality.rejected,
      pending: quality.pending,
      numberingGaps: (await verifyNumbering(ctx)).faults,
      missingNif: quality.missingNif,
      inputCoverage: 'none',
    },
    caveats: CAVEATS,
  }
}

/** The VAT return that is due next or open now; the same for persons and companies. */
export function nextObligation(today: BusinessDate): Obligation {
  const year = Number(today.slice(0, 4))
  const quarter = quarterOf(today)
  const previous =
    quarter === 1
      ? quarterObligations(year - 1, 4, 'legal', today)
      : quarterObligations(year, quarter - 1, 'legal', today)
  const candidates = [...previous, ...quarterObligations(year, quarter, 'legal', today)].filter(
    (obligation) => obligation.form === '303' && obligation.status !== 'past',
  )
  const [next] = candidates
  if (!next) throw new Error('A quarter always has a VAT return ahead.')
  return next
}
