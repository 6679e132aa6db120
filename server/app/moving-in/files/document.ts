/** Parts that the documents of all layouts have in common: the other party, dates, withholding, rates. */
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { HistoryParty, HistorySource, HistoryTax, HistoryWithholding } from '../../../domain/history.ts'
import { percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { checkNif, normalizeNif, writtenTaxNumber } from '../../../domain/tax/nif.ts'
import { isInUnion } from '../../../domain/tax/territories.ts'
import { otherStateOf } from '../../../domain/tax/vat-numbers.ts'
import { vatRateAt, vatRates, withholdingRatesBp } from '../../../domain/tax/vat-rates.ts'
import { readCountry } from '../../../platform/spreadsheets/values.ts'
import type { RowCells } from './read-row.ts'

const MAX_NAME = 120
const MAX_NUMBER = 60
/** Codes of identification of the registry, except that of a Spanish number that is not in the census. */
const ID_TYPES = ['02', '03', '04', '05', '06', '07'] as const
type IdType = (typeof ID_TYPES)[number]
const EU_VAT: IdType = '02'
const OTHER_PROOF: IdType = '04'
/** Name of an unidentified customer in the unified books. */
const CONSUMER = /^ventas? a consumidor(es)? final(es)?$/i

/** The prefix of a Greek VAT number, and the code of Northern Ireland, are no ISO codes. */
const ISO: Record<string, string> = { EL: 'GR', XI: 'GB' }

/** Returns the country of a cell; null if the cell names none, with a warning. */
function countryOf(row: RowCells, field: string): string | null {
  const text = row.text(field)
  if (text === '') return null
  const country = readCountry(text) ?? ISO[text.toUpperCase()] ?? null
  if (country === null) row.fault('history_country_unknown', field, { text })
  return country
}

/** Reads the other party. `needsNif`: the document must name its tax number. */
export function readParty(
  row: RowCells,
  { needsNif, canBeAnonymous }: { needsNif: boolean; canBeAnonymous: boolean },
): HistoryParty {
  // Some layouts have a column of companies beside that of persons.
  const name = row.limited(row.has('name') ? 'name' : 'otherName', MAX_NAME)
  const isConsumer = CONSUMER.test(name)
  const stated = row.text('idType').padStart(2, '0').slice(-2) as IdType
  const givenCountry = countryOf(row, 'country')
  const text = row.text('nif')
  const state = text === '' || stated === EU_VAT ? null : otherStateOf(text)
  let idType: IdType | null = row.has('idType') && ID_TYPES.includes(stated) ? stated : null
  let country = givenCountry ?? 'ES'
  if (idType === null && text !== '') {
    // A number that no Spaniard can have, of another member state or with a country of its own.
    if (state !== null && (givenCountry === null || givenCountry === state)) {
      idType = EU_VAT
      country = state
    } else if (givenCountry !== null && givenCountry !== 'ES' && !checkNif(text).ok) idType = OTHER_PROOF
  }
  if (idType === EU_VAT && givenCountry === null) {
    const prefix = text.slice(0, 2).toUpperCase()
    country = ISO[prefix] ?? (/^[A-Z]{2}$/.test(prefix) ? prefix : 'ES')
  }
  const nif = text === '' ? null : writtenTaxNumber(text, { idType, country })
  if (nif === null) {
    if (needsNif && !isConsumer) row.fault('history_nif_missing', 'nif')
  } else if (idType === null && !checkNif(nif).ok) row.fault('history_nif_wrong', 'nif', { text: nif })
  if (name === '' && !canBeAnonymous) row.fault('history_name_missing', 'name')
  return {
    nif: nif === '' ? null : nif,
    name,
    idType,
    country,
    street: row.text('street') || null,
    postalCode: row.text('postalCode') || null,
    city: row.text('city') || null,
    province: row.text('province') || null,
  }
}

/** Returns where a party is taxed, as far as its file says. */
export function areaOf(
  { country, idType }: HistoryParty,
  date: BusinessDate,
): 'spain' | 'union' | 'elsewhere' {
  if (country === 'ES' && idType !== EU_VAT) return 'spain'
  return isInUnion(country, date) || idType === EU_VAT ? 'union' : 'elsewhere'
}

/** Reads a date of the document; a date in the future is an error. */
export function readPastDay(row: RowCells, field: string, today: BusinessDate): BusinessDate | null {
  const day = row.day(field)
  if (day !== null && isBusinessDate(day) && day > today)
    row.fault('history_date_in_future', field, { text: row.text(field) })
  return day
}

/** Checks the number of a document. */
export function checkNumber(row: RowCells, number: string, field: string): void {
  if (number === '') row.fault('history_number_missing', field)
  else if ([...number].length > MAX_NUMBER) row.fault('history_number_long', field, { most: MAX_NUMBER })
}

const CORRECTION = /^(R\d|F3)$/

/**
 * Reports a rate that was not in force on the day. In a correction, or a negative row, a rate of the past is right. 0 % of
 * food and of donations has dates of its own.
 */
export function checkRate(
  row: RowCells,
  field: string,
  {
    rateBp,
    day,
    kind,
    isNegative,
  }: { rateBp: BasisPoints; day: BusinessDate; kind: string; isNegative: boolean },
): void {
  if (vatRateAt(rateBp, day) !== undefined) return
  const isBack = isNegative || CORRECTION.test(kind)
  if (isBack && vatRates.some((rate) => rate.rateBp === rateBp && rate.from <= day)) return
  row.fault('history_rate_unknown', field, { rate: rateBp / 100, date: day })
}

/** Returns the surcharge rate that gives an amount, beside a VAT rate; null if none does to the cent. */
export function surchargeRateFor(
  surchargeCents: Cents,
  baseCents: Cents,
  vatRateBp: BasisPoints,
): BasisPoints | null {
  const rates = vatRates
    .filter(({ rateBp }) => rateBp === vatRateBp)
    .flatMap(({ surchargesBp }) => surchargesBp)
  return rates.find((rate) => Math.abs(percentOf(baseCents, rate) - surchargeCents) <= 1) ?? null
}

/**
 * Returns what was withheld, with its base: all bases if rate and amount fit them, else those of some rows, else the
 * base that the amount implies.
 */
export function withholdingOf(
  taxes: readonly HistoryTax[],
  amountCents: Cents | null,
  statedRateBp: BasisPoints | null,
): Omit<HistoryWithholding, 'reason'> | null {
  if ((amountCents === null || amountCents === 0) && !statedRateBp) return null
  const bases = taxes.map(({ baseCents }) => baseCents)
  const all = bases.reduce((sum, base) => sum + base, 0)
  if (amountCents === null) {
    const rateBp = statedRateBp ?? 0
    return { rateBp, baseCents: all, amountCents: percentOf(all, rateBp) }
  }
  const fits = (base: Cents, rateBp: BasisPoints) => Math.abs(percentOf(base, rateBp) - amountCents) <= 1
  const candidates = [all, ...bases]
  const rates = statedRateBp ? [statedRateBp] : withholdingRatesBp
  for (const baseCents of candidates)
    for (const rateBp of rates) if (fits(baseCents, rateBp)) return { rateBp, baseCents, amountCents }
  const rateBp =
    statedRateBp ?? (all === 0 ? 0 : Math.round((Math.abs(amountCents) * 10_000) / Math.abs(all)))
  return {
    rateBp,
    baseCents: statedRateBp ? Math.round((amountCents * 10_000) / statedRateBp) : all,
    amountCents,
  }
}

/** Returns a name by which two mentions of a party are the same. */
export const partyKey = ({ nif, name }: HistoryParty): string => (nif === null ? name : normalizeNif(nif))

export const sourceOf = (
  { fileName, entry, sheet }: { fileName: string; entry: string | null; sheet: string | null },
  rows: readonly number[],
): HistorySource => ({ file: entry === null ? fileName : `${fileName}/${entry}`, sheet, rows })
