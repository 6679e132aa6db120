/** Decides which returns a business files in a period, may have to file, or does not: the one source for lists, summary and home. */
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
import { withheldShareBp } from '../compute.ts'
import type { FiscalProfile, ModelNumber } from '../contract.ts'
import { thirdPartyLimit } from '../models/lists.ts'
import { instalmentRules, WAGE_BOXES } from '../models/model-income.ts'
import type { ReturnPeriod } from './periods.ts'
import { findInputs, findProfile, findWageRecipients } from '../rows.ts'

export const QUARTERLY: readonly ModelNumber[] = ['303', '309', '130', '131', '111', '115', '349', '369']
export const YEARLY: readonly ModelNumber[] = ['390', '347', '190', '180']

/** What decides which returns a business files in a period. */
export interface Standing {
  company: CompanyRow
  profile: FiscalProfile
  reasons: ReadonlySet<string>
  /** Wages are known only as people type them: paid, none, or not said. */
  wages: 'paid' | 'none' | 'unknown'
  hasEu: boolean
  /** It owes VAT as the buyer: purchases in the Union, services from abroad, reverse charge. */
  owesAsBuyer: boolean
  hasOneStopShop: boolean
  /** Some party is above the limit of model 347; looked up for whole years only. */
  hasThirdParties: boolean
  /** Of the year before; the part of the income that bore withholding. */
  withheldBp: number | null
}

/** What people typed about wages: into model 111 of the quarters of a period, and for a year as recipients. */
async function wagesOf(ctx: Ctx, { year, quarter }: ReturnPeriod): Promise<Standing['wages']> {
  if (quarter === null && (await findWageRecipients(ctx, year)).length > 0) return 'paid'
  const typed = await findInputs(ctx, '111', { from: year, to: year })
  const quarters = quarter === null ? [1, 2, 3, 4] : [quarter]
  const boxes = quarters.map((each) => {
    const inputs = typed.get(`${year} ${each}T`)
    return WAGE_BOXES.flatMap((box) => inputs?.get(box) ?? [])
  })
  if (boxes.flat().some((amount) => amount !== 0)) return 'paid'
  return boxes.every((amounts) => amounts.length > 0) ? 'none' : 'unknown'
}

/** Model 347 is filed only by those with a party above its limit (RD 1065/2007 art. 33). */
async function hasThirdParties(ctx: Ctx, { year, quarter }: ReturnPeriod): Promise<boolean> {
  if (quarter !== null) return false
  for (const side of ['issued', 'received'] as const)
    if ((await partiesAbove(ctx, side, year, thirdPartyLimit(year), { limit: 1 })).length > 0) return true
  return false
}

/** What decides the returns of a period. */
export async function standingOf(ctx: Ctx, period: ReturnPeriod): Promise<Standing> {
  const company = await findCompany(ctx)
  const withheld = await withholdingTotals(ctx, period.months)
  const figures = await taxTotals(ctx, period.months)
  return {
    company,
    profile: await findProfile(ctx, company),
    reasons: new Set(withheld.map(({ reason }) => reason)),
    wages: await wagesOf(ctx, period),
    hasEu: (await euTotals(ctx, period.months)).length > 0,
    owesAsBuyer: figures.some((figure) => figure.side === 'received' && isSelfAssessed('received', figure)),
    hasOneStopShop: figures.some(({ side, regimeKey }) => side === 'issued' && regimeKey === '17'),
    hasThirdParties: await hasThirdParties(ctx, period),
    withheldBp: await withheldShareBp(ctx, period.year - 1),
  }
}

export interface Verdict {
  /** Null where Sello cannot know. */
  applies: boolean | null
  computed: boolean
  why: string | null
}

const FILED: Verdict = { applies: true, computed: true, why: null }
const notFiled = (why: string): Verdict => ({ applies: false, computed: true, why })
const whether = (isFiled: boolean, why: string): Verdict => (isFiled ? FILED : notFiled(why))

/** Schemes of businesses without a periodic VAT return (LIVA art. 164; RIVA arts. 61.2 and 71.1). */
const WITHOUT_303: readonly string[] = ['exempt', 'surcharge']

function vatReturn({ company }: Standing): Verdict {
  if (company.territory !== 'mainland') return notFiled('territory')
  if (WITHOUT_303.includes(company.vat_regime)) return notFiled('vat_regime')
  // It is filed with pages of its own, whose figures come from indices that Sello does not know.
  return company.vat_regime === 'simplified' ? { applies: true, computed: false, why: 'simplified' } : FILED
}

/** Businesses without a periodic return declare here what they owe as buyers (RIVA art. 71). */
function occasionalVat({ company, owesAsBuyer }: Standing): Verdict {
  if (company.territory !== 'mainland') return notFiled('territory')
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
  if (standing.company.kind === 'legal') return notFiled('company')
  return isUnderModules(standing)
    ? { applies: true, computed: false, why: 'not_computed' }
    : notFiled('not_modules')
}

function withheldOnWork({ reasons, wages }: Standing): Verdict {
  if (reasons.has('professional') || wages === 'paid') return FILED
  return wages === 'none'
    ? notFiled('nothing_withheld')
    : { applies: null, computed: true, why: 'wages_unknown' }
}

/** Whether a return is filed in the period, whether Sello computes it, and why not. */
export function verdictOf(model: ModelNumber, standing: Standing, year: number): Verdict {
  switch (model) {
    case '303':
    case '390':
      return vatReturn(standing)
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
    case '349':
      return whether(standing.hasEu, 'no_eu')
    case '369':
      return whether(standing.hasOneStopShop, 'no_one_stop_shop')
    case '347':
      return whether(standing.hasThirdParties, 'below_limit')
  }
}
