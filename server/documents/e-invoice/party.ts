/**
 * The parties of a structured invoice, with the facts that the formats require in addition: kind of person and kind
 * of identification.
 */
import { checkNif } from '../../domain/tax/nif.ts'
import { isInUnion } from '../../domain/tax/territories.ts'
import { splitVatNumber, vatNumberFault } from '../../domain/tax/vat-numbers.ts'
import type { PartyFacts } from '../../sales/invoices/index.ts'

export interface EParty extends PartyFacts {
  /** VAT number with its country's prefix (BT-31, BT-48); null without one. */
  vatNumber: string | null
  /** True for a natural person. Foreign numbers do not show this; the name may. */
  isPerson: boolean
}

/**
 * Returns the VAT number: a Spanish NIF with the prefix `ES`; a foreign number only when it was given as a VAT number
 * (registry's list L7, 02).
 */
function vatNumberOf({ nif, idType }: PartyFacts): string | null {
  if (nif === null) return null
  if (idType === null) return checkNif(nif).ok ? `ES${nif}` : null
  if (idType !== '02') return null
  const split = splitVatNumber(nif)
  return split && vatNumberFault(split.country, nif) === null ? `${split.prefix}${split.number}` : null
}

/** Legal forms at the end of names, for parties whose number does not show their kind. */
const LEGAL_FORM =
  /(?:^|[\s,.])(?:s\.?\s?[alrc]\.?(?:\s?[lup]\.?)*|s\.?\s?coop\.?|gmbh|ag|kg|ug|se|ltd\.?|limited|llc|inc\.?|corp\.?|plc|sarl|sas|sa|spa|s\.?p\.?a\.?|srl|s\.?r\.?l\.?|bv|b\.?v\.?|nv|n\.?v\.?|oy|ab|as|aps|lda\.?|unipessoal|kft\.?|zrt\.?|d\.?o\.?o\.?|s\.?r\.?o\.?|sp\. z o\.o\.)$/i

function isPerson({ nif, idType, name }: PartyFacts): boolean {
  const check = nif === null ? null : checkNif(nif)
  if (idType === null && check?.ok) return check.kind !== 'entity'
  // Only people have passports and residence certificates.
  if (idType === '03' || idType === '05') return true
  return idType !== '02' && !LEGAL_FORM.test(name.trim())
}

export function partyOf(facts: PartyFacts): EParty {
  return { ...facts, vatNumber: vatNumberOf(facts), isPerson: isPerson(facts) }
}

/** Returns the seller. The issuer is always a Spanish taxpayer, whose NIF was checked when the company was set up. */
export function sellerOf(facts: PartyFacts): EParty {
  return { ...partyOf(facts), vatNumber: facts.nif === null ? null : `ES${facts.nif}` }
}

/** Returns true for a party in another member state with a VAT number of the Union. */
export function isUnionBusiness({ vatNumber, country }: EParty): boolean {
  return vatNumber !== null && country !== 'ES' && isInUnion(country)
}

/**
 * Does the same for goods: for these Northern Ireland is in the Union (Protocol art. 8), and its numbers begin with
 * XI.
 */
export function buysInUnion(party: EParty): boolean {
  return isUnionBusiness(party) || (party.vatNumber?.startsWith('XI') ?? false)
}
