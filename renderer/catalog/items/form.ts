/** An item as its form holds it, and back to what the server takes. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { basisPointsFromPercent, microFromNumber, numberFromMicro } from '../../../server/domain/money.ts'

type Item = OutputOf<'items.get'>

export interface ItemForm {
  name: string
  sku: string
  description: string
  unit: string
  priceMicro: number | null
  gross: boolean
  /** `S1` at the general rate of the day, `S1:2100`, or another treatment. */
  vat: string
  cause: string
  withholdable: boolean
  account: string
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
  active: true,
}

/** The form of an item that exists. */
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
    active: item.active,
  }
}

interface ItemFault {
  name: keyof ItemForm
  /** Message key below `items.fault`. */
  words: string
}

/** What is wrong before asking the server: the rest of the rules are its own. */
export function itemFaults(form: ItemForm): ItemFault[] {
  const faults: ItemFault[] = []
  if (form.name.trim() === '') faults.push({ name: 'name', words: 'name' })
  if (form.priceMicro === null) faults.push({ name: 'priceMicro', words: 'price' })
  if (form.account.trim() !== '' && !/^[67]\d{2,11}$/.test(form.account.trim()))
    faults.push({ name: 'account', words: 'account' })
  return faults
}

/** The form as the server takes it; a field left empty is cleared. Asks for `itemFaults` to be empty. */
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
    active: form.active,
  }
}

/** Fields of the server's faults that the form calls otherwise. */
export function itemField(field: string): keyof ItemForm | null {
  const name =
    { unitPrice: 'priceMicro', vatRate: 'vat', taxTreatment: 'vat', priceMode: 'gross' }[field] ?? field
  return name in EMPTY_ITEM ? (name as keyof ItemForm) : null
}
