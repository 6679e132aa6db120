/** The simulated census of tax numbers: it knows everybody but those it is told not to know. */
import { checkNif } from '../../domain/tax/nif.ts'

/** The tax number nobody has: no simulated census knows it. */
export const UNKNOWN_TO_CENSUS = '99999999R'

export interface CensusOptions {
  /** Numbers it does not know, besides 99999999R. */
  unknown?: readonly string[]
  /** Names of natural persons it insists on; with any other number any name will do. */
  names?: Readonly<Record<string, string>>
}

export interface Census {
  knows: (nif: string) => boolean
  /** Whether number and name belong together, as far as names are known. */
  matches: (nif: string, name: string) => boolean
}

export function createCensus({ unknown = [], names = {} }: CensusOptions = {}): Census {
  const strangers = new Set([UNKNOWN_TO_CENSUS, ...unknown])
  const knows = (nif: string) => !strangers.has(nif)
  return {
    knows,
    matches: (nif, name) => {
      const registered = names[nif]
      return knows(nif) && (registered === undefined || bare(registered) === bare(name))
    },
  }
}

/** The control of an entity's number has no published rule: a mismatch there passes. */
export function isAcceptableNif(nif: string): boolean {
  const check = checkNif(nif)
  return check.nif === nif && (check.ok || (check.reason === 'control' && check.kind === 'entity'))
}

/** DNI, NIE and the other numbers of persons. */
export function isPersonsNif(nif: string): boolean {
  const check = checkNif(nif)
  return check.ok && check.nif === nif && check.kind !== 'entity'
}

/** A name as it is compared: capitals without accents, words in any order. */
function bare(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  return plain
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}
