/**
 * Keys and subkeys of model 190 that a business types, and which facts of a person the form asks for with each. Source:
 * the tax agency's design of records 190 of 2025 (Orden EHA/3127/2009, last changed by Orden HAC/1431/2025), record 2.
 */

/** G and H come from received invoices, C and D belong to the employment service. */
export const WAGE_KEYS = ['A', 'B', 'E', 'F', 'I', 'J', 'K', 'L'] as const
export type WageKey = (typeof WAGE_KEYS)[number]

const numbered = (last: number): string[] =>
  Array.from({ length: last }, (_, at) => String(at + 1).padStart(2, '0'))

/** Subkeys of each key, positions 79-80; A and J have none. */
export const WAGE_SUBKEYS: Readonly<Record<WageKey, readonly string[]>> = {
  A: [],
  B: [...numbered(4), '99'],
  E: numbered(4),
  F: numbered(7),
  I: numbered(3),
  J: [],
  K: numbered(5),
  L: [...numbered(31), '99'],
}

/** The minimum living income (L.29) is paid by the Social Security only, and has fields of its own. */
export const UNWRITTEN_KEYS: readonly string[] = ['L29']

const FAMILY = ['A', 'B01', 'B03', 'B04', 'B99']
const DIRECTORS = ['E01', 'E02', 'E03', 'E04']

/** Keys whose record takes a fact, key and subkey written together. */
const KEYS_OF_FACT = {
  birthYear: FAMILY,
  familySituation: FAMILY,
  spouseNif: FAMILY,
  disability: FAMILY,
  contract: ['A'],
  movedForJob: ['A'],
  reductions: [...FAMILY, ...DIRECTORS, 'F01', 'F02', 'F03', 'F04', 'F05', 'F06', 'I01', 'I02', 'I03'],
  deductibleCosts: [...FAMILY, 'E01', 'E02', 'L05', 'L10', 'L27'],
  compensatoryPensions: FAMILY,
  childMaintenance: FAMILY,
  descendants: FAMILY,
  ascendants: FAMILY,
  childShares: FAMILY,
  homeLoan: FAMILY,
  incapacityPaid: ['A', 'B01'],
  incapacityWithheld: ['A', 'B01'],
  incapacityInKind: ['A'],
  incapacityInKindWithheld: ['A'],
  incapacityInKindCharged: ['A'],
  treasuries: DIRECTORS,
  startUpShares: ['A'],
  carriedInterest: ['A'],
  pensionTypes: ['B01'],
} as const satisfies Record<string, readonly string[]>

/** Facts that records of all keys take. */
const FACTS_OF_ALL = ['representativeNif', 'dueYear', 'residence', 'inKindCharged'] as const
export type WageFactName = keyof typeof KEYS_OF_FACT | (typeof FACTS_OF_ALL)[number]

/** Names of the facts, in the order of the record. */
export const WAGE_FACTS: readonly WageFactName[] = [
  ...FACTS_OF_ALL,
  ...(Object.keys(KEYS_OF_FACT) as (keyof typeof KEYS_OF_FACT)[]),
]

/** Returns true if records of a key take a fact; without a subkey, if those of any of its subkeys do. */
export function takesFact(fact: WageFactName, key: WageKey, subkey: string | null): boolean {
  if (!Object.hasOwn(KEYS_OF_FACT, fact)) return true
  const keys: readonly string[] = KEYS_OF_FACT[fact as keyof typeof KEYS_OF_FACT]
  return subkey === null && WAGE_SUBKEYS[key].length > 0
    ? keys.some((each) => each.startsWith(key))
    : keys.includes(key + (subkey ?? ''))
}
