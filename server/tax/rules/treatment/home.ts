/** Operations supplied in the seller's territory: exempt, reverse charge, special schemes, or plainly taxed. */
import type { BasisPoints } from '../../../domain/money.ts'
import { basisPointsToText, centsFromEuros } from '../../../domain/money.ts'
import { compensationsAt, thresholdAt } from '../thresholds.ts'
import { ask, because, byCause, warn } from './case.ts'
import type { Answer, Case } from './case.ts'
import { rateOf } from './rate.ts'
import { why } from './messages.ts'

/** Returns an answer taxed at a rate, with the general regime key. */
export function taxed(rateBp: BasisPoints, article: string): Answer {
  return {
    taxTreatment: 'S1',
    regimeKey: '01',
    vatRateBp: rateBp,
    cause: null,
    article,
    document: 'invoice',
    isDisbursement: false,
    compensationBp: null,
    foreignTax: null,
    why: [why('domestic'), why('rate', { rate: basisPointsToText(rateBp), article })],
    warnings: [],
    questions: [],
  }
}

/** Returns an answer taxed at the rate of the supply's own rule on the day. */
function plain(c: Case): Answer {
  const { rule, date } = c
  const { rateBp, certain } = rateOf(rule.rate, date)
  const answer = taxed(rateBp, rule.article)
  // 4 % applies to places and help paid by public bodies, which the question does not distinguish.
  if (rule.rate === 'home_care') warn(answer, 'check_conditions')
  if (rule.rate === 'energy') warn(answer, 'temporary_rate', { date })
  if (!certain) warn(answer, 'uncertain_rate')
  return answer
}

function general(c: Case, article = 'art. 90.Uno'): Answer {
  return taxed(rateOf('general', c.date).rateBp, article)
}

/**
 * Returns true when the customer can account for the VAT: only businesses can; a public body only in its business
 * activities.
 */
function mayReverse(c: Case): boolean {
  return c.customer.kind === 'business'
}

function reversed(code: string): Answer {
  const answer = byCause(code)
  because(answer, 'reverse', { article: answer.article })
  return warn(answer, 'identify_customer')
}

/** Handles a reverse charge case that must be taxed because the customer is not a business. */
function notReversed(c: Case, answer: Answer): Answer {
  because(answer, 'reverse_not_consumer')
  return c.customer.kind === 'public_body' ? warn(answer, 'public_body') : answer
}

/** Returns the answer for an operation in the seller's territory. */
export function domesticTreatment(c: Case): Answer {
  const { supply } = c
  const margin = marginOf(c)
  if (margin) return margin
  switch (supply) {
    case 'phones_computers':
      return devices(c)
    case 'gold_investment':
      return investmentGold(c)
    case 'donated_goods':
      return donation(c)
    case 'ship_aircraft_supplies':
      return warn(byCause('ships_aircraft', why('exempt', { article: 'art. 22' })), 'check_conditions')
    case 'travel_package':
      return travel(c)
    case 'building_used':
    case 'land_rural':
    case 'dwelling_new':
    case 'dwelling_new_protected':
    case 'building_new':
    case 'land_building':
      return propertySale(c)
    case 'works_promoter':
    case 'works_new_dwelling':
    case 'works_other':
    case 'staff_construction':
      return works(c)
    case 'works_dwelling_repair':
      return dwellingRepair(c)
    case 'works_dwelling_materials':
      return because(plain(c), 'materials_over')
    case 'rent_premises':
      return premises(c)
    case 'rent_rural_land':
      return c.facts.forFarming === false ? plain(c) : exempted('rural_land_rent')
    default:
      return usual(c)
  }
}

function usual(c: Case): Answer {
  const { rule } = c
  if (rule.reverse) return mayReverse(c) ? reversedOrOwnSeries(rule.reverse) : notReversed(c, plain(c))
  if (rule.exempt) return exempted(rule.exempt)
  const answer = plain(c)
  return certified(c, answer)
}

function reversedOrOwnSeries(code: string): Answer {
  const answer = reversed(code)
  return code === 'reverse_metals' ? warn(answer, 'own_series') : answer
}

function exempted(code: string): Answer {
  const answer = byCause(code)
  because(answer, 'exempt', { article: answer.article })
  // Exports and similar operations keep the right to deduct.
  if (answer.taxTreatment === 'E1') warn(answer, 'exempt_deduction')
  return warn(answer, answer.taxTreatment === 'E2' ? 'customs_proof' : 'check_conditions')
}

// ---- Goods

const MARGIN_CAUSES = { used_goods: 'margin_used', art: 'margin_art', antiques: 'margin_antiques' } as const

/** Applies the margin scheme, when chosen or by the seller's regime for used goods. */
export function marginOf(c: Case): Answer | null {
  const { facts, seller, supply } = c
  const chosen =
    facts.marginScheme === undefined && seller.vatRegime === 'used_goods' && supply === 'used_goods'
      ? 'used_goods'
      : facts.marginScheme
  if (!c.isGoods || !chosen) return null
  const answer = byCause(MARGIN_CAUSES[chosen])
  answer.vatRateBp = rateOf('general', c.date).rateBp
  because(answer, 'margin')
  return warn(answer, 'margin_records')
}

