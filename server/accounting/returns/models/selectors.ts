/** Conditions on tax totals that select the kinds of operations used by returns. Pure. */
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
export const isVat: When = ({ tax }) => tax === 'vat'
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
 * Sales whose VAT belongs to the periodic return: excludes one-stop shop (17) and the seller's own surcharge scheme
 * (18).
 */
export const taxedSales = all(issued, isVat, treatment('S1'), not(regime('08', '17', '18', '19')), collected)
/** Intra-Community purchases of goods or services: the buyer assesses the tax. */
export const euPurchases = all(received, isVat, regime('09'))
export const otherSelfAssessed = all(received, isVat, treatment('S2'), not(regime('09')))
/** Imported goods: with the customs document (key 01, from outside the Union) or recorded without it (13). */
export const imports = all(
  received,
  isVat,
  any(
    regime('13'),
    all(treatment('S1'), ({ place, nature }) => place === 'non_eu' && nature === 'goods'),
  ),
)
export const farmers = all(received, isVat, regime('02'))
export const domesticPurchases = all(
  received,
  isVat,
  treatment('S1', 'S2'),
  not(euPurchases),
  not(imports),
  not(farmers),
)
/** Sales to businesses of other member states: exempt goods and services taxed there. */
export const euSales = all(issued, isVat, made, euKey('E', 'M', 'H', 'T', 'S'))
export const exports = all(issued, isVat, made, treatment('E2', 'E3', 'E4'))
export const outsideRules = all(issued, made, treatment('N2'), not(euKey('S')), not(regime('17')))
export const reverseChargeSales = all(issued, isVat, made, treatment('S2'))
export const exemptSales = all(issued, isVat, made, treatment('E1', 'E6', 'E7', 'E8'))
