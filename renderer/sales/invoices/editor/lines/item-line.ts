/** Line filled from an item of the catalogue. Pure. */
import type { OutputOf } from '../../../../../server/api/contracts.ts'
import type { BusinessDate } from '../../../../../server/domain/dates.ts'
import { basisPointsFromPercent, divideRounded, microFromNumber } from '../../../../../server/domain/money.ts'
import type { BasisPoints, Micro } from '../../../../../server/domain/money.ts'
import type { PriceMode } from '../../../../../server/domain/tax/totals.ts'
import { saleOfItem, usualRateAt } from '../../../../tax/tax-system.ts'
import { usualSurcharge } from '../draft.ts'
import type { LineForm } from '../draft.ts'

export type Item = OutputOf<'items.list'>['items'][number]

const WHOLE_BP = 10_000

/** Returns a unit price in the price mode of the document, to the millionth. */
function priceFor(price: Micro, from: PriceMode, to: PriceMode, rateBp: BasisPoints): Micro {
  if (from === to) return price
  const [top, bottom] = to === 'net' ? [WHOLE_BP, WHOLE_BP + rateBp] : [WHOLE_BP + rateBp, WHOLE_BP]
  return Number(divideRounded(BigInt(price) * BigInt(top), BigInt(bottom)))
}

/** Returns the changes of a line for a chosen item; the quantity stays. */
export function withItem(
  line: LineForm,
  item: Item,
  document: { rateDate: BusinessDate; surcharge: boolean; priceMode: PriceMode },
): Partial<LineForm> {
  const { rateDate, surcharge, priceMode } = document
  const said = item.vatRate === null ? null : basisPointsFromPercent(item.vatRate)
  const vatRateBp = said ?? usualRateAt(rateDate)
  const own = saleOfItem({ taxTreatment: item.taxTreatment, cause: item.cause, vatRateBp: said })
  const taxTreatment = own?.taxTreatment ?? item.taxTreatment
  const borne = taxTreatment === 'S1' ? vatRateBp : 0
  const tax = { taxTreatment, vatRateBp, isDisbursement: false }
  const { unitPrice: _price, ...unread } = line.unread
  return {
    ...tax,
    description: item.description ?? item.name,
    quantityMicro: line.quantityMicro ?? 1_000_000,
    unitPriceMicro: priceFor(microFromNumber(item.unitPrice) ?? 0, item.priceMode, priceMode, borne),
    unit: item.unit ?? '',
    surchargeBp: usualSurcharge(tax, surcharge, rateDate),
    regimeKey: item.regimeKey,
    cause: own?.cause ?? item.cause,
    costCents: null,
    withholdable: item.withholdable,
    account: item.account ?? '',
    supply: item.supply ?? '',
    itemId: item.id,
    unread,
  }
}