function devices(c: Case): Answer {
  const { customer, facts, date } = c
  if (!mayReverse(c)) return notReversed(c, plain(c))
  const limit = thresholdAt('reverse_charge_devices', date)
  const cents = facts.amount === undefined ? null : centsFromEuros(facts.amount)
  const above = limit !== null && cents !== null && cents > limit.cents
  if (customer.reseller || above) {
    const answer = because(byCause('reverse_devices'), 'devices_reverse')
    warn(answer, 'identify_customer')
    warn(answer, 'own_series')
    return customer.reseller ? warn(answer, 'written_statement') : answer
  }
  const answer = plain(c)
  if (customer.reseller === undefined) ask(answer, 'customer.reseller')
  if (cents === null) ask(answer, 'facts.amount')
  return answer.questions.length === 0 ? because(answer, 'devices_plain') : answer
}

function investmentGold(c: Case): Answer {
  if (c.facts.waiver && mayReverse(c)) {
    const answer = reversed('reverse_investment_gold')
    because(answer, 'waiver')
    return warn(answer, 'waiver_conditions')
  }
  const answer = byCause('investment_gold', why('gold'))
  return c.facts.waiver ? warn(answer, 'waiver_not_possible') : answer
}

function donation(c: Case): Answer {
  const { rateBp } = rateOf('zero', c.date)
  const answer = taxed(rateBp, c.rule.article)
  answer.cause = 'zero_donations'
  because(answer, 'donation')
  return warn(answer, 'donation_conditions')
}

// ---- Services

function travel(c: Case): Answer {
  const { doneIn } = c.facts
  const outside = doneIn !== undefined && !isUnionPlace(doneIn)
  if (outside) return because(byCause('travel_outside'), 'travel_outside')
  const answer = byCause('travel')
  answer.vatRateBp = rateOf('general', c.date).rateBp
  because(answer, 'travel_margin')
  return doneIn === undefined ? ask(answer, 'facts.doneIn') : answer
}

function isUnionPlace(place: string): boolean {
  return UNION.has(place)
}
const UNION = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK MC'.split(' '),
)

/** Handles works certificates of public bodies, whose VAT is due on delivery or payment. */
function certified(c: Case, answer: Answer): Answer {
  if (!c.facts.certifiedWorks || c.customer.kind !== 'public_body' || answer.taxTreatment !== 'S1')
    return answer
  answer.regimeKey = '14'
  answer.cause = 'certified_works'
  because(answer, 'certified_works')
  return warn(answer, 'certified_works_date')
}

// ---- Property and works

function premises(c: Case): Answer {
  const answer = plain(c)
  answer.regimeKey = '11'
  answer.cause = 'premises'
  return because(answer, 'premises')
}

function propertySale(c: Case): Answer {
  const { facts, rule } = c
  if (!rule.exempt) {
    if (!facts.enforced) return plain(c)
    if (!mayReverse(c)) return notReversed(c, plain(c))
    return because(reversed('reverse_property_enforced'), 'enforced')
  }
  if (!facts.waiver) return exempted(rule.exempt)
  if (!mayReverse(c)) return warn(exempted(rule.exempt), 'waiver_not_possible')
  const answer = because(reversed('reverse_property_waiver'), 'waiver')
  return warn(answer, 'waiver_conditions')
}

function works(c: Case): Answer {
  const { customer, rule, supply } = c
  const chain = rule.reverse !== undefined
  if (customer.kind !== 'business') {
    const answer = certified(c, plain(c))
    if (supply === 'works_new_dwelling') because(answer, 'self_builder')
    return chain && supply !== 'works_new_dwelling' ? notReversed(c, answer) : answer
  }
  if (customer.developer === true || (chain && customer.developer === undefined)) {
    const answer = warn(reversed(rule.reverse ?? 'reverse_works'), 'written_statement')
    return customer.developer === undefined
      ? ask(answer, 'customer.developer')
      : because(answer, 'reverse_works')
  }
  const answer = plain(c)
  if (customer.developer === false) because(answer, 'not_developer')
  return answer
}

function dwellingRepair(c: Case): Answer {
  const { customer } = c
  if (customer.developer === true && customer.kind === 'business')
    return warn(because(reversed('reverse_works'), 'reverse_works'), 'written_statement')
  const own = customer.ownHome ?? customer.kind === 'consumer'
  if (!own) {
    const answer = because(general(c), 'dwelling_business')
    return customer.ownHome === undefined ? ask(answer, 'customer.ownHome') : answer
  }
  return warn(because(plain(c), 'dwelling_home'), 'materials_share')
}

// ---- Farmers

/**
 * Handles the farmers' scheme: businesses issue a receipt with the compensation; consumers pay neither tax nor
 * compensation.
 */
export function farmer(c: Case): Answer {
  const code = c.seller.activity === 'pigs_poultry' ? 'livestock_fisheries' : 'crops_forestry'
  const rateBp = compensationsAt(c.date).find((row) => row.code === code)?.rateBp ?? 0
  const answer = byCause('farmer')
  answer.vatRateBp = null
  if (c.customer.kind === 'consumer') {
    answer.document = 'none'
    return because(answer, 'farmer_consumer')
  }
  answer.document = 'receipt'
  answer.compensationBp = rateBp
  return because(answer, 'farmer', { rate: basisPointsToText(rateBp) })
}
