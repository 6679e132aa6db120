/**
 * Place of supply of a seller in the Canary Islands (Ley 20/1991 arts. 11, 12, 16 and 17): the mainland, the Union and third
 * countries are all outside, so that goods sent there are exports and services follow the general rule.
 */
import type { PlaceOfSupplyRules } from '../system.ts'

export const igicSupply: PlaceOfSupplyRules = {
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
  // The record has key 08 here too, but no source says that a service to the mainland goes under it: the general key.
  keyElsewhere: {},
  listedAtHome: [],
  farmerScheme: false,
  ownSupplyRules: false,
}
