/**
 * Spanish tax numbers: NIF of natural persons (DNI, K, L, M), NIE of foreigners (X, Y, Z) and NIF of entities (CIF).
 * Sources: RD 1065/2007 arts. 19-20, Orden EHA/451/2008; the control of an entity's NIF has no published algorithm, so
 * its mismatch is told apart (`control_mismatch`) and may be treated more gently.
 */

const CONTROL_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const ENTITY_LETTERS = 'JABCDEFGHI'

export type NifKind = 'natural' | 'foreigner' | 'entity'
export type NifCheck =
  | { ok: true; nif: string; kind: NifKind }
  | { ok: false; nif: string; reason: 'shape' | 'control'; kind: NifKind | null; expected?: string }

/** Upper case, without blanks, dots, hyphens or slashes, and without a leading `ES` before nine characters. */
export function normalizeNif(text: string): string {
  const bare = text.toUpperCase().replace(/[\s.\-/·_]/g, '')
  return /^ES[A-Z0-9]{9}$/.test(bare) ? bare.slice(2) : bare
}

/** Kinds of identifier that another country writes in its own way: passport, document, certificate of residence, other. */
const FOREIGN_ID_TYPES: readonly string[] = ['03', '04', '05', '06']

/**
 * A tax number as documents and records show it. The punctuation of a foreign identifier is part of it (46-1234567), also
 * while its kind is not said yet; Spanish numbers and EU VAT numbers have none. Compare with `normalizeNif`.
 */
export function writtenTaxNumber(
  text: string,
  { idType, country }: { idType: string | null; country: string },
): string {
  const isForeign = idType === null ? country !== 'ES' : FOREIGN_ID_TYPES.includes(idType)
  if (!isForeign) return normalizeNif(text)
  return text.trim().replace(/\s+/g, ' ').toUpperCase()
}

/** Checks shape and control character. `expected` is the right control when only that is wrong. */
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

/** True when shape and control are right. */
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
  // Letters for public and foreign bodies, digits for companies; the rest admit either.
  const wantsLetter = 'NPQRSW'.includes(type) || digits.startsWith('00')
  const wantsDigit = 'ABEH'.includes(type) && !digits.startsWith('00')
  const ok = (control === letter && !wantsDigit) || (control === String(value) && !wantsLetter)
  if (ok) return { ok: true, nif, kind: 'entity' }
  return { ok: false, nif, reason: 'control', kind: 'entity', expected: wantsLetter ? letter : String(value) }
}
