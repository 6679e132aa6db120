/** Names and kinds of accounts by code, from the plan and, for subaccounts, from their parent. */
import type { AccountKind } from '../../../db/schema.ts'
import { basisPointsToText } from '../../../domain/money.ts'
import { CHART, GROUPS } from './chart-table.ts'

export type Language = 'es' | 'en'

/** Kinds by code prefix; the longest prefix wins. */
const KINDS: readonly (readonly [string, AccountKind])[] = [
  ['1', 'liability'],
  ['10', 'equity'],
  ['11', 'equity'],
  ['12', 'equity'],
  ['13', 'equity'],
  ['2', 'asset'],
  ['3', 'asset'],
  ['4', 'asset'],
  ['40', 'liability'],
  ['406', 'asset'],
  ['407', 'asset'],
  ['41', 'liability'],
  ['437', 'liability'],
  ['438', 'liability'],
  ['465', 'liability'],
  ['466', 'liability'],
  ['475', 'liability'],
  ['476', 'liability'],
  ['477', 'liability'],
  ['479', 'liability'],
  ['485', 'liability'],
  ['499', 'liability'],
  ['5', 'liability'],
  ['53', 'asset'],
  ['54', 'asset'],
  ['550', 'asset'],
  ['551', 'asset'],
  ['552', 'asset'],
  ['554', 'asset'],
  ['555', 'asset'],
  ['557', 'equity'],
  ['558', 'asset'],
  ['565', 'asset'],
  ['566', 'asset'],
  ['567', 'asset'],
  ['57', 'asset'],
  ['58', 'asset'],
  ['59', 'asset'],
  ['6', 'expense'],
  ['7', 'income'],
]

const kindByPrefix = new Map(KINDS)

/** Returns the kind of an account by its code; null outside groups 1 to 7. */
export function kindOf(code: string): AccountKind | null {
  for (let length = Math.min(code.length, 3); length > 0; length -= 1) {
    const kind = kindByPrefix.get(code.slice(0, length))
    if (kind) return kind
  }
  return null
}

const VAT_NAMES: Readonly<Record<string, Record<Language, string>>> = {
  '477': { es: 'IVA repercutido', en: 'Output VAT' },
  '472': { es: 'IVA soportado', en: 'Input VAT' },
  '4779': { es: 'Recargo de equivalencia', en: 'Equivalence surcharge' },
}

function vatName(code: string, language: Language): string | null {
  if (!/^(477|472)\d{4}$/.test(code)) return null
  const surcharge = code.startsWith('4779')
  const name = VAT_NAMES[surcharge ? '4779' : code.slice(0, 3)]?.[language] ?? ''
  const rate = basisPointsToText(Number(code.slice(surcharge ? 4 : 3)))
  return `${name} ${language === 'es' ? rate.replace('.', ',') : rate} %`
}

/** Returns true for the VAT accounts by rate that Sello creates. */
export function isVatByRate(code: string): boolean {
  return /^(477|472)\d{4}$/.test(code)
}

/** Returns the plan's name for exactly this account or group; null when the plan has no such code. */
function planName(code: string, language: Language): string | null {
  const own = CHART.get(code) ?? GROUPS.find((group) => group.code === code)
  return own?.[language] ?? vatName(code, language)
}

/** Returns the name of an account: the plan's, or that of its nearest parent. */
export function nameOf(code: string, language: Language): string {
  for (let length = code.length; length > 0; length -= 1) {
    const name = planName(code.slice(0, length), language)
    if (name !== null) return name
  }
  return code
}

/** Returns true when the plan contains the account itself, so that entries may use it without creating it first. */
export function isPlanAccount(code: string): boolean {
  return (code.length >= 3 && CHART.has(code)) || isVatByRate(code)
}
