/** VAT choices of a line: the rates of the day, the reasons for none, and the proposal of the treatment helper. Pure. */
import type { BusinessDate } from '../../../../../server/domain/dates.ts'
import { basisPointsFromPercent } from '../../../../../server/domain/money.ts'
import type { BasisPoints } from '../../../../../server/domain/money.ts'
import { TAX_TREATMENTS, isMarginScheme, isOneStopShop } from '../../../../../server/domain/tax/totals.ts'
import type { ChosenTreatment } from '../../../../tax/question.ts'
import { taxSystem, usualRateAt } from '../../../../tax/tax-system.ts'
import type { LineForm } from '../draft.ts'

export interface VatChoice {
  /** `S1:2100` for a rate, the treatment's code otherwise. */
  value: string
  label: string
  group: 'rate' | 'none'
}

/** Value for a margin scheme or the one-stop shop, which no choice of the list covers. */
export const SPECIAL = 'special'

export function vatValue(line: Pick<LineForm, 'taxTreatment' | 'vatRateBp' | 'regimeKey'>): string {
  if (isMarginScheme(line) || isOneStopShop(line)) return SPECIAL
  return line.taxTreatment === 'S1' ? `S1:${line.vatRateBp}` : line.taxTreatment
}

type VatFields = Pick<LineForm, 'taxTreatment' | 'vatRateBp' | 'regimeKey' | 'cause' | 'costCents'>

/** Returns the changes of a line for a choice; a rate chosen after a treatment without one is the general rate. */
export function vatOfValue(value: string, rateDate: BusinessDate): VatFields {
  const plain = { regimeKey: null, cause: null, costCents: null }
  const rate = /^S1:(\d+)$/.exec(value)
  if (rate) return { ...plain, taxTreatment: 'S1', vatRateBp: Number(rate[1]) }
  const treatment = TAX_TREATMENTS.find((code) => code === value) ?? 'S1'
  return { ...plain, taxTreatment: treatment, vatRateBp: usualRateAt(rateDate) }
}

/**
 * Returns the changes of a line for the helper's proposal. It states the surcharge even if there is none, so that the
 * customer's default is not added.
 */
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
    vatRateBp: rateBp ?? usualRateAt(rateDate),
    surchargeBp:
      taxTreatment === 'S1' && !isMargin ? (basisPointsFromPercent(chosen.surcharge ?? 0) ?? 0) : null,
    costCents: isMargin ? line.costCents : null,
    cause,
    isDisbursement,
    unread,
    // The strip asks for the cost, or for the rate of the other country.
    ...(isMargin || isOneStopShop(treated) ? { open: true } : {}),
  }
}

/** Returns the rates in force on a day, highest first. */
export function ratesAt(date: BusinessDate): BasisPoints[] {
  return taxSystem.value.ratesAt(date).map((rate) => rate.rateBp)
}
