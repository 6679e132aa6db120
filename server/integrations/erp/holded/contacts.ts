/** Reads contacts of Holded. Absent parts of a row arrive as an empty list, 0 or null; postal codes as numbers. */
import { idOf, isObject, lineOf, objectOf, RowFault, taxIdOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { NeutralContact } from '../port.ts'
import { flagOf, lineIn } from './bounded-strings.ts'
import type { Warnings } from './bounded-strings.ts'

/** Version of the record shape below; raise it to read unchanged rows again. */
const RAW_VERSION = 1
const CLIENT_TYPES = ['client', 'debtor']
const SUPPLIER_TYPES = ['supplier', 'creditor']

export function readContact(row: Json): NeutralContact {
  const warnings: Warnings = new Set()
  const externalId = idOf(row.id)
  const tradeName = lineIn(row.trade_name, 200, warnings)
  const name = lineIn(row.name, 200, warnings) ?? tradeName
  if (name === null) throw new RowFault('missing_name', 'name')
  const address = addressOf(objectOf(row.bill_address), warnings)
  const number = lineOf(row.code, 40) === null ? row.vat_number : row.code
  const { taxId, raw, country, invalid } = taxIdOf(number, address?.countryCode ?? null)
  if (invalid) warnings.add('tax_id_invalid')
  const type = lineOf(row.type, 40)?.toLowerCase() ?? null
  return {
    record: 'contact',
    externalId,
    externalKind: 'contact',
    rawVersion: RAW_VERSION,
    name,
    tradeName,
    taxId,
    taxIdRaw: raw,
    taxIdCountry: country,
    isPerson: flagOf(row.is_person),
    isClient: roleOf(row.client_record, type, CLIENT_TYPES),
    isSupplier: roleOf(row.supplier_record, type, SUPPLIER_TYPES),
    email: lineIn(row.email, 254, warnings),
    phone: lineIn(row.phone, 40, warnings),
    mobile: lineIn(row.mobile, 40, warnings),
    address,
    iban: lineOf(row.iban, 60)?.replace(/\s/g, '').toUpperCase() || null,
    archived: flagOf(row.archived) ?? false,
    warnings: [...warnings],
  }
}

/**
 * Returns whether the contact has a role: an accounting record or the type proves it; null where the row has no
 * information.
 */
function roleOf(record: unknown, type: string | null, types: readonly string[]): boolean | null {
  const isKept = isObject(record) ? Object.keys(record).length > 0 : Number(record) > 0
  if (isKept || (type !== null && types.includes(type))) return true
  return record === undefined && type === null ? null : false
}

function addressOf(row: Json | null, warnings: Warnings): NeutralContact['address'] {
  if (row === null) return null
  const countryCode = countryOf(row)
  const address = {
    line: lineIn(row.address, 200, warnings),
    postalCode: postalCodeOf(row.postal_code, countryCode),
    city: lineIn(row.city, 100, warnings),
    province: lineIn(row.province, 100, warnings),
    countryCode,
  }
  return Object.values(address).some((part) => part !== null) ? address : null
}

function countryOf(row: Json): string | null {
  const code = lineOf(row.country_code, 10)?.toUpperCase() ?? ''
  if (/^[A-Z]{2}$/.test(code)) return code
  return /^(españa|espanya|spain|espainia)$/i.test(lineOf(row.country, 60) ?? '') ? 'ES' : null
}

/** Returns the postal code. A Spanish one has five digits; as a number it has lost the zero of provinces 01 to 09. */
function postalCodeOf(value: unknown, countryCode: string | null): string | null {
  const code = lineOf(value, 20)
  return countryCode === 'ES' && code !== null && /^\d{4}$/.test(code) ? `0${code}` : code
}
