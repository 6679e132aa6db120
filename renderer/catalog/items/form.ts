/** Form state of an item and its conversion to the API. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { basisPointsFromPercent, microFromNumber, numberFromMicro } from '../../../server/domain/money.ts'
import type { LineSupply } from '../../../server/domain/tax/line-supply.ts'

type Item = OutputOf<'items.get'>

export interface ItemForm {
  name: string
  sku: string
  description: string
  unit: string
  priceMicro: number | null
  gross: boolean
  /** `S1` at the general rate of the date, `S1:2100`, or another treatment. */
  vat: string
  cause: string
  withholdable: boolean
  account: string
  /** Empty where nobody has said it. */
  supply: '' | LineSupply
  active: boolean
}

export const EMPTY_ITEM: ItemForm = {
  name: '',
  sku: '',
  description: '',
  unit: '',
  priceMicro: null,
  gross: false,
  vat: 'S1',
  cause: '',
  withholdable: true,
  account: '',
  supply: '',
  active: true,
}

/** Returns the form of an existing item. */
export function itemFormOf(item: Item): ItemForm {
  const rateBp = item.vatRate === null ? null : basisPointsFromPercent(item.vatRate)
  return {
    name: item.name,
    sku: item.sku ?? '',
    description: item.description ?? '',
    unit: item.unit ?? '',
    priceMicro: microFromNumber(item.unitPrice),
    gross: item.priceMode === 'gross',
    vat: rateBp === null ? item.taxTreatment : `${item.taxTreatment}:${rateBp}`,
    cause: item.cause ?? '',
    withholdable: item.withholdable,
    account: item.account ?? '',
    supply: item.supply ?? '',
    active: item.active,
  }
}

interface ItemFault {
  name: keyof ItemForm
  /** Message key below `items.fault`. */
  words: string
}

/** Returns the faults found before the request; the server checks the other rules. */
export function itemFaults(form: ItemForm): ItemFault[] {
  const faults: ItemFault[] = []
  if (form.name.trim() === '') faults.push({ name: 'name', words: 'name' })
  if (form.priceMicro === null) faults.push({ name: 'priceMicro', words: 'price' })
  if (form.account.trim() !== '' && !/^[67]\d{2,11}$/.test(form.account.trim()))
    faults.push({ name: 'account', words: 'account' })
  return faults
}

/** Returns the form as the server takes it; an empty field is cleared. Requires that `itemFaults` is empty. */
export function itemInput(form: ItemForm): InputOf<'items.create'> {
  const orNull = (text: string) => text.trim() || null
  const [taxTreatment, rateBp] = form.vat.split(':')
  return {
    name: form.name.trim(),
    sku: orNull(form.sku),
    description: orNull(form.description),
    unit: orNull(form.unit),
    unitPrice: numberFromMicro(form.priceMicro ?? 0),
    priceMode: form.gross ? 'gross' : 'net',
    taxTreatment: taxTreatment as Item['taxTreatment'],
    vatRate: rateBp === undefined ? null : Number(rateBp) / 100,
    cause: orNull(form.cause),
    withholdable: form.withholdable,
    account: orNull(form.account),
    supply: form.supply || null,
    active: form.active,
  }
}

/** Returns the form's name of a fault's field, where it differs. */
export function itemField(field: string): keyof ItemForm | null {
  const name =
    { unitPrice: 'priceMicro', vatRate: 'vat', taxTreatment: 'vat', priceMode: 'gross' }[field] ?? field
  return name in EMPTY_ITEM ? (name as keyof ItemForm) : null
}
