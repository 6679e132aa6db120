/** Conditions on tax totals that select the kinds of operations used by returns. Pure. */
import type { TaxFamily } from '../../../tax/systems/contract.ts'
import type { Group } from '../../../tax/totals/index.ts'

export type When = (group: Group) => boolean

/** Matches when all conditions do. */
export const all =
  (...conditions: readonly When[]): When =>
  (group) =>
    conditions.every((condition) => condition(group))

/** Matches when any condition does. */
export const any =
  (...conditions: readonly When[]): When =>
  (group) =>
    conditions.some((condition) => condition(group))

export const not =
  (condition: When): When =>
  (group) =>
    !condition(group)

export const issued: When = ({ side }) => side === 'issued'
export const received: When = ({ side }) => side === 'received'
/** Matches the operations of a tax. */
export const ofTax =
  (family: TaxFamily): When =>
  ({ tax }) =>
    tax === family
export const isVat = ofTax('vat')
export const rectifying: When = (group) => group.rectifying === 1
/** The tax accrued or was collected in the period; excludes what waits for payment. */
export const collected: When = ({ stage }) => stage !== 'accrued'
/** The operation took place in the period, whenever it is paid or deducted. */
export const made: When = ({ stage }) => stage !== 'settled'
export const investment: When = (group) => group.investment === 1
export const deductible: When = (group) => group.deductible === 1
export const treatment =
  (...codes: readonly string[]): When =>
  ({ taxTreatment }) =>
    codes.includes(taxTreatment)
export const regime =
  (...keys: readonly string[]): When =>
  ({ regimeKey }) =>
    keys.includes(regimeKey)
/** Matches a rate, in basis points. */
export const rate =
  (...rates: readonly number[]): When =>
  ({ vatRateBp }) =>
    rates.includes(vatRateBp)
export const surcharge =
  (...rates: readonly number[]): When =>
  ({ surchargeBp }) =>
    rates.includes(surchargeBp)
const euKey =
  (...keys: readonly string[]): When =>
  (group) =>
    keys.includes(group.euKey)

/**
 * Operation keys of sales that no periodic return of the tax declares as taxed. Of VAT: those subject to the tax of
 * another territory (08), the one-stop shop (17), the surcharge scheme (18) and farmers (19); of IGIC: those subject to
 * another tax (08), retailers (17), small businesses (18) and the simplified scheme (20). Source: lists L8A and L8B of
 * the registry.
 */
const OUTSIDE_THE_RETURN: Readonly<Record<TaxFamily, readonly string[]>> = {
  vat: ['08', '17', '18', '19'],
  igic: ['08', '17', '18', '20'],
  ipsi: ['08', '18', '19', '20'],
}

/** Conditions on the operations of one tax. */
interface TaxSelectors {
  /** Sales whose tax belongs to the periodic return. */
  taxedSales: When
  /** Intra-Community purchases of goods or services: the buyer assesses the tax. Only VAT has them. */
  euPurchases: When
  otherSelfAssessed: When
  /** Imported goods: with the customs document (key 01, from abroad) or recorded without it (13). */
  imports: When
  /** Purchases from farmers, with a flat compensation. */
  farmers: When
  domesticPurchases: When
  exports: When
  reverseChargeSales: When
  exemptSales: When
  /** Corrections of what was deducted. */
  correctedPurchases: When
}

/** Returns the conditions on the operations of one tax. */
export function selectorsOf(family: TaxFamily): TaxSelectors {
  const own = ofTax(family)
  const euPurchases = all(received, own, regime('09'))
  const imports = all(
    received,
    own,
    any(
      regime('13'),
      all(treatment('S1'), ({ place, nature }) => place === 'non_eu' && nature === 'goods'),
    ),
  )
  const farmers = all(received, own, regime('02'))
  return {
    taxedSales: all(issued, own, treatment('S1'), not(regime(...OUTSIDE_THE_RETURN[family])), collected),
    euPurchases,
    otherSelfAssessed: all(received, own, treatment('S2'), not(regime('09'))),
    imports,
    farmers,
    domesticPurchases: all(
      received,
      own,
      treatment('S1', 'S2'),
      not(euPurchases),
      not(imports),
      not(farmers),
    ),
    exports: all(issued, own, made, treatment('E2', 'E3', 'E4')),
    reverseChargeSales: all(issued, own, made, treatment('S2')),
    exemptSales: all(issued, own, made, treatment('E1', 'E6', 'E7', 'E8')),
    correctedPurchases: all(received, own, deductible, collected, rectifying, not(farmers)),
  }
}

/** The conditions on the operations of VAT. */
export const {
  taxedSales,
  euPurchases,
  otherSelfAssessed,
  imports,
  farmers,
  domesticPurchases,
  exports,
  reverseChargeSales,
  exemptSales,
  correctedPurchases,
} = selectorsOf('vat')
/** Sales under the one-stop shop; under another tax the key is of something else. */
export const oneStopShopSales = all(issued, isVat, regime('17'))
/** Sales to businesses of other member states: exempt goods and services taxed there. */
export const euSales = all(issued, isVat, made, euKey('E', 'M', 'H', 'T', 'S'))
export const outsideRules = all(issued, made, treatment('N2'), not(euKey('S')), not(regime('17')))
