/** Reads partners and products of Odoo, one row at a time. */
import type { NeutralContact, NeutralItem, RecordWarning } from '../port.ts'
import { idOf, lineOf, listOf, paragraphOf, RowFault, taxIdOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import { isId } from './call.ts'
import { resolved } from './taxes.ts'
import type { Taxes } from './taxes.ts'
import { linkOf, microOrNull } from './values.ts'

export const PARTNER = 'res.partner'
export const PRODUCT = 'product.product'

export const PARTNER_FIELDS = [
  'id',
  'name',
  'vat',
  'street',
  'street2',
  'zip',
  'city',
  'state_id',
  'country_code',
  'email',
  'phone',
  'is_company',
  'customer_rank',
  'supplier_rank',
  'active',
  'write_date',
]

export const PRODUCT_FIELDS = [
  'id',
  'name',
  'default_code',
  'barcode',
  'type',
  'description_sale',
  'lst_price',
  'list_price',
  'standard_price',
  'currency_id',
  'taxes_id',
  'product_tmpl_id',
  'product_template_attribute_value_ids',
  'active',
  'write_date',
]

export function readPartner(row: Json): NeutralContact {
  const externalId = idOf(row.id)
  const name = lineOf(row.name, 300)
  if (name === null) throw new RowFault('missing_name', 'name')
  const countryCode = countryOf(row.country_code)
  // Odoo users enter a slash when a partner has no number.
  const tax = taxIdOf(row.vat === '/' ? null : row.vat, countryCode)
  const warnings: RecordWarning[] = tax.invalid ? ['tax_id_invalid'] : []
  return {
    record: 'contact',
    externalId,
    externalKind: PARTNER,
    rawVersion: 1,
    warnings,
    name,
    tradeName: null,
    taxId: tax.taxId,
    taxIdRaw: tax.raw,
    taxIdCountry: tax.country,
    isPerson: typeof row.is_company === 'boolean' ? !row.is_company : null,
    isClient: isRanked(row.customer_rank),
    isSupplier: isRanked(row.supplier_rank),
    email: lineOf(row.email, 254),
    phone: lineOf(row.phone, 40),
    mobile: null,
    address: addressOf(row, countryCode),
    iban: null,
    archived: row.active === false,
  }
}

/** Returns true if documents name the partner, by Odoo's counter; null where Odoo does not count. */
function isRanked(rank: unknown): boolean | null {
  return typeof rank === 'number' ? rank > 0 : null
}

function countryOf(value: unknown): string | null {
  const code = lineOf(value, 10)?.toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? code : null
}

function addressOf(row: Json, countryCode: string | null): NeutralContact['address'] {
  const lines = [row.street, row.street2].map((each) => lineOf(each, 200)).filter((each) => each !== null)
  const address = {
    line: lineOf(lines.join(', '), 300),
    postalCode: lineOf(row.zip, 20),
    city: lineOf(row.city, 120),
    // The label also contains the country: "Zaragoza (ES)".
    province: lineOf(linkOf(row.state_id)?.label?.replace(/\s*\([A-Z]{2}\)$/, ''), 120),
    countryCode,
  }
  return Object.values(address).every((each) => each === null) ? null : address
}

export function readProduct(row: Json, taxes: Taxes): NeutralItem {
  const externalId = idOf(row.id)
  const name = lineOf(row.name, 300)
  if (name === null) throw new RowFault('missing_name', 'name')
  const taxIds = listOf(row.taxes_id).filter(isId)
  const { found, unknown } = resolved(taxIds, taxes)
  const rates = found.flatMap(([, { role, rateBp }]) => (role === 'vat' && rateBp !== null ? [rateBp] : []))
  const currency = lineOf(linkOf(row.currency_id)?.label, 10)?.toUpperCase() ?? ''
  const warnings: RecordWarning[] = unknown ? ['tax_unknown'] : []
  if (!/^[A-Z]{3}$/.test(currency)) warnings.push('currency_assumed')
  const isVariant = listOf(row.product_template_attribute_value_ids).length > 0
  return {
    record: 'item',
    externalId,
    externalKind: PRODUCT,
    rawVersion: 1,
    warnings,
    kind: isVariant ? 'variant' : row.type === 'service' ? 'service' : 'product',
    name,
    sku: lineOf(row.default_code, 120),
    barcode: lineOf(row.barcode, 60),
    description: paragraphOf(row.description_sale, 2000),
    // For a variant with its own price, the list price is the template's.
    unitPrice: microOrNull(row, 'lst_price') ?? microOrNull(row, 'list_price'),
    cost: microOrNull(row, 'standard_price'),
    currency: /^[A-Z]{3}$/.test(currency) ? currency : 'EUR',
    vatBp: rates.length === 1 ? (rates[0] ?? null) : null,
    taxKeys: taxIds.map(String),
    archived: row.active === false,
    parentExternalId: isVariant ? (linkOf(row.product_tmpl_id)?.id.toString() ?? null) : null,
  }
}
