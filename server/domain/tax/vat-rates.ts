/**
 * Dated rates of Spanish VAT, of its equivalence surcharge (recargo de equivalencia) and of income-tax withholding. A
 * rate is a row with its validity and source, never a constant in an `if`: the date of the operation decides.
 */
import type { BasisPoints } from '../money.ts'
import type { BusinessDate } from '../dates.ts'

interface VatRate {
  rateBp: BasisPoints
  /** Surcharges that may accompany this rate in the period; the first is the usual one. */
  surchargesBp: BasisPoints[]
  from: BusinessDate
  to: BusinessDate | null
  /** True for the general rate, which applies if no other rate does. */
  general?: true
  source: string
}

/**
 * Rates of the mainland and the Balearic Islands. Sources: Ley 37/1992 arts. 90, 91 and 161, and the decree-laws
 * named.
 */
export const vatRates: readonly VatRate[] = [
  {
    rateBp: 2100,
    // 1.75 % is the surcharge for tobacco only (art. 161.4º).
    surchargesBp: [520, 175],
    from: '2012-09-01',
    to: null,
    general: true,
    source: 'Ley 37/1992 arts. 90.Uno y 161.1º; tabaco, 161.4º (RDL 20/2012 art. 23)',
  },
  {
    rateBp: 1000,
    surchargesBp: [140],
    from: '2012-09-01',
    to: null,
    source: 'Ley 37/1992 arts. 91.Uno y 161.2º (RDL 20/2012 art. 23)',
  },
  {
    rateBp: 400,
    surchargesBp: [50],
    from: '1995-01-01',
    to: null,
    source: 'Ley 37/1992 arts. 91.Dos y 161.3º (Ley 41/1994)',
  },
  {
    rateBp: 0,
    surchargesBp: [],
    from: '2022-04-10',
    to: '2022-12-31',
    source: 'Ley 37/1992 art. 91.Cuatro (donativos; Ley 7/2022)',
  },
  {
    rateBp: 0,
    surchargesBp: [0],
    from: '2023-01-01',
    to: '2024-09-30',
    source: 'Ley 37/1992 art. 91.Cuatro (donativos); RDL 20/2022 art. 72 y sus prórrogas (alimentos básicos)',
  },
  {
    rateBp: 0,
    surchargesBp: [],
    from: '2024-10-01',
    to: null,
    source: 'Ley 37/1992 art. 91.Cuatro (donativos)',
  },
  {
    rateBp: 500,
    surchargesBp: [50],
    from: '2022-07-01',
    to: '2022-12-31',
    source: 'RDL 11/2022 art. 18 (electricidad); RDL 17/2022 art. 5 (gas, leña)',
  },
  {
    rateBp: 500,
    surchargesBp: [62],
    from: '2023-01-01',
    to: '2024-09-30',
    source:
      'RDL 20/2022 art. 72 (aceites y pastas) y sus prórrogas; el recargo legal es 0,62 (0,625 en la norma)',
  },
  {
    rateBp: 750,
    surchargesBp: [100],
    from: '2024-10-01',
    to: '2024-12-31',
    source: 'RDL 4/2024 art. 1 (pastas, aceites de semillas)',
  },
  {
    rateBp: 200,
    surchargesBp: [26],
    from: '2024-10-01',
    to: '2024-12-31',
    source: 'RDL 4/2024 art. 1 (alimentos básicos, aceite de oliva)',
  },
]

/** Returns the rates in force on a day, highest first. */
export function vatRatesAt(date: BusinessDate): VatRate[] {
  return vatRates
    .filter((rate) => rate.from <= date && (rate.to === null || date <= rate.to))
    .sort((a, b) => b.rateBp - a.rateBp)
}

/** Returns the row of one rate on a day, or undefined if that rate did not exist then. */
export function vatRateAt(rateBp: BasisPoints, date: BusinessDate): VatRate | undefined {
  return vatRates.find(
    (rate) => rate.rateBp === rateBp && rate.from <= date && (rate.to === null || date <= rate.to),
  )
}

/**
 * Returns the general rate, the default of a line. For a day before the table's first general rate it is that first
 * one, which the check then rejects for the day: a reduced rate is never used by default.
 */
export function generalRateAt(date: BusinessDate): BasisPoints {
  const general = vatRates.filter((rate) => rate.general === true)
  const inForce = general.find((rate) => rate.from <= date && (rate.to === null || date <= rate.to))
  return (inForce ?? general[0])?.rateBp ?? 2100
}

/**
 * Withholding rates in force (RIRPF arts. 95, 99-101; LIRPF art. 101). The list is a guide; other rates cause a
 * warning.
 */
export const withholdingRatesBp: readonly BasisPoints[] = [1500, 700, 1900, 100, 200, 3500]
