/** Determines the place of supply (Ley 37/1992 arts. 68 to 72), and the treatment when it is elsewhere. */
import { taxArea, taxCountry } from '../../../domain/tax/territories.ts'
import type { TerritoryCode, TaxArea } from '../../../domain/tax/territories.ts'
import { isBesideVat } from '../../systems/index.ts'
import { memberStateRatesAt } from '../member-states.ts'
import { ask, because, byCause, warn } from './case.ts'
import type { Answer, Case } from './case.ts'
import { why } from './messages.ts'

/** An answer when the place of supply is elsewhere; null when it is at home, with the reasons. */
interface PlaceOfSupply {
  elsewhere: Answer | null
  /** Adds the reasons, questions and warnings when the place is at home. */
  home: (answer: Answer) => Answer
}

const AT_HOME: PlaceOfSupply = { elsewhere: null, home: (answer) => answer }

/** Returns an answer that is not subject here; the record may have a key of its own for what another area taxes. */
function away(c: Case, code: string, area: TaxArea): Answer {
  const answer = byCause(code, undefined, c.system)
  const key = c.system.supply.keyElsewhere[area]
  if (key !== undefined) answer.regimeKey = key
  return answer
}

/** Returns the place of supply of a case. */
export function placeOfSupply(c: Case): PlaceOfSupply {
  return c.isGoods ? placeOfGoods(c) : placeOfService(c)
}

// ---- Goods

function placeOfGoods(c: Case): PlaceOfSupply {
  const { facts, customer, date } = c
  const from = facts.goodsFrom ?? c.sellerPlace
  const to =
    facts.goodsTo ?? (facts.carriedBy === 'customer' && customer.kind === 'consumer' ? from : customer.place)
  const fromArea = taxArea(from, 'goods', date)
  const toArea = taxArea(to, 'goods', date)
  if (fromArea !== c.home) return { elsewhere: goodsFromElsewhere(c, from, to), home: (answer) => answer }
  if (facts.installed && toArea !== c.home) {
    const answer = because(away(c, 'goods_installed_elsewhere', toArea), 'goods_installed')
    return { elsewhere: warn(answer, 'foreign_rules', { place: to }), home: (each) => each }
  }
  if (toArea === c.home) return homeGoods(c, from)
  if (toArea === 'eu' && c.system.supply.unionGoods) return toUnion(c, to)
  return export_(c, to)
}

function goodsFromElsewhere(c: Case, from: TerritoryCode, to: TerritoryCode): Answer {
  const fromArea = taxArea(from, 'goods', c.date)
  const toArea = taxArea(to, 'goods', c.date)
  const other = taxCountry(from) !== taxCountry(to)
  if (
    fromArea === 'eu' &&
    toArea === 'eu' &&
    other &&
    c.customer.kind === 'business' &&
    c.customer.vatNumber !== 'none'
  ) {
    const answer = because(byCause('triangular'), 'triangular')
    warn(answer, 'check_vies')
    return warn(answer, 'model_349')
  }
  const answer = because(away(c, 'goods_elsewhere', fromArea), 'goods_leave_from')
  return warn(answer, 'foreign_rules', { place: from })
}

function homeGoods(c: Case, from: TerritoryCode): PlaceOfSupply {
  const abroad = taxArea(c.customer.place, 'goods', c.date) !== c.home
  if (!abroad || c.facts.goodsTo !== undefined) return AT_HOME
  return {
    elsewhere: null,
    home: (answer) => (from === c.sellerPlace ? because(answer, 'intra_eu_collected') : answer),
  }
}

