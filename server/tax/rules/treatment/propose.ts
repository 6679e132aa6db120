/**
 * Treatment helper: proposes how a sale is taxed, with reasons and article, from customer, supply and place. It
 * follows the order of Ley 37/1992: subject or not, place of supply, exempt or not, who accounts for the tax, rate.
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import { basisPointsToText, percentFromBasisPoints } from '../../../domain/money.ts'
import type { BasisPoints } from '../../../domain/money.ts'
import type { Supply } from '../../../domain/tax/supplies.ts'
import type { TreatmentProposal, TreatmentQuestion } from '../contract.ts'
import { isForal, USUAL_TERRITORY, VAT_SYSTEM } from '../../systems/index.ts'
import { generalRateOf } from '../island-rates.ts'
import { legalMentions } from '../mentions.ts'
import { withholdingRateAt } from '../withholding.ts'
import type { WithholdingCode } from '../withholding.ts'
import { ask, because, byCause, caseOf, warn } from './case.ts'
import type { Answer, Case, Seller } from './case.ts'
import { domesticTreatment, farmer, marginOf, taxed } from './home.ts'
import { placeOfSupply } from './place-of-supply.ts'
import { QUESTIONS, why } from './messages.ts'

/** Facts of a business that decide what the question leaves open; the rest comes from `usualSeller`. */
export type SellerFacts = Pick<Seller, 'territory' | 'vatRegime' | 'kind'>

/** A company in the general regime in most of Spain. */
const usualSeller: SellerFacts = { territory: USUAL_TERRITORY, vatRegime: 'general', kind: 'legal' }

/** Returns the proposal for a question. `own` is the requesting company, `today` the day when the question names none. */
export function proposeTreatment(
  question: TreatmentQuestion,
  own: SellerFacts = usualSeller,
  today: BusinessDate = question.date ?? '2026-01-01',
): TreatmentProposal {
  const asked = question.seller ?? {}
  const seller: Seller = {
    territory: asked.territory ?? own.territory,
    vatRegime: asked.vatRegime ?? own.vatRegime,
    kind: asked.kind ?? own.kind,
    activity: asked.activity ?? null,
    oss: asked.oss ?? false,
    overOssThreshold: asked.overOssThreshold ?? null,
    farmerScheme: asked.farmerScheme ?? false,
  }
  const c = caseOf(question, seller, question.date ?? today)
  const answer = answerOf(c)
  const surchargeBp = surchargeOf(c, answer)
  const withholding = withholdingOf(c, answer)
  applyRegime(c, answer)
  if (isForal(seller.territory)) warn(answer, 'foral')
  return proposalOf(c, answer, surchargeBp, withholding)
}

/** Supplies not subject by their nature, whatever the parties and places. */
const OUTSIDE: Partial<Record<Supply, string>> = {
  disbursement: 'disbursement',
  compensation: 'compensation',
  late_interest: 'late_interest',
  subsidy: 'subsidy',
  guarantee_deposit: 'guarantee_deposit',
  business_transfer: 'business_transfer',
  free_samples: 'free_samples',
  advertising_items: 'advertising_items',
  public_fees: 'public_fees',
  collection_for_others: 'collection_for_others',
}

function answerOf(c: Case): Answer {
  const outside = OUTSIDE[c.supply]
  if (outside) return notSubject(outside, c)
  if (
    c.seller.farmerScheme &&
    c.system.supply.farmerScheme &&
    (c.supply === 'farm_products' || c.supply === 'farm_services')
  )
    return farmer(c)
  const { elsewhere, home } = placeOfSupply(c)
  if (elsewhere) {
    // Goods under the margin scheme keep it inside the Union (arts. 25.Dos and 68.Tres exclude them); exported ones
    // are exempt.
    const margin = marginOf(c)
    const toUnion = elsewhere.cause === 'intra_eu' || elsewhere.cause === 'oss'
    return margin && toUnion && c.supply !== 'new_vehicle' ? margin : elsewhere
  }
  return home(c.system.supply.ownSupplyRules ? domesticTreatment(c) : underOwnTax(c))
}

function notSubject(code: string, { system }: Case): Answer {
  const answer = byCause(code, undefined, system)
  if (code === 'disbursement') {
    answer.isDisbursement = true
    because(answer, 'disbursement')
    return warn(answer, 'disbursement_proof')
  }
  because(answer, 'not_subject', { article: answer.article })
  return code === 'late_interest' || code === 'compensation' ? answer : warn(answer, 'check_conditions')
}

