/**
 * The account's list of taxes. A line names its taxes by key on some accounts and by identifier on others; the
 * meaning of a key comes from this list, and from the key's own letters only where the list lacks it.
 */
import type { BasisPoints } from '../../../domain/money.ts'
import { isObject, lineOf, listOf, scaled } from '../reading/untrusted-values.ts'
import { plainDecimalOf } from './decimals.ts'

/** `reverse`: the buyer owes the tax (inversión del sujeto pasivo, intra-Community), so the document shows none. */
export type TaxKind = 'vat' | 'surcharge' | 'withholding' | 'reverse'

export interface Tax {
  id: string | null
  key: string | null
  /** Null where the list states no percentage. */
  rateBp: BasisPoints | null
  kind: TaxKind
}

/** Rates of one line. `unknown` is true when one of its taxes could not be read. */
interface LineRates {
  keys: string[]
  vatBp: BasisPoints | null
  surchargeBp: BasisPoints | null
  withholdingBp: BasisPoints | null
  unknown: boolean
}

const MAX_TAXES = 1000
/** 100 %: no tax is higher, so a higher number is not a percentage. */
const MAX_RATE_BP = 10_000

/** Parses the taxes of either API version; skips one with neither key nor identifier. */
export function taxesOf(rows: readonly unknown[]): Tax[] {
  return rows.slice(0, MAX_TAXES).flatMap((row): Tax[] => {
    if (!isObject(row)) return []
    const id = lineOf(row.id, 120)
    const key = lineOf(row.key, 120)
    if (id === null && key === null) return []
    const kind = kindOf(key ?? '', lineOf(row.group, 40) ?? '', lineOf(row.name, 120) ?? '')
    const isPercentage = (lineOf(row.type, 40) ?? 'percentage') === 'percentage'
    return [{ id, key, kind, rateBp: kind === 'reverse' ? 0 : isPercentage ? percentBp(row.amount) : null }]
  })
}

function kindOf(key: string, group: string, name: string): TaxKind {
  if (/^ret/i.test(group) || /(^|_)ret(_|$)/i.test(key)) return 'withholding'
  if (/^re[cq]/i.test(group) || /(^|_)re[cq](_|$)/i.test(key)) return 'surcharge'
  if (/(^|_)(isp|intra\w*|adqintra\w*)(_|$)/i.test(key)) return 'reverse'
  if (/^(iva|igic|ipsi)/i.test(group) || /(^|_)(iva|igic|ipsi)(_|$)/i.test(key)) return 'vat'
  if (/\b(retenci|irpf)/i.test(name)) return 'withholding'
  if (/\brecargo\b/i.test(name)) return 'surcharge'
  if (/inversi[oó]n del sujeto/i.test(name)) return 'reverse'
  return 'vat'
}

/** Converts a percentage to basis points; withholdings come with either sign. Null for other values. */
export function percentBp(value: unknown): BasisPoints | null {
  let text: string | null
  try {
    text = plainDecimalOf(typeof value === 'string' ? value.replace('%', '') : value, 'amount')
  } catch {
    return null
  }
  const scaledBp = text === null ? null : scaled(text, 2)
  if (scaledBp === null) return null
  const rateBp = Math.abs(Number(scaledBp))
  return rateBp <= MAX_RATE_BP ? rateBp : null
}

/**
 * Keys contain the surcharge without its decimal point. Source: Ley 37/1992 art. 161, and the rates of its
 * decree-laws.
 */
const SURCHARGE_SUFFIXES: Readonly<Record<string, BasisPoints>> = {
  '52': 520,
  '14': 140,
  '05': 50,
  '5': 50,
  '175': 175,
  '062': 62,
  '62': 62,
  '0': 0,
}

/** Reads the rate from the key, such as 21 % from "s_iva_21": the last resort for a key that the list lacks. */
function taxOfKey(key: string): Tax | null {
  if (!/^[sp]_[a-z]+/i.test(key)) return null
  const kind = kindOf(key, '', '')
  if (kind === 'reverse') return { id: null, key, kind, rateBp: 0 }
  const suffix = /_(\d{1,3})$/.exec(key)?.[1]
  if (suffix === undefined) return null
  if (kind === 'surcharge') {
    const rateBp = SURCHARGE_SUFFIXES[suffix]
    return rateBp === undefined ? null : { id: null, key, kind, rateBp }
  }
  // Only a key that names the tax: "s_other_7" may be anything.
  const isNamed = /(^|_)(iva|igic|ipsi|ret)_\d+$/i.test(key)
  return isNamed && suffix.length <= 2 ? { id: null, key, kind, rateBp: Number(suffix) * 100 } : null
}

export type TaxBook = (reference: string) => Tax | null

/** Creates a lookup by identifier, then by key, then by the letters of the key. */
export function taxBook(taxes: readonly Tax[]): TaxBook {
  const byId = new Map(taxes.flatMap((tax) => (tax.id === null ? [] : [[tax.id, tax]])))
  const byKey = new Map(taxes.flatMap((tax) => (tax.key === null ? [] : [[tax.key, tax]])))
  return (reference) => {
    const listed = byId.get(reference) ?? byKey.get(reference)
    if (listed && listed.rateBp !== null) return listed
    return taxOfKey(listed?.key ?? reference) ?? listed ?? null
  }
}

/** Returns the tax references of a line or product; some accounts send records instead of texts. */
function referencesOf(taxes: unknown): string[] {
  const list = Array.isArray(taxes) ? listOf(taxes) : [taxes]
  return list.flatMap((entry) => {
    const reference = isObject(entry) ? (lineOf(entry.key, 120) ?? lineOf(entry.id, 120)) : lineOf(entry, 120)
    return reference === null ? [] : [reference]
  })
}

export function ratesOf(taxes: unknown, book: TaxBook): LineRates {
  const rates: LineRates = {
    keys: referencesOf(taxes),
    vatBp: null,
    surchargeBp: null,
    withholdingBp: null,
    unknown: false,
  }
  for (const key of rates.keys) {
    const tax = book(key)
    if (tax === null || tax.rateBp === null) rates.unknown = true
    else if (tax.kind === 'withholding') rates.withholdingBp = (rates.withholdingBp ?? 0) + tax.rateBp
    else if (tax.kind === 'surcharge') rates.surchargeBp = (rates.surchargeBp ?? 0) + tax.rateBp
    else rates.vatBp = (rates.vatBp ?? 0) + tax.rateBp
  }
  return rates
}
