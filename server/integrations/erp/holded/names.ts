/** The older interface's field names as the newer one's, so that one reader reads both. */
import { isObject, RowFault } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'

const NEWER = new Map([
  ['contact', 'contact_id'],
  ['contactName', 'contact_name'],
  ['desc', 'description'],
  ['docNumber', 'document_number'],
  ['dueDate', 'due_date'],
  ['approvedAt', 'approved_at'],
  ['currencyChange', 'currency_change'],
  ['paymentsTotal', 'payments_total'],
  ['paymentsPending', 'payments_pending'],
  ['products', 'lines'],
  ['productId', 'product_id'],
  ['tradeName', 'trade_name'],
  ['vatnumber', 'vat_number'],
  ['isperson', 'is_person'],
  ['billAddress', 'bill_address'],
  ['postalCode', 'postal_code'],
  ['countryCode', 'country_code'],
  ['clientRecord', 'client_record'],
  ['supplierRecord', 'supplier_record'],
  ['purchasePrice', 'purchase_price'],
])
const OLDER = new Map([...NEWER].map(([older, newer]) => [newer, older]))
/** A document's lines, a contact's address: nothing that is read lies deeper. */
const DEPTH = 2

/** A row of the older interface under the newer names, what is inside it included. */
export function newerNames(row: Json, depth = DEPTH): Json {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [NEWER.get(name) ?? name, renamed(value, depth)]),
  )
}

function renamed(value: unknown, depth: number): unknown {
  if (depth === 0) return value
  if (Array.isArray(value))
    return value.map((part: unknown) => (isObject(part) ? newerNames(part, depth - 1) : part))
  return isObject(value) ? newerNames(value, depth - 1) : value
}

/** Reads a row of the older interface; a fault names the field as the row does. */
export function readingOlder<R>(read: (row: Json) => R): (row: Json) => R {
  return (row) => {
    try {
      return read(newerNames(row))
    } catch (error) {
      if (!(error instanceof RowFault) || error.field === null) throw error
      throw new RowFault(error.reason, OLDER.get(error.field) ?? error.field)
    }
  }
}
