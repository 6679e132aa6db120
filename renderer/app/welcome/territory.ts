/** Tax territories at set-up: the likely one of a postal code, those that are refused, and the regimes of each tax. */
import type { InputOf } from '../../../server/api/contracts.ts'
import {
  refusalOf,
  SII_REFUSAL,
  TERRITORIES,
  taxSystemOf,
  territoryOfPostalCode,
  USUAL_TERRITORY,
} from '../../../server/tax/systems/index.ts'
import type { Refusal } from '../../../server/tax/systems/index.ts'

export type Territory = NonNullable<InputOf<'company.create'>['territory']>
export type Regime = NonNullable<InputOf<'company.create'>['vatRegime']>

export { TERRITORIES, USUAL_TERRITORY }

/** Returns the territory by the first two digits (the province); null until the code has five digits. */
export function territoryOf(postalCode: string): Territory | null {
  return territoryOfPostalCode(postalCode)
}

/** Returns why a company cannot be set up, with the name of its texts; null when it can. */
export function refusedBecause(
  territory: Territory,
  sii: boolean,
): { name: Territory | 'sii'; refusal: Refusal } | null {
  const refusal = refusalOf(territory)
  if (refusal) return { name: territory, refusal }
  return sii ? { name: 'sii', refusal: SII_REFUSAL } : null
}

/** Returns the regimes to choose from at set-up; none where nearly every company is in the general one. */
export function regimesAtSetUp(territory: Territory): Regime[] {
  const system = taxSystemOf(territory)
  const hasOwnSchemes = system.regimes.some(({ sale }) => sale !== null && sale.cause !== null)
  return hasOwnSchemes ? system.regimes.map(({ regime }) => regime) : []
}