function export_(c: Case, to: TerritoryCode): PlaceOfSupply {
  const { facts, customer } = c
  if (facts.carriedBy === 'traveller')
    return {
      elsewhere: null,
      home: (answer) => warn(because(answer, 'traveller'), 'diva'),
    }
  // Art. 21.2º: goods carried by the customer are exempt only when the customer is not established here.
  if (facts.carriedBy === 'customer' && taxArea(customer.place, 'goods', c.date) === c.home)
    return { elsewhere: null, home: (answer) => because(answer, 'export_by_local') }
  const answer = because(byCause('export', undefined, c.system), 'export', { place: to })
  warn(answer, 'customs_proof')
  if (isBesideVat(taxArea(to, 'goods', c.date))) warn(answer, 'island_customs', { place: to })
  return { elsewhere: answer, home: (each) => each }
}

function toUnion(c: Case, to: TerritoryCode): PlaceOfSupply {
  const { customer, facts } = c
  if (to === 'XI') return northernIreland(toUnionMember(c, to))
  if (c.supply === 'new_vehicle') return toUnionMember(c, to)
  if (facts.carriedBy === 'traveller' && customer.kind === 'consumer')
    return { elsewhere: null, home: (answer) => because(answer, 'intra_eu_collected') }
  return toUnionMember(c, to)
}

function northernIreland(placed: PlaceOfSupply): PlaceOfSupply {
  return {
    elsewhere: placed.elsewhere && warn(placed.elsewhere, 'northern_ireland'),
    home: (answer) => warn(placed.home(answer), 'northern_ireland'),
  }
}

function toUnionMember(c: Case, to: TerritoryCode): PlaceOfSupply {
  const { customer } = c
  if (c.supply === 'new_vehicle') {
    const answer = because(byCause('intra_eu_vehicle'), 'new_vehicle')
    warn(answer, 'vehicle_data')
    return { elsewhere: warn(answer, 'proof_transport', { place: to }), home: (each) => each }
  }
  if (customer.kind === 'consumer') return toUnionConsumer(c, to)
  if (customer.vatNumber === 'none')
    return { elsewhere: null, home: (answer) => because(answer, 'intra_eu_no_number') }
  const answer = because(byCause('intra_eu'), 'intra_eu')
  if (customer.vatNumber !== 'valid') ask(answer, 'customer.vatNumber')
  warn(answer, 'check_vies')
  warn(answer, 'proof_transport', { place: to })
  warn(answer, 'model_349')
  return { elsewhere: warn(answer, 'invoice_in_eu'), home: (each) => each }
}

/**
 * Determines distance sales of goods and digital services to consumers of other member states (arts. 68.Tres,
 * 70.Uno.4º, 73).
 */
function toUnionConsumer(c: Case, to: TerritoryCode): PlaceOfSupply {
  const { seller, date } = c
  if (!seller.oss && seller.overOssThreshold !== true)
    return {
      elsewhere: null,
      home: (answer) => {
        because(answer, 'distance_below')
        return seller.overOssThreshold === null ? ask(answer, 'seller.overOssThreshold') : answer
      },
    }
  const country = taxCountry(to)
  const rates = memberStateRatesAt(country, date)
  const answer = byCause('oss')
  if (rates) {
    answer.foreignTax = { country, rateBp: rates.standardBp, source: rates.source }
    because(answer, 'distance_oss', { place: country, rate: rates.standardBp / 100 })
    if (rates.reducedBp.length > 0) warn(answer, 'oss_rate')
    if (rates.certain === false) warn(answer, 'uncertain_rate')
  }
  if (!seller.oss) warn(answer, 'oss_register')
  return { elsewhere: answer, home: (each) => each }
}

// ---- Services

function placeOfService(c: Case): PlaceOfSupply {
  const { rule, customer, date } = c
  const area = taxArea(customer.place, 'services', date)
  switch (rule.place) {
    case 'property':
      return whereDone(c, 'property_there')
    case 'there':
      return whereDone(c, 'done_there')
    case 'there_for_consumers':
      return c.isBusiness ? general(c, area) : whereDone(c, 'done_there')
    case 'departure':
      return c.isBusiness ? general(c, area) : departure(c)
    case 'consumer_there':
      return c.isBusiness ? general(c, area) : digital(c, area)
    case 'listed':
      return c.isBusiness ? general(c, area) : listed(c, area)
    default:
      return general(c, area)
  }
}

