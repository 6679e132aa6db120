/**
 * Tax territories of Spain: the provinces of each, the tax that applies, and why Sello refuses some. The one place where a
 * territory is opened. Pure.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Territory } from './contract.ts'
import { IGIC_SYSTEM } from './igic/index.ts'
import { IPSI_SYSTEM } from './ipsi/index.ts'
import type { TaxSystem } from './system.ts'
import { VAT_SYSTEM } from './vat/index.ts'

/** Why a territory or an obligation is refused, as last looked up. */
export interface Refusal {
  reason: { es: string; en: string }
  /** Day on which the sources were last read. */
  lookedUpOn: BusinessDate
}

interface TerritoryFacts {
  territory: Territory
  system: TaxSystem
  /** First two digits of its postal codes; empty for the rest of Spain. */
  provinces: readonly string[]
  /** Null: a company of it can be set up. */
  refusal: Refusal | null
  /** Registries of invoices by province, where each has its own; null: that of the rest of Spain. */
  registries: Readonly<Record<string, string>> | null
  /** A place of it, for examples; null where no company can be set up. */
  example: ExamplePlace | null
}

interface ExamplePlace {
  postalCode: string
  city: string
  province: string
}

const TERRITORY_FACTS: readonly TerritoryFacts[] = [
  {
    territory: 'mainland',
    system: VAT_SYSTEM,
    provinces: [],
    refusal: null,
    registries: null,
    example: { postalCode: '28013', city: 'Madrid', province: 'Madrid' },
  },
  {
    territory: 'canary',
    system: IGIC_SYSTEM,
    provinces: ['35', '38'],
    refusal: null,
    registries: null,
    example: { postalCode: '35002', city: 'Las Palmas de Gran Canaria', province: 'Las Palmas' },
  },
  {
    territory: 'ceuta_melilla',
    system: IPSI_SYSTEM,
    provinces: ['51', '52'],
    refusal: null,
    registries: null,
    example: { postalCode: '51001', city: 'Ceuta', province: 'Ceuta' },
  },
  {
    territory: 'basque',
    system: VAT_SYSTEM,
    provinces: ['01', '20', '48'],
    refusal: null,
    // Each provincial treasury keeps its own (TicketBAI).
    registries: { '01': 'signed-01', '20': 'signed-20', '48': 'signed-48' },
    example: { postalCode: '48001', city: 'Bilbao', province: 'Bizkaia' },
  },
  {
    territory: 'navarre',
    system: VAT_SYSTEM,
    provinces: ['31'],
    refusal: {
      reason: {
        es: 'Navarra ha anunciado su propio sistema (NaTicket), del que no hay norma publicada: no hay nada que un programa pueda cumplir.',
        en: 'Navarre has announced a system of its own (NaTicket) without published rules: there is nothing a program could comply with.',
      },
      lookedUpOn: '2026-11-30',
    },
    registries: null,
    example: null,
  },
]

/** Why companies under SII are refused: they are outside the registry (RD 1007/2023 art. 3.3). */
export const SII_REFUSAL: Refusal = {
  reason: {
    es: 'Quien lleva sus libros por el SII queda fuera de VERI*FACTU (RD 1007/2023, art. 3.3), y Sello no envía los libros del SII.',
    en: 'Who keeps books under SII is outside VERI*FACTU (RD 1007/2023 art. 3.3), and Sello does not send the books of SII.',
  },
  lookedUpOn: '2026-11-30',
}

/** In the order in which they are offered. */
export const TERRITORIES: readonly Territory[] = TERRITORY_FACTS.map(({ territory }) => territory)

/** The territory of a company that names none and has no postal code. */
export const USUAL_TERRITORY: Territory = 'mainland'

function factsOf(territory: Territory): TerritoryFacts {
  const facts = TERRITORY_FACTS.find((one) => one.territory === territory)
  if (!facts) throw new Error(`No tax territory ${territory}.`)
  return facts
}

/** Returns the tax that applies in a territory. */
export function taxSystemOf(territory: Territory): TaxSystem {
  return factsOf(territory).system
}

/** Returns a place of a territory for an example; null where no company can be set up. */
export function examplePlaceOf(territory: Territory): ExamplePlace | null {
  return factsOf(territory).example
}

/** Returns why no company of a territory can be set up, or null. */
export function refusalOf(territory: Territory): Refusal | null {
  return factsOf(territory).refusal
}

/**
 * Returns the name of the registry of a place; null for that of the rest of Spain, undefined if the territory has one for
 * each province and the postal code names none of them.
 */
export function registryOf(territory: Territory, postalCode: string | null): string | null | undefined {
  const { registries } = factsOf(territory)
  return registries === null ? null : registries[(postalCode ?? '').trim().slice(0, 2)]
}

/** True for a territory with a tax agency of its own, whose VAT returns are not those of the state. */
export function isForal(territory: Territory): boolean {
  return territory === 'basque' || territory === 'navarre'
}

/** Returns the territory of a Spanish postal code by its province; null until it has five digits. */
export function territoryOfPostalCode(postalCode: string): Territory | null {
  const code = postalCode.trim()
  if (!/^\d{5}$/.test(code)) return null
  const province = code.slice(0, 2)
  return TERRITORY_FACTS.find(({ provinces }) => provinces.includes(province))?.territory ?? USUAL_TERRITORY
}
