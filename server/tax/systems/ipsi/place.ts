/**
 * Place of supply of a seller in Ceuta or Melilla (Ley 8/1991 arts. 3, 7 and 8): everything else is outside, the other city
 * included, which no table here tells apart because both have the same area.
 */
import type { PlaceOfSupplyRules } from '../system.ts'

export const ipsiSupply: PlaceOfSupplyRules = {
  unionGoods: false,
  oneStopShop: false,
  recapitulative: false,
  serviceTo: {
    eu: 'services_eu',
    third: 'services_third',
    vat: 'services_third',
    canary: 'services_islands',
    ceuta_melilla: 'services_islands',
  },
  keyElsewhere: {},
  listedAtHome: [],
  farmerScheme: false,
  ownSupplyRules: false,
}
