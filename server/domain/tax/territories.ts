/** Tax territories: the Spanish tax areas, the Union's and the rest, each by a short code. Pure. */
import type { BusinessDate } from '../dates.ts'

/**
 * A territory of the tax rules: an ISO 3166-1 country (`FR`), one of the Spanish territories outside the area of VAT
 * by its ISO 3166-2 code (`ES-CN` Canary Islands, `ES-CE` Ceuta, `ES-ML` Melilla), or `XI`, Northern Ireland.
 */
export type TerritoryCode = string

/** `vat`: mainland and Balearic Islands. `eu`: another member state. `third`: everything else outside Spain. */
export type TaxArea = 'vat' | 'canary' | 'ceuta_melilla' | 'eu' | 'third'

/** ISO codes of the member states, with the prefix of their VAT numbers if it differs. */
const MEMBER_STATES =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/**
 * Countries with a code of their own that belong to another state's VAT area (Directive 2006/112/EC art. 7): Monaco
 * to France.
 */
const WITHIN: Readonly<Record<string, string>> = { MC: 'FR' }

/**
 * First day of the Union without the United Kingdom. Source: Withdrawal Agreement art. 126 (BOE and DOUE L 29,
 * 31.1.2020).
 */
const BREXIT: BusinessDate = '2021-01-01'

/** ISO codes of the member states other than Spain, sorted. */
export const OTHER_MEMBER_STATES: readonly string[] = MEMBER_STATES.filter((code) => code !== 'ES')

/** Returns true if an ISO country is in the Union's VAT area on a day (the United Kingdom until 2020). */
export function isInUnion(country: string, date: BusinessDate = BREXIT): boolean {
  const code = WITHIN[country] ?? country
  return MEMBER_STATES.includes(code) || (code === 'GB' && date < BREXIT)
}

/** Returns the state whose tax applies in a country, as its rates are listed. */
export function taxCountry(place: TerritoryCode): string {
  const country = place.slice(0, 2)
  return WITHIN[country] ?? country
}

/** Spanish provinces outside the area of VAT (LIVA art. 3.Dos), by the first two digits of their postal codes. */
const PROVINCES: Readonly<Record<string, TerritoryCode>> = {
  35: 'ES-CN',
  38: 'ES-CN',
  51: 'ES-CE',
  52: 'ES-ML',
}

/** Returns the place of an address, which the postal code decides in Spain. */
export function placeOfAddress(country: string, postalCode: string | null | undefined): TerritoryCode {
  if (country !== 'ES') return country
  return PROVINCES[(postalCode ?? '').trim().slice(0, 2)] ?? 'ES'
}

/**
 * Returns the tax area of a territory. Northern Ireland is in the Union for goods and outside it for services
 * (Protocol on Ireland and Northern Ireland art. 8), so that the caller names which of the two.
 */
export function taxArea(
  place: TerritoryCode,
  what: 'goods' | 'services',
  date: BusinessDate = BREXIT,
): TaxArea {
  if (place === 'ES-CN') return 'canary'
  if (place === 'ES-CE' || place === 'ES-ML') return 'ceuta_melilla'
  const country = place.slice(0, 2)
  if (country === 'ES') return 'vat'
  if (country === 'XI') return what === 'goods' ? 'eu' : 'third'
  return isInUnion(country, date) ? 'eu' : 'third'
}