/**
 * Returns the answer for a seller under a tax that replaces VAT: its general rate, or exempt as its law copies art. 20. The
 * helper knows no reductions of that tax, so that it asks to check the rate.
 */
function underOwnTax(c: Case): Answer {
  const { system, sellerPlace: place } = c
  const reason = why('island_tax', { place })
  if (c.rule.exempt) {
    const answer = byCause(c.rule.exempt, reason, system)
    because(answer, 'exempt', { article: answer.article })
    return warn(answer, 'island_rate_check', { place })
  }
  const { rateBp, certain } = generalRateOf(system, c.date)
  const answer = { ...taxed(rateBp, articleUnder(c, 'S1')), why: [reason] }
  because(answer, 'island_general', { rate: basisPointsToText(rateBp) })
  if (certain === false) warn(answer, 'uncertain_rate')
  return warn(answer, 'island_rate_check', { place })
}

/** Returns the article of a treatment under a tax that has one for each; that of the general rate under VAT. */
function articleUnder({ system }: Case, treatment: Answer['taxTreatment']): string {
  return system.articleOf?.(treatment) ?? 'art. 90.Uno'
}

/** Returns the equivalence surcharge that retailers pay on goods (art. 157); tobacco has its own. */
function surchargeOf(c: Case, answer: Answer): BasisPoints | null {
  const { customer, supply, date } = c
  const applies =
    customer.surcharge === true &&
    customer.kind === 'business' &&
    c.isGoods &&
    answer.taxTreatment === 'S1' &&
    answer.regimeKey !== '03' &&
    answer.document === 'invoice' &&
    answer.vatRateBp !== null
  if (!applies || answer.vatRateBp === null) return null
  const pair = c.system.rateAt(answer.vatRateBp, date)?.surchargesBp ?? []
  const rateBp = (supply === 'tobacco' ? pair[1] : undefined) ?? pair[0]
  if (rateBp === undefined) return null
  because(answer, 'surcharge', { rate: basisPointsToText(rateBp) })
  return rateBp
}

/** Services that are never a professional activity, whoever sells them. */
const NOT_PROFESSIONAL: ReadonlySet<Supply> = new Set<Supply>([
  'hotel',
  'restaurant',
  'travel_package',
  'transport_passengers',
  'transport_passengers_abroad',
  'transport_goods',
  'transport_export_goods',
  'vehicle_hire_short',
  'insurance',
  'finance',
  'lottery',
  'postal',
  'membership',
  'cost_sharing',
  'farm_services',
  'waste_collection',
  'waste_processing',
  'street_cleaning',
  'ambulance',
])
const PROFESSIONAL_GROUPS = new Set(['services', 'digital', 'culture', 'exempt'])
const FARMED: ReadonlySet<Supply> = new Set<Supply>([
  'farm_products',
  'farm_services',
  'food_basic',
  'food',
  'olive_oil',
  'plants_seeds',
])

/** Returns the income tax rate withheld by the customer, a Spanish business or body. */
function withholdingOf(c: Case, answer: Answer): BasisPoints | null {
  const { customer, seller, supply, group } = c
  const inSpain = customer.place.startsWith('ES')
  if (customer.kind === 'consumer' || !inSpain || answer.document === 'none' || group === 'outside')
    return null
  const code = withholdingCode(c)
  if (supply === 'professional' && seller.kind === 'natural' && seller.activity === null)
    ask(answer, 'seller.activity')
  if (code === null) return null
  const row = withholdingRateAt(code, c.date)
  if (!row) return null
  because(answer, 'withholding', { rate: basisPointsToText(row.rateBp), article: row.source })
  if (code === 'urban_rent') warn(answer, 'withholding_rent')
  if (code === 'new_professional') warn(answer, 'withholding_new')
  return row.rateBp
}

