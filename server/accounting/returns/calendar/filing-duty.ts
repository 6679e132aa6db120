/**
 * Decides which returns a business must file in a period, may have to file, or does not file: the single source for
 * lists, summary and dashboard.
 */
import { findCompany } from '../../../company/index.ts'
import type { CompanyRow } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import {
  euTotals,
  isSelfAssessed,
  partiesAbove,
  taxTotals,
  withholdingTotals,
} from '../../../tax/totals/index.ts'
import { isForal } from '../../../tax/systems/index.ts'
import { withheldShareBp } from '../compute.ts'
import type { FiscalProfile, ModelNumber } from '../contract.ts'
import { thirdPartyLimit } from '../models/lists.ts'
import { instalmentRules, WAGE_BOXES } from '../models/model-income.ts'
import { isInSii, schemesOf } from '../schemes/schemes.ts'
import type { StatedSchemes } from '../schemes/schemes.ts'
import { periodsInQuarter } from '../schemes/units.ts'
import type { ReturnPeriod } from './periods.ts'
import { oneStopShopSales } from '../models/selectors.ts'
import { familyOf, isKnownFor, taxOfReturn } from './return-rows.ts'
import { findInputs, findProfile, findWageRecipients } from '../rows.ts'

/** Facts that decide which returns a business files in a period. */
export interface Standing {
  company: CompanyRow
  profile: FiscalProfile
  /** As a person has stated them for the year; null while nobody has. */
  schemes: StatedSchemes | null
  reasons: ReadonlySet<string>
  /** Wages are known only as typed by the user: paid, none, or not stated. */
  wages: 'paid' | 'none' | 'unknown'
  /** Dividends and interest are known only as typed in model 123. */
  capital: 'paid' | 'none' | 'unknown'
  hasEu: boolean
  /** A party is in another member state, also where its operations are not in the statement. */
  hasEuParties: boolean
  /** The business owes VAT as the buyer: intra-Community purchases, services from abroad, reverse charge. */
  owesAsBuyer: boolean
  hasOneStopShop: boolean
  /** A party exceeds the limit of model 347; computed for whole years only. */
  hasThirdParties: boolean
  /** Part of the previous year's income that was subject to withholding, in basis points. */
  withheldBp: number | null
}

/**
 * Returns what the user typed about wages: in the returns 111 of a period, or of the quarter around a month, and for a year
 * as recipients.
 */
async function wagesOf(
  ctx: Ctx,
  { year, quarter, months }: ReturnPeriod,
  schemes: StatedSchemes | null,
): Promise<Standing['wages']> {
  if (quarter === null && (await findWageRecipients(ctx, year)).length > 0) return 'paid'
  const typed = await findInputs(ctx, '111', { from: year, to: year })
  const quarters = quarter === null ? [1, 2, 3, 4] : [quarter]
  const periods = quarters
    .flatMap((each) => periodsInQuarter('111', { year, quarter: each }, schemes))
    .filter((each) => each.months.from <= months.to && each.months.to >= months.from)
  const boxes = periods.map(({ code }) => {
    const inputs = typed.get(`${year} ${code}`)
    return WAGE_BOXES.flatMap((box) => inputs?.get(box) ?? [])
  })
  if (boxes.flat().some((amount) => amount !== 0)) return 'paid'
  return boxes.every((amounts) => amounts.length > 0) ? 'none' : 'unknown'
}

/** Returns what was typed in model 123 for the quarters of a period: an amount, or that nobody was paid. */
async function capitalOf(ctx: Ctx, { year, quarter, code }: ReturnPeriod): Promise<Standing['capital']> {
  const typed = await findInputs(ctx, '123', { from: year, to: year })
  const codes = quarter === null ? [1, 2, 3, 4].map((each) => `${each}T`) : [code]
  const periods = codes.map((each) => [...(typed.get(`${year} ${each}`)?.values() ?? [])])
  if (periods.flat().some((value) => value !== 0)) return 'paid'
  return periods.every((values) => values.length > 0) ? 'none' : 'unknown'
}

