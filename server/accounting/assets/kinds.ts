/**
 * Kinds of fixed assets in the codes of the investment goods book, with what follows from each. Source: AEAT, unified VAT
 * and income books (LSI.xlsx, sheet BIENES-INVERSIÓN, rule 2; concepts of expense: sheet RECIBIDAS_GASTOS, rule 11). Pure.
 */

export const ASSET_KINDS = [
  '11',
  '12',
  '21',
  '22',
  '23',
  '24',
  '25',
  '26',
  '27',
  '28',
  '29',
  '31',
  '32',
  '33',
  '39',
  '41',
  '42',
  '43',
  '44',
  '49',
] as const
export type AssetKind = (typeof ASSET_KINDS)[number]

interface KindFacts {
  /** Account of the Plan General Contable that is proposed. */
  account: string
  /** Concept under which its depreciation is an expense of a natural person. */
  concept: string
  /** Row of the table of simplified direct estimation that is proposed. */
  table: string | null
}

const KINDS: Readonly<Record<AssetKind, KindFacts>> = {
  '11': { account: '210', concept: 'G28', table: null },
  '12': { account: '211', concept: 'G27', table: 'simplified.buildings' },
  '21': { account: '213', concept: 'G29', table: 'simplified.machinery' },
  '22': { account: '218', concept: 'G30', table: 'simplified.vehicles' },
  '23': { account: '217', concept: 'G31', table: 'simplified.computers' },
  '24': { account: '216', concept: 'G28', table: 'simplified.installations' },
  '25': { account: '215', concept: 'G28', table: 'simplified.installations' },
  '26': { account: '218', concept: 'G30', table: 'simplified.vehicles' },
  '27': { account: '219', concept: 'G28', table: 'simplified.installations' },
  '28': { account: '214', concept: 'G32', table: 'simplified.tools' },
  '29': { account: '219', concept: 'G28', table: 'simplified.installations' },
  '31': { account: '203', concept: 'G38', table: null },
  '32': { account: '205', concept: 'G38', table: null },
  '33': { account: '206', concept: 'G38', table: 'simplified.computers' },
  '39': { account: '202', concept: 'G38', table: null },
  '41': { account: '219', concept: 'G33', table: 'simplified.cattle' },
  '42': { account: '219', concept: 'G33', table: 'simplified.horses' },
  '43': { account: '219', concept: 'G33', table: 'simplified.citrus' },
  '44': { account: '219', concept: 'G33', table: 'simplified.olives' },
  '49': { account: '219', concept: 'G33', table: null },
}

/** Returns what follows from a kind. */
export function kindFacts(kind: AssetKind): KindFacts {
  return KINDS[kind]
}

/** Kinds by ledger account; the longest beginning that matches wins. */
const BY_ACCOUNT: readonly (readonly [string, AssetKind])[] = [
  // The book has no code for land but that of tips (11): it goes with what is built on it.
  ['210', '12'],
  ['220', '12'],
  ['211', '12'],
  ['221', '12'],
  ['213', '21'],
  ['218', '22'],
  ['217', '23'],
  ['216', '24'],
  ['212', '25'],
  ['215', '25'],
  ['214', '28'],
  ['203', '31'],
  ['205', '32'],
  ['206', '33'],
  ['20', '39'],
]

/** Returns the kind of a good by its ledger account. */
export function kindOfAccount(account: string): AssetKind {
  return BY_ACCOUNT.find(([start]) => account.startsWith(start))?.[1] ?? '29'
}

/** Rows of the table of companies by ledger account; the longest beginning that matches wins. */
const COMPANY_ROWS: readonly (readonly [string, string])[] = [
  ['206', 'companies.software'],
  ['211', 'companies.other_buildings'],
  ['212', 'companies.other_installations'],
  ['213', 'companies.machinery'],
  ['214', 'companies.tools'],
  ['215', 'companies.other_installations'],
  ['216', 'companies.furniture'],
  ['217', 'companies.computers'],
  ['218', 'companies.vehicles'],
  ['219', 'companies.other'],
  ['221', 'companies.other_buildings'],
]

/** Returns the row of a table that is proposed for an asset: none for land, which is not depreciated. */
export function proposedTable(kind: AssetKind, account: string, isLegal: boolean): string | null {
  if (account.startsWith('210') || account.startsWith('220'))
    return kind === '11' ? 'companies.waste_land' : null
  if (!isLegal) return KINDS[kind].table
  return COMPANY_ROWS.find(([start]) => account.startsWith(start))?.[1] ?? null
}

/** Land and buildings, whose VAT is regularised over ten years (LIVA art. 107.Tres). */
export function isRealEstate(kind: AssetKind): boolean {
  return kind === '11' || kind === '12'
}

/** Intangible assets: no investment goods for VAT, which are tangible (LIVA art. 108.Uno). */
export function isIntangible(kind: AssetKind): boolean {
  return kind.startsWith('3')
}

type AssetGroup = 'intangible' | 'property' | 'tangible'

/** Returns the group of accounts of an asset: 20, 22 (investment property), or 21. */
function groupOf(account: string): AssetGroup {
  if (account.startsWith('20')) return 'intangible'
  return account.startsWith('22') ? 'property' : 'tangible'
}

interface GroupAccounts {
  accumulated: string
  expense: string
  loss: string
  gain: string
}

const ACCOUNTS: Readonly<Record<AssetGroup, GroupAccounts>> = {
  intangible: { accumulated: '280', expense: '680', loss: '670', gain: '770' },
  tangible: { accumulated: '281', expense: '681', loss: '671', gain: '771' },
  property: { accumulated: '282', expense: '682', loss: '672', gain: '772' },
}

/** Returns the accounts in which depreciation, loss and gain of an asset are booked (Plan General de Contabilidad de PYMES). */
export function accountsOf(account: string): GroupAccounts {
  return ACCOUNTS[groupOf(account)]
}

/** Causes for which an asset goes, in the codes of the book (rule 8). */
export const OUT_CAUSES = {
  sale: '02',
  destroyed: '03',
  scrapped: '04',
  lost: '05',
  stolen: '06',
  other: '99',
} as const
export type OutCause = keyof typeof OUT_CAUSES