function withholdingCode(c: Case): WithholdingCode | null {
  const { seller, supply, group, rule } = c
  if (rule.rent) return rule.rent
  if (seller.kind !== 'natural') return null
  const professional = PROFESSIONAL_GROUPS.has(group) && !NOT_PROFESSIONAL.has(supply)
  switch (seller.activity) {
    case 'professional':
    case 'new_professional':
      return professional ? seller.activity : null
    case 'modules':
      return group === 'works' || supply === 'transport_goods' || supply === 'services' ? 'modules' : null
    case 'farming':
    case 'pigs_poultry':
      return FARMED.has(supply) ? seller.activity : null
    case 'forestry':
      return supply === 'farm_products' || supply === 'plants_seeds' || supply === 'farm_services'
        ? 'forestry'
        : null
    case null:
      return supply === 'professional' ? 'professional' : null
    default:
      return null
  }
}

/** Applies the seller's own scheme, where the law extends it to the operation. */
function applyRegime(c: Case, answer: Answer): void {
  const { vatRegime } = c.seller
  const open = answer.regimeKey === '01' || answer.regimeKey === '11'
  const rule = c.system.regimeOf(vatRegime)
  if (!rule || answer.document !== 'invoice' || answer.isDisbursement) return
  const cause = rule.sale?.cause ?? null
  if (rule.sale && cause !== null) {
    if (answer.taxTreatment === 'S1' && (rule.sale.on === 'all' || c.isGoods)) applySale(c, answer, cause)
    return
  }
  if (vatRegime === 'cash') {
    // Art. 163 duodecies.Dos excludes exports, intra-Community supplies, reverse charge and the other schemes.
    if (open && answer.taxTreatment === 'S1') {
      answer.regimeKey = '07'
      answer.cause = 'cash_accounting'
      because(answer, 'cash')
    } else if (answer.taxTreatment !== 'N1') warn(answer, 'cash_exclusions')
  } else if (
    vatRegime === 'surcharge' &&
    c.isGoods &&
    answer.regimeKey === '01' &&
    answer.taxTreatment === 'S1'
  ) {
    answer.regimeKey = '18'
    answer.cause = 'retailer_surcharge'
    because(answer, 'retailer')
  } else if (vatRegime === 'simplified' && answer.regimeKey === '01' && answer.taxTreatment === 'S1') {
    answer.regimeKey = '20'
    answer.cause = 'simplified'
    because(answer, 'simplified')
  }
}

/** Exempts a sale by the seller's own scheme. */
function applySale(c: Case, answer: Answer, code: string): void {
  const exempt = byCause(code, undefined, c.system)
  answer.taxTreatment = exempt.taxTreatment
  answer.regimeKey = exempt.regimeKey
  answer.vatRateBp = null
  answer.cause = code
  answer.article = exempt.article
  because(answer, 'own_scheme', { article: exempt.article })
}

function percent(rateBp: BasisPoints | null): number | null {
  return rateBp === null ? null : percentFromBasisPoints(rateBp)
}

function mentionOf(c: Case, answer: Answer): string | null {
  if (answer.document !== 'invoice') return null
  const mentions = legalMentions([answer], {
    language: 'es',
    customerCountry: c.customer.place.slice(0, 2),
    system: c.system,
    date: c.date,
  })
  return mentions.length > 0 ? mentions.join('. ') : null
}

function articleOf(c: Case, answer: Answer): string {
  const { article } = answer
  // A case of the Union alone is cited from the law of VAT.
  return article.includes('Ley') ? article : `${article} ${c.system.law ?? VAT_SYSTEM.law}`
}

function proposalOf(
  c: Case,
  answer: Answer,
  surchargeBp: BasisPoints | null,
  withholdingBp: BasisPoints | null,
): TreatmentProposal {
  const { foreignTax, questions } = answer
  return {
    complete: questions.length === 0,
    document: answer.document,
    tax: c.system.family,
    taxTreatment: answer.taxTreatment,
    regimeKey: answer.regimeKey,
    vatRate: percent(answer.vatRateBp),
    surcharge: percent(surchargeBp),
    withholding: percent(withholdingBp),
    isDisbursement: answer.isDisbursement,
    compensation: percent(answer.compensationBp),
    foreignTax: foreignTax && {
      country: foreignTax.country,
      rate: percentFromBasisPoints(foreignTax.rateBp),
      source: foreignTax.source,
    },
    cause: answer.cause,
    mention: mentionOf(c, answer),
    article: articleOf(c, answer),
    why: answer.why,
    warnings: answer.warnings,
    nextQuestions: questions.map((field) => ({
      field,
      code: field.replace('.', '_'),
      text: QUESTIONS[field],
    })),
  }
}