/** Returns true when a party exceeds the limit of model 347, the condition for filing it (RD 1065/2007 art. 33). */
async function hasThirdParties(ctx: Ctx, { year, quarter }: ReturnPeriod): Promise<boolean> {
  if (quarter !== null) return false
  for (const side of ['issued', 'received'] as const)
    if ((await partiesAbove(ctx, side, year, thirdPartyLimit(year), { limit: 1 })).length > 0) return true
  return false
}

/** Returns the facts that decide the returns of a period. */
export async function standingOf(ctx: Ctx, period: ReturnPeriod): Promise<Standing> {
  const company = await findCompany(ctx)
  const withheld = await withholdingTotals(ctx, period.months)
  const figures = await taxTotals(ctx, period.months)
  const schemes = await schemesOf(ctx, period.year)
  return {
    company,
    profile: await findProfile(ctx, company),
    schemes,
    reasons: new Set(withheld.map(({ reason }) => reason)),
    wages: await wagesOf(ctx, period, schemes),
    capital: await capitalOf(ctx, period),
    hasEu: (await euTotals(ctx, period.months)).length > 0,
    hasEuParties: figures.some(({ place }) => place === 'eu'),
    owesAsBuyer: figures.some((figure) => figure.side === 'received' && isSelfAssessed('received', figure)),
    hasOneStopShop: figures.some(oneStopShopSales),
    hasThirdParties: await hasThirdParties(ctx, period),
    withheldBp: await withheldShareBp(ctx, period.year - 1),
  }
}

export interface Verdict {
  /** Null when Sello cannot know. */
  applies: boolean | null
  computed: boolean
  why: string | null
}

const FILED: Verdict = { applies: true, computed: true, why: null }
/** Filed with figures that a person types. */
const TYPED: Verdict = { applies: true, computed: false, why: 'typed' }
const notFiled = (why: string): Verdict => ({ applies: false, computed: true, why })
const whether = (isFiled: boolean, why: string): Verdict => (isFiled ? FILED : notFiled(why))

/** VAT schemes without a periodic return (LIVA art. 164; RIVA arts. 61.2 and 71.1). */
const WITHOUT_303: readonly string[] = ['exempt', 'surcharge']

function vatReturn({ company }: Standing): Verdict {
  if (WITHOUT_303.includes(company.vat_regime)) return notFiled('vat_regime')
  // Filed with pages of its own, whose amounts come from indices that Sello does not know.
  return company.vat_regime === 'simplified' ? { applies: true, computed: false, why: 'simplified' } : FILED
}

const isSiiStated = ({ schemes }: Standing): boolean => schemes !== null && isInSii(schemes)

/**
 * Decides the yearly summary, which the SII replaces; others are excused for what they do. Source: Orden EHA/3111/2009 art. 1;
 * for the 347, RD 1065/2007 art. 32.1.
 */
function yearlyVat(standing: Standing): Verdict {
  const verdict = vatReturn(standing)
  if (verdict.applies === false) return verdict
  if (isSiiStated(standing)) return notFiled('sii')
  return standing.schemes?.excused390 ? notFiled('excused_390') : verdict
}

/**
 * Schemes without a quarterly return of IGIC: nothing is charged under them, and small businesses fill in the yearly
 * summary alone. Source: instructions of the forms 420 and 425.
 */
const WITHOUT_420: readonly string[] = ['exempt', 'small_business', 'surcharge']
/** Retailers charge nothing on retail sales; whether they also sell otherwise is in their books only. */
const RETAILERS: readonly string[] = ['retailer']

function igicReturn({ company, owesAsBuyer }: Standing): Verdict {
  const regime: string = company.vat_regime
  // What they owe as buyers is declared on form 412, which Sello does not compute.
  if (WITHOUT_420.includes(regime)) return notFiled(owesAsBuyer ? 'igic_form_412' : 'igic_regime')
  if (RETAILERS.includes(regime)) return { applies: null, computed: true, why: 'igic_retailer' }
  return regime === 'simplified' ? { applies: false, computed: false, why: 'igic_form_421' } : FILED
}

/** The yearly summary is filed by all, small businesses too; the boxes of the simplified scheme are typed. */
const igicYear = (): Verdict => FILED

