/** Converts field names of the older API to those of the newer one, so that one reader serves both. */
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
/** Depth of a document's lines and of a contact's address: no field in use is deeper. */
const DEPTH = 2

/** Converts a row of the older API to the newer names, including nested records. */
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

/** Reads a row of the older API; an error names the field as the row does. */
export function legacyReader<R>(read: (row: Json) => R): (row: Json) => R {
  return (row) => {
    try {
      return read(newerNames(row))
    } catch (error) {
      if (!(error instanceof RowFault) || error.field === null) throw error
      throw new RowFault(error.reason, OLDER.get(error.field) ?? error.field)
    }
  }
}
