/** Place of supply of a seller in the area of VAT (LIVA arts. 21, 25, 68 to 72). */
import type { PlaceOfSupplyRules } from '../system.ts'

export const vatSupply: PlaceOfSupplyRules = {
  unionGoods: true,
  oneStopShop: true,
  recapitulative: true,
  serviceTo: {
    eu: 'services_eu',
    third: 'services_third',
    vat: 'services_third',
    canary: 'services_islands',
    ceuta_melilla: 'services_islands',
  },
  // Key 08 of the record: operations that bear the tax of another Spanish territory.
  keyElsewhere: { canary: '08', ceuta_melilla: '08' },
  // LIVA art. 69.Dos leaves out the Canary Islands, Ceuta and Melilla.
  listedAtHome: ['canary', 'ceuta_melilla'],
  farmerScheme: true,
  ownSupplyRules: true,
}