/**
 * Decides the recapitulative statement. Whether operations with the Union from outside the territory of VAT belong to one is
 * not known.
 */
function euStatement(standing: Standing): Verdict {
  if (!standing.hasEu && standing.hasEuParties && !isKnownFor('349', standing.company))
    return { applies: null, computed: false, why: 'eu_of_territory' }
  return whether(standing.hasEu, 'no_eu')
}

/**
 * Decides the list of third parties of the State. Which operations of a business of another indirect tax it still has is
 * not known: the islands have a list of their own (415), and nothing was found for Ceuta and Melilla.
 */
function thirdParties(standing: Standing): Verdict {
  if (isSiiStated(standing)) return notFiled('sii')
  if (!isKnownFor('347', standing.company))
    return standing.hasThirdParties
      ? { applies: null, computed: false, why: 'list_of_territory' }
      : notFiled('below_limit')
  return whether(standing.hasThirdParties, 'below_limit')
}

/**
 * Decides the return for businesses without a periodic return, which declare here what they owe as buyers (RIVA art.
 * 71).
 */
function occasionalVat({ company, owesAsBuyer }: Standing): Verdict {
  if (!WITHOUT_303.includes(company.vat_regime)) return notFiled('files_303')
  return owesAsBuyer ? { applies: true, computed: false, why: 'not_computed' } : notFiled('owes_no_vat')
}

const isUnderModules = ({ company, profile }: Standing): boolean =>
  company.vat_regime === 'simplified' || profile.incomeMethod === 'modules'

function instalment(standing: Standing, year: number): Verdict {
  if (standing.company.kind === 'legal') return notFiled('company')
  if (isUnderModules(standing)) return { ...notFiled('modules'), computed: false }
  if (standing.profile.incomeMethod === 'none') return notFiled('no_activity')
  return whether((standing.withheldBp ?? 0) < instalmentRules(year).exemptFromBp, 'withheld_share')
}

function modulesInstalment(standing: Standing): Verdict {
  if (standing.company.kind === 'legal') return { ...notFiled('company'), computed: false }
  return isUnderModules(standing) ? TYPED : { ...notFiled('not_modules'), computed: false }
}

/** Whether dividends or interest were paid is not in the books: a person adds the return, and types it. */
function withheldOnCapital({ profile, capital }: Standing): Verdict {
  if (capital === 'paid') return TYPED
  if (!profile.files123) return { ...notFiled('not_added'), computed: false }
  return capital === 'none'
    ? { ...notFiled('no_capital_paid'), computed: false }
    : { applies: null, computed: false, why: 'capital_unknown' }
}

function withheldOnWork({ reasons, wages }: Standing): Verdict {
  if (reasons.has('professional') || wages === 'paid') return FILED
  return wages === 'none'
    ? notFiled('nothing_withheld')
    : { applies: null, computed: true, why: 'wages_unknown' }
}

/** Decides whether a return is filed in the period and whether Sello computes it, with the reason when not. */
export function verdictOf(model: ModelNumber, standing: Standing, year: number): Verdict {
  if (isForal(standing.company.territory)) return { applies: false, computed: false, why: 'foral_treasury' }
  const tax = taxOfReturn(model)
  if (tax !== undefined && tax !== familyOf(standing.company)) return notFiled('territory')
  switch (model) {
    case '303':
      return vatReturn(standing)
    case '390':
      return yearlyVat(standing)
    case '309':
      return occasionalVat(standing)
    case '130':
      return instalment(standing, year)
    case '131':
      return modulesInstalment(standing)
    case '111':
    case '190':
      return withheldOnWork(standing)
    case '115':
    case '180':
      return whether(standing.reasons.has('rent'), 'no_rent_withheld')
    case '123':
      return withheldOnCapital(standing)
    case '349':
      return euStatement(standing)
    case '369':
      return whether(standing.hasOneStopShop, 'no_one_stop_shop')
    case '347':
      return thirdParties(standing)
    case '420':
      return igicReturn(standing)
    case '425':
      return igicYear()
    case '415':
      return whether(standing.hasThirdParties, 'below_limit')
  }
}
