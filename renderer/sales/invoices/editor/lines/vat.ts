/** The choices of a line's VAT: the rates of the day, the reasons for none, and what the treatment helper proposes. Pure. */
import type { BusinessDate } from '../../../../../server/domain/dates.ts'
import { basisPointsFromPercent } from '../../../../../server/domain/money.ts'
import type { BasisPoints } from '../../../../../server/domain/money.ts'
import { TAX_TREATMENTS, isMarginScheme, isOneStopShop } from '../../../../../server/domain/tax/totals.ts'
import type { TaxTreatment } from '../../../../../server/domain/tax/totals.ts'
import { generalRateAt, vatRatesAt } from '../../../../../server/domain/tax/vat-rates.ts'
import type { ChosenTreatment } from '../../../../tax/question.ts'
import type { LineForm } from '../draft.ts'

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

/** Of a margin scheme or the one-stop shop: no choice of the list says as much. */
export const SPECIAL = 'special'

export function vatValue(line: Pick<LineForm, 'taxTreatment' | 'vatRateBp' | 'regimeKey'>): string {
  if (isMarginScheme(line) || isOneStopShop(line)) return SPECIAL
  return line.taxTreatment === 'S1' ? `S1:${line.vatRateBp}` : line.taxTreatment
}

type VatFields = Pick<LineForm, 'taxTreatment' | 'vatRateBp' | 'regimeKey' | 'cause' | 'costCents'>

/** What a choice makes of a line; a rate chosen again after a treatment without one is the general rate. */
export function vatOfValue(value: string, rateDate: BusinessDate): VatFields {
  const plain = { regimeKey: null, cause: null, costCents: null }
  const rate = /^S1:(\d+)$/.exec(value)
  if (rate) return { ...plain, taxTreatment: 'S1', vatRateBp: Number(rate[1]) }
  const treatment = TAX_TREATMENTS.find((code) => code === value) ?? 'S1'
  return { ...plain, taxTreatment: treatment, vatRateBp: generalRateAt(rateDate) }
}

/** What the helper's proposal makes of a line. Its surcharge is said even when there is none: the customer's is not added. */
export function vatOfChosen(
  chosen: ChosenTreatment,
  line: LineForm,
  rateDate: BusinessDate,
): Partial<LineForm> {
  const { taxTreatment, regimeKey, cause, isDisbursement } = chosen
  const treated = { taxTreatment, regimeKey }
  const bears = taxTreatment === 'S1' || isOneStopShop(treated)
  const rateBp = bears && chosen.vatRate !== null ? basisPointsFromPercent(chosen.vatRate) : null
  const isMargin = isMarginScheme(treated)
  const { cost: _cost, foreignRate: _rate, ...unread } = line.unread
  return {
    ...treated,
    vatRateBp: rateBp ?? generalRateAt(rateDate),
    surchargeBp:
      taxTreatment === 'S1' && !isMargin ? (basisPointsFromPercent(chosen.surcharge ?? 0) ?? 0) : null,
    costCents: isMargin ? line.costCents : null,
    cause,
    isDisbursement,
    unread,
    // What it cost, or the other country's rate, is asked for in the strip.
    ...(isMargin || isOneStopShop(treated) ? { open: true } : {}),
  }
}

/** Rates in force on a day, highest first. */
export function ratesAt(date: BusinessDate): BasisPoints[] {
  return [...new Set(vatRatesAt(date).map((rate) => rate.rateBp))]
}