/** Applies art. 69.Uno: to a business at its own location, to a consumer at the seller's. */
function general(c: Case, area: TaxArea): PlaceOfSupply {
  const { customer } = c
  if (area === c.home) return AT_HOME
  if (!c.isBusiness) return { elsewhere: null, home: (answer) => because(answer, 'service_at_home') }
  if (area === 'eu' && customer.vatNumber === 'none')
    return {
      elsewhere: null,
      home: (answer) => warn(because(answer, 'service_no_number'), 'prove_business'),
    }
  const code = c.system.supply.serviceTo[area] ?? 'services_third'
  const answer = because(away(c, code, area), 'service_customer', { place: customer.place })
  if (area === 'eu') {
    if (customer.vatNumber !== 'valid') ask(answer, 'customer.vatNumber')
    warn(answer, 'check_vies')
    if (c.system.supply.recapitulative) warn(answer, 'model_349')
  } else if (area === 'third') {
    warn(answer, 'prove_business')
    if (c.rule.place === 'listed') warn(answer, 'effective_use')
    if (customer.place === 'XI') warn(answer, 'northern_ireland')
  }
  return { elsewhere: answer, home: (each) => each }
}

/** Applies art. 69.Dos: listed services to a consumer outside the Union; the islands and the two cities are excluded. */
function listed(c: Case, area: TaxArea): PlaceOfSupply {
  if (area === 'third')
    return {
      elsewhere: warn(
        because(away(c, c.rule.elsewhere?.[0] ?? 'intangible_third', area), 'service_listed'),
        'effective_use',
      ),
      home: (each) => each,
    }
  if (c.system.supply.listedAtHome.includes(area))
    return { elsewhere: null, home: (answer) => because(answer, 'islands_not_listed') }
  return general(c, area)
}

function digital(c: Case, area: TaxArea): PlaceOfSupply {
  const { customer } = c
  if (area === c.home) return AT_HOME
  if (area === 'eu' && c.system.supply.oneStopShop) return toUnionConsumer(c, customer.place)
  const answer = because(away(c, c.rule.elsewhere?.[0] ?? 'digital_elsewhere', area), 'service_digital', {
    place: customer.place,
  })
  return { elsewhere: warn(answer, 'foreign_rules', { place: customer.place }), home: (each) => each }
}

function departure(c: Case): PlaceOfSupply {
  const from = c.facts.goodsFrom ?? c.sellerPlace
  const area = taxArea(from, 'services', c.date)
  if (area === c.home) return AT_HOME
  const answer = because(away(c, c.rule.elsewhere?.[0] ?? 'transport_goods_elsewhere', area), 'departure', {
    place: from,
  })
  return { elsewhere: warn(answer, 'foreign_rules', { place: from }), home: (each) => each }
}

/**
 * Applies the location of the property or performance; when not given, assumes home, and asks when the customer is
 * from elsewhere.
 */
function whereDone(c: Case, reason: 'property_there' | 'done_there'): PlaceOfSupply {
  const { doneIn } = c.facts
  const place = doneIn ?? c.sellerPlace
  const area = taxArea(place, 'services', c.date)
  if (area === c.home) {
    const foreign = taxArea(c.customer.place, 'services', c.date) !== c.home
    return {
      elsewhere: null,
      home: (answer) => {
        if (foreign) because(answer, reason, { place })
        return foreign && doneIn === undefined ? ask(answer, 'facts.doneIn') : answer
      },
    }
  }
  const [usual = 'property_elsewhere', beside = usual] = c.rule.elsewhere ?? []
  const answer = away(c, isBesideVat(area) ? beside : usual, area)
  answer.why.push(why(reason, { place }))
  return { elsewhere: warn(answer, 'foreign_rules', { place }), home: (each) => each }
}
