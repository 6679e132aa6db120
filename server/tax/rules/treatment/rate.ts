/** Rate of each kind of supply on a day: the permanent rates and those of the years of high prices, as dated rows. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints } from '../../../domain/money.ts'
import { generalRateAt } from '../../../domain/tax/vat-rates.ts'
import { inForce } from '../../../domain/tax/dated.ts'
import type { Dated } from '../../../domain/tax/dated.ts'

export type RateClass =
  | 'general'
  | 'reduced'
  | 'super_reduced'
  | 'zero'
  | 'food_basic'
  | 'olive_oil'
  | 'hygiene'
  | 'energy'
  | 'home_care'

interface ClassRate extends Dated {
  rateBp: BasisPoints
}

const REDUCED = { rateBp: 1000, from: '2012-09-01', to: null, source: 'Ley 37/1992 art. 91.Uno' }
const SUPER = { rateBp: 400, from: '1995-01-01', to: null, source: 'Ley 37/1992 art. 91.Dos' }

/** The general rate is in domain/tax/vat-rates.ts. */
const classRates: Readonly<Record<Exclude<RateClass, 'general'>, readonly ClassRate[]>> = {
  reduced: [REDUCED],
  super_reduced: [SUPER],
  zero: [{ rateBp: 0, from: '2022-04-10', to: null, source: 'Ley 37/1992 art. 91.Cuatro' }],
  food_basic: [
    { ...SUPER, to: '2022-12-31' },
    { rateBp: 0, from: '2023-01-01', to: '2024-09-30', source: 'RDL 20/2022 art. 72 y sus prórrogas' },
    { rateBp: 200, from: '2024-10-01', to: '2024-12-31', source: 'RDL 4/2024 art. 1' },
    { ...SUPER, from: '2025-01-01' },
  ],
  olive_oil: [
    { ...REDUCED, to: '2022-12-31' },
    { rateBp: 500, from: '2023-01-01', to: '2024-06-30', source: 'RDL 20/2022 art. 72 y sus prórrogas' },
    { rateBp: 0, from: '2024-07-01', to: '2024-09-30', source: 'RDL 4/2024 art. 1' },
    { rateBp: 200, from: '2024-10-01', to: '2024-12-31', source: 'RDL 4/2024 art. 1' },
    { ...SUPER, from: '2025-01-01', source: 'Ley 37/1992 art. 91.Dos.1.1º (RDL 4/2024)' },
  ],
  hygiene: [
    { ...REDUCED, to: '2022-12-31' },
    { ...SUPER, from: '2023-01-01', source: 'Ley 37/1992 art. 91.Dos.1.7º (Ley 31/2022)' },
  ],
  // Electricity; gas and fuels had other rates for some months, so the helper always recommends checking the rule in
  // force.
  energy: [
    { rateBp: 2100, from: '2012-09-01', to: '2021-06-25', source: 'Ley 37/1992 art. 90.Uno' },
    { rateBp: 1000, from: '2021-06-26', to: '2022-06-30', source: 'RDL 12/2021 art. 1' },
    { rateBp: 500, from: '2022-07-01', to: '2023-12-31', source: 'RDL 11/2022 art. 18 y sus prórrogas' },
    { rateBp: 1000, from: '2024-01-01', to: '2024-12-31', source: 'RDL 8/2023 art. 21' },
    { rateBp: 2100, from: '2025-01-01', to: '2026-03-21', source: 'Ley 37/1992 art. 90.Uno' },
    {
      rateBp: 1000,
      from: '2026-03-22',
      to: '2026-06-30',
      source: 'Medidas de marzo de 2026 sobre la energía (prensa de 20 y 21.3.2026)',
      certain: false,
    },
    {
      rateBp: 2100,
      from: '2026-07-01',
      to: null,
      source: 'Ley 37/1992 art. 90.Uno, si las medidas de 2026 no se prorrogaron',
      certain: false,
    },
  ],
  home_care: [REDUCED],
}

/** Returns the rate of a class on a day. `certain` is false when the row's source could not be checked. */
export function rateOf(rateClass: RateClass, date: BusinessDate): { rateBp: BasisPoints; certain: boolean } {
  if (rateClass === 'general') return { rateBp: generalRateAt(date), certain: true }
  const row = inForce(classRates[rateClass], date)[0]
  // Before the table begins, the reduction did not exist.
  if (!row) return { rateBp: generalRateAt(date), certain: false }
  return { rateBp: row.rateBp, certain: row.certain !== false }
}
