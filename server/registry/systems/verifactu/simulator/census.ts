/** The simulated census of tax numbers: it knows every number except those it is configured not to know. */
import { checkNif } from '../../../../domain/tax/nif.ts'

/** A tax number that no simulated census knows. */
const UNKNOWN_TO_CENSUS = '99999999R'

export interface CensusOptions {
  /** Numbers that it does not know, besides 99999999R. */
  unknown?: readonly string[]
  /** Required names of natural persons by number; with any other number any name is accepted. */
  names?: Readonly<Record<string, string>>
}

export interface Census {
  knows: (nif: string) => boolean
  /** Returns true if number and name belong together, as far as names are known. */
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

/**
 * Returns true for a valid number. The control character of an entity's number has no published rule, so a mismatch
 * there passes.
 */
export function isAcceptableNif(nif: string): boolean {
  const check = checkNif(nif)
  return check.nif === nif && (check.ok || (check.reason === 'control' && check.kind === 'entity'))
}

/** Returns true for a DNI, an NIE and the other numbers of natural persons. */
export function isPersonsNif(nif: string): boolean {
  const check = checkNif(nif)
  return check.ok && check.nif === nif && check.kind !== 'entity'
}

/** Normalizes a name for comparison: capitals without accents, words in any order. */
function bare(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  return plain
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}
