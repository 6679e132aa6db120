/**
 * Tables of depreciation as dated data: the highest coefficient and the longest period of each kind of element. Pure.
 */
import type { BasisPoints } from '../../domain/money.ts'
import type { BusinessDate } from '../../domain/dates.ts'

interface TableRow {
  /** `companies.` or `simplified.`, and a name. */
  id: string
  maxRateBp: BasisPoints
  maxYears: number
}

interface DepreciationTable {
  name: 'companies' | 'simplified'
  from: BusinessDate
  to: BusinessDate | null
  source: string
  rows: readonly TableRow[]
}

const row = (id: string, percent: number, maxYears: number): TableRow => ({
  id,
  maxRateBp: percent * 100,
  maxYears,
})

export const DEPRECIATION_TABLES: readonly DepreciationTable[] = [
  {
    name: 'simplified',
    from: '1998-01-01',
    to: null,
    source:
      'Orden de 27 de marzo de 1998, as the tax agency publishes it (manual of economic activities, 3.5.4)',
    rows: [
      row('simplified.buildings', 3, 68),
      row('simplified.installations', 10, 20),
      row('simplified.machinery', 12, 18),
      row('simplified.vehicles', 16, 14),
      row('simplified.computers', 26, 10),
      row('simplified.tools', 30, 8),
      row('simplified.cattle', 16, 14),
      row('simplified.horses', 8, 25),
      row('simplified.citrus', 4, 50),
      row('simplified.olives', 2, 100),
    ],
  },
  {
    name: 'companies',
    from: '2015-01-01',
    to: null,
    source: 'Ley 27/2014, art. 12.1.a',
    rows: [
      row('companies.civil_works', 2, 100),
      row('companies.pavements', 6, 34),
      row('companies.mining_works', 7, 30),
      row('companies.hydro_plants', 2, 100),
      row('companies.nuclear_plants', 3, 60),
      row('companies.coal_plants', 4, 50),
      row('companies.renewable_plants', 7, 30),
      row('companies.other_plants', 5, 40),
      row('companies.industrial_buildings', 3, 68),
      row('companies.waste_land', 4, 50),
      row('companies.warehouses', 7, 30),
      row('companies.other_buildings', 2, 100),
      row('companies.power_grid', 5, 40),
      row('companies.cables', 7, 30),
      row('companies.other_installations', 10, 20),
      row('companies.machinery', 12, 18),
      row('companies.medical', 15, 14),
      row('companies.trains', 8, 25),
      row('companies.ships', 10, 20),
      row('companies.internal_transport', 10, 20),
      row('companies.vehicles', 16, 14),
      row('companies.lorries', 20, 10),
      row('companies.furniture', 10, 20),
      row('companies.linen', 25, 8),
      row('companies.glassware', 50, 4),
      row('companies.tools', 25, 8),
      row('companies.moulds', 33, 6),
      row('companies.other_goods', 15, 14),
      row('companies.electronics', 20, 10),
      row('companies.computers', 25, 8),
      row('companies.software', 33, 6),
      row('companies.films', 33, 6),
      row('companies.other', 10, 20),
    ],
  },
]

/** Returns a row of the tables in force on a day; undefined if none is. */
export function tableRow(id: string, day: BusinessDate): TableRow | undefined {
  return DEPRECIATION_TABLES.filter(({ from, to }) => from <= day && (to === null || day <= to))
    .flatMap(({ rows }) => rows)
    .find((each) => each.id === id)
}

/**
 * How fast an element may be depreciated. `used`: acquired second-hand, up to twice the coefficient (RD 634/2015, art. 4.3).
 * `accelerated`: new, of a small company (art. 101 of the law), up to twice the coefficient (Ley 27/2014, art. 103).
 */
export const PACES = ['normal', 'used', 'accelerated'] as const
export type Pace = (typeof PACES)[number]

const DOUBLED = 2

/** Returns the highest coefficient of a row at a pace. */
export function maxRateOf({ maxRateBp }: TableRow, pace: Pace): BasisPoints {
  return pace === 'normal' ? maxRateBp : maxRateBp * DOUBLED
}

/** Free depreciation of cheap new elements: at most this price each (Ley 27/2014, art. 12.3.e, and 25,000 euros a year). */
export const FREE_UNIT_LIMIT_CENTS = 30_000
