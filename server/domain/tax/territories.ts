/** Where things are for taxes: the Spanish tax areas, the Union's and the rest, from one short code. Pure. */
import type { BusinessDate } from '../dates.ts'

/**
 * A place as the tax rules tell places apart: an ISO 3166-1 country (`FR`), or one of the Spanish territories outside the
 * area of VAT by its ISO 3166-2 code (`ES-CN` Canary Islands, `ES-CE` Ceuta, `ES-ML` Melilla), or `XI`, Northern Ireland.
 */
export type TerritoryCode = string

/** `vat`: mainland and Balearic Islands. `eu`: another member state. `third`: everything else outside Spain. */
export type TaxArea = 'vat' | 'canary' | 'ceuta_melilla' | 'eu' | 'third'

/** The member states by ISO code with the code their VAT numbers begin with, where it differs. */
const MEMBER_STATES =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Codes of their own that belong to another state's VAT area (Directive 2006/112/EC art. 7): Monaco to France. */
const WITHIN: Readonly<Record<string, string>> = { MC: 'FR' }

/** First day without the United Kingdom. Source: Withdrawal Agreement art. 126 (BOE and DOUE L 29, 31.1.2020). */
const BREXIT: BusinessDate = '2021-01-01'

/** The member states but Spain, ISO codes in order. */
export const OTHER_MEMBER_STATES: readonly string[] = MEMBER_STATES.filter((code) => code !== 'ES')

/** Whether an ISO country is in the Union's VAT area on a day (the United Kingdom until 2020). */
export function isInUnion(country: string, date: BusinessDate = BREXIT): boolean {
  const code = WITHIN[country] ?? country
  return MEMBER_STATES.includes(code) || (code === 'GB' && date < BREXIT)
}

/** The state whose tax applies in a country, as its rates are listed. */
export function taxCountry(place: TerritoryCode): string {
  const country = place.slice(0, 2)
  return WITHIN[country] ?? country
}

/**
 * The tax area of a place. Northern Ireland is in the Union for goods and outside it for services (Protocol on Ireland
 * and Northern Ireland art. 8), so who asks says for what.
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
