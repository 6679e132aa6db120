/**
 * Spanish tax numbers: NIF of natural persons (DNI, K, L, M), NIE of foreigners (X, Y, Z) and NIF of entities (CIF).
 * Sources: RD 1065/2007 arts. 19-20, Orden EHA/451/2008. The control character of an entity's NIF has no published
 * algorithm, so its mismatch has a code of its own (`control_mismatch`) and may be treated less strictly.
 */

const CONTROL_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const ENTITY_LETTERS = 'JABCDEFGHI'

type NifKind = 'natural' | 'foreigner' | 'entity'
type NifCheck =
  | { ok: true; nif: string; kind: NifKind }
  | { ok: false; nif: string; reason: 'shape' | 'control'; kind: NifKind | null; expected?: string }

/** Converts to upper case and removes blanks, dots, hyphens and slashes, and a leading `ES` before nine characters. */
export function normalizeNif(text: string): string {
  const bare = text.toUpperCase().replace(/[\s.\-/·_]/g, '')
  return /^ES[A-Z0-9]{9}$/.test(bare) ? bare.slice(2) : bare
}

/** Identifier types that each country writes in its own way: passport, document, certificate of residence, other. */
const FOREIGN_ID_TYPES: readonly string[] = ['03', '04', '05', '06']

/**
 * Returns a tax number as documents and records show it. Punctuation belongs to a foreign identifier (46-1234567),
 * also while its type is not known yet; Spanish numbers and EU VAT numbers have none. Use `normalizeNif` for
 * comparisons.
 */
export function writtenTaxNumber(
  text: string,
  { idType, country }: { idType: string | null; country: string },
): string {
  const isForeign = idType === null ? country !== 'ES' : FOREIGN_ID_TYPES.includes(idType)
  if (!isForeign) return normalizeNif(text)
  return text.trim().replace(/\s+/g, ' ').toUpperCase()
}

/** Checks form and control character. `expected` is the correct control character if only that is wrong. */
export function checkNif(text: string): NifCheck {
  const nif = normalizeNif(text)
  let match = /^(\d{8})([A-Z])$/.exec(nif)
  if (match) return person(nif, Number(match[1]), match[2] ?? '', 'natural')
  match = /^([KLM])(\d{7})([A-Z])$/.exec(nif)
  if (match) return person(nif, Number(match[2]), match[3] ?? '', 'natural')
  match = /^([XYZ])(\d{7})([A-Z])$/.exec(nif)
  if (match)
    return person(nif, Number('XYZ'.indexOf(match[1] ?? '') + (match[2] ?? '')), match[3] ?? '', 'foreigner')
  match = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(nif)
  if (match) return entity(nif, match[1] ?? '', match[2] ?? '', match[3] ?? '')
  return { ok: false, nif, reason: 'shape', kind: null }
}

/** Returns true if form and control character are correct. */
export function isNif(text: string): boolean {
  return checkNif(text).ok
}

function person(nif: string, digits: number, letter: string, kind: NifKind): NifCheck {
  const expected = CONTROL_LETTERS.charAt(digits % 23)
  return expected === letter ? { ok: true, nif, kind } : { ok: false, nif, reason: 'control', kind, expected }
}

function entity(nif: string, type: string, digits: string, control: string): NifCheck {
  let sum = 0
  for (let index = 0; index < 7; index++) {
    const digit = Number(digits[index])
    if (index % 2 === 0) sum += Math.floor((digit * 2) / 10) + ((digit * 2) % 10)
    else sum += digit
  }
  const value = (10 - (sum % 10)) % 10
  const letter = ENTITY_LETTERS.charAt(value)
  // Letters for public and foreign bodies, digits for companies; the others allow either.
  const wantsLetter = 'NPQRSW'.includes(type) || digits.startsWith('00')
  const wantsDigit = 'ABEH'.includes(type) && !digits.startsWith('00')
  const ok = (control === letter && !wantsDigit) || (control === String(value) && !wantsLetter)
  if (ok) return { ok: true, nif, kind: 'entity' }
  return { ok: false, nif, reason: 'control', kind: 'entity', expected: wantsLetter ? letter : String(value) }
}
