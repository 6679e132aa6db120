/** The choices of a line's VAT: the rates of the day and the reasons for none. Pure. */
import type { BusinessDate } from '../../server/core/dates.ts'
import type { BasisPoints } from '../../server/core/money.ts'
import { TAX_TREATMENTS } from '../../server/core/totals.ts'
import type { TaxTreatment } from '../../server/core/totals.ts'
import { generalRateAt, vatRatesAt } from '../../server/core/vat-rates.ts'
import type { LineForm } from './draft.ts'

export interface VatChoice {
  /** `S1:2100` for a rate, the treatment's code for the rest. */
  value: string
  label: string
  group: 'rate' | 'none'
}

/** E7 and E8 belong to the Canary Islands' tax. */
export const WITHOUT_RATE: readonly TaxTreatment[] = TAX_TREATMENTS.filter(
  (code) => code !== 'S1' && code !== 'E7' && code !== 'E8',
)

export function vatValue(line: Pick<LineForm, 'taxTreatment' | 'vatRateBp'>): string {
  return line.taxTreatment === 'S1' ? `S1:${line.vatRateBp}` : line.taxTreatment
}

/** What a choice makes of a line; a rate chosen again after a treatment without one is the general rate. */
export function vatOfValue(
  value: string,
  rateDate: BusinessDate,
): Pick<LineForm, 'taxTreatment' | 'vatRateBp' | 'regimeKey'> {
  const rate = /^S1:(\d+)$/.exec(value)
  if (rate) return { taxTreatment: 'S1', vatRateBp: Number(rate[1]), regimeKey: null }
  const treatment = TAX_TREATMENTS.find((code) => code === value) ?? 'S1'
  return { taxTreatment: treatment, vatRateBp: generalRateAt(rateDate), regimeKey: null }
}

/** Rates in force on a day, highest first. */
export function ratesAt(date: BusinessDate): BasisPoints[] {
  return [...new Set(vatRatesAt(date).map((rate) => rate.rateBp))]
}
