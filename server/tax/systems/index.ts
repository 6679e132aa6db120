/** Public interface of the tax systems: one per indirect tax, found by territory, by code of the record or by area. */
import type { TaxArea } from '../../domain/tax/territories.ts'
import { IGIC_SYSTEM } from './igic/index.ts'
import { IPSI_SYSTEM } from './ipsi/index.ts'
import type { TaxCode, TaxSystem } from './system.ts'
import { VAT_SYSTEM } from './vat/index.ts'

export {
  examplePlaceOf,
  isForal,
  refusalOf,
  registryOf,
  SII_REFUSAL,
  taxSystemOf,
  TERRITORIES,
  territoryOfPostalCode,
  USUAL_TERRITORY,
} from './territories.ts'
export type { Refusal } from './territories.ts'
export type { MentionKind, MentionText, RegimeSale, SystemRate, TaxCode, TaxSystem } from './system.ts'
export { VAT_SYSTEM }

/** In the order in which tables list them. */
export const TAX_SYSTEMS: readonly TaxSystem[] = [VAT_SYSTEM, IGIC_SYSTEM, IPSI_SYSTEM]

const byCode = new Map(TAX_SYSTEMS.map((system) => [system.code, system]))

/** Returns the system of a code of the record ("Impuesto"). */
export function taxSystemOfCode(code: TaxCode): TaxSystem {
  return byCode.get(code) ?? VAT_SYSTEM
}

/** Returns the system that applies in an area; undefined outside Spain. */
export function taxSystemOfArea(area: TaxArea): TaxSystem | undefined {
  return TAX_SYSTEMS.find((system) => system.area === area)
}

/** True for a Spanish area in which another tax replaces VAT. */
export function isBesideVat(area: TaxArea): boolean {
  const system = taxSystemOfArea(area)
  return system !== undefined && system !== VAT_SYSTEM
}
