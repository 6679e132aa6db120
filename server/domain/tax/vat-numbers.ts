/**
 * Forms of EU VAT numbers by member state, checked offline. The form does not prove that a number is registered: only
 * VIES knows. Source: European Commission, VIES FAQ Q11 (structures of VAT numbers).
 */
import type { Fault } from '../errors/app-error.ts'
import { isNif } from './nif.ts'

interface NumberForm {
  /** ISO country, or XI for Northern Ireland. */
  country: string
  /** Prefix of the number: the country's code, but EL in Greece. */
  prefix: string
  /** Form of the part after the prefix. */
  form: RegExp
  /** A valid example, shown to correct a number. */
  example: string
}

function row(country: string, form: RegExp, example: string, prefix = country): NumberForm {
  return { country, prefix, form, example: prefix + example }
}

export const VAT_NUMBER_FORMS: readonly NumberForm[] = [
  row('AT', /^U\d{8}$/, 'U12345678'),
  row('BE', /^[01]\d{9}$/, '0123456789'),
  row('BG', /^\d{9,10}$/, '123456789'),
  row('CY', /^\d{8}[A-Z]$/, '12345678X'),
  row('CZ', /^\d{8,10}$/, '12345678'),
  row('DE', /^\d{9}$/, '123456789'),
  row('DK', /^\d{8}$/, '12345678'),
  row('EE', /^\d{9}$/, '123456789'),
  row('ES', /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/, 'B12345674'),
  row('FI', /^\d{8}$/, '12345678'),
  row('FR', /^[A-HJ-NP-Z0-9]{2}\d{9}$/, '12345678901'),
  row('GR', /^\d{9}$/, '123456789', 'EL'),
  row('HR', /^\d{11}$/, '12345678901'),
  row('HU', /^\d{8}$/, '12345678'),
  row('IE', /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/, '1234567T'),
  row('IT', /^\d{11}$/, '12345678901'),
  row('LT', /^(?:\d{9}|\d{12})$/, '123456789'),
  row('LU', /^\d{8}$/, '12345678'),
  row('LV', /^\d{11}$/, '12345678901'),
  row('MT', /^\d{8}$/, '12345678'),
  row('NL', /^[A-Z0-9+*]{9}B\d{2}$/, '123456789B01'),
  row('PL', /^\d{10}$/, '1234567890'),
  row('PT', /^\d{9}$/, '123456789'),
  row('RO', /^[1-9]\d{1,9}$/, '12345678'),
  row('SE', /^\d{10}01$/, '123456789001'),
  row('SI', /^\d{8}$/, '12345678'),
  row('SK', /^\d{10}$/, '1234567890'),
  row('XI', /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/, '123456789'),
]

/** Converts to upper case and removes blanks, dots and hyphens; `GR` becomes `EL`, the prefix used by Greece. */
export function normalizeVatNumber(text: string): string {
  const bare = text.toUpperCase().replace(/[\s.\-/·_]/g, '')
  return bare.startsWith('GR') ? `EL${bare.slice(2)}` : bare
}

/** Splits a number into its state, by its prefix, and the rest; null if it has no known prefix. */
export function splitVatNumber(text: string): { country: string; prefix: string; number: string } | null {
  const bare = normalizeVatNumber(text)
  const found = VAT_NUMBER_FORMS.find(({ prefix }) => bare.startsWith(prefix))
  return found
    ? { country: found.country, prefix: found.prefix, number: bare.slice(found.prefix.length) }
    : null
}

type VatNumberFault = Pick<Fault, 'code' | 'message' | 'params'> & { fix: string }

/**
 * Returns the fault in the form of a VAT number of a country (ISO; Monaco's are France's), or null. Accepts it with
 * or without its prefix; a Spanish one must be a NIF with a correct control character.
 */
export function vatNumberFault(country: string, number: string): VatNumberFault | null {
  const state = country === 'MC' ? 'FR' : country === 'GB' && /^XI/i.test(number.trim()) ? 'XI' : country
  const known = VAT_NUMBER_FORMS.find((each) => each.country === state)
  const bare = normalizeVatNumber(number)
  if (!known)
    return {
      code: 'vat_number_country',
      message: `${country} is no member state: it has no EU VAT numbers.`,
      fix: 'Choose another kind of identifier, or correct the country.',
      params: { country },
    }
  const { prefix, form, example } = known
  const own = bare.startsWith(prefix) && !form.test(bare) ? bare.slice(prefix.length) : bare
  if (form.test(own) && (state !== 'ES' || isNif(own))) return null
  const other = VAT_NUMBER_FORMS.find((each) => each.prefix === bare.slice(0, 2) && each.prefix !== prefix)
  if (other && /^[A-Z]{2}/.test(bare) && other.form.test(bare.slice(2)))
    return {
      code: 'vat_number_prefix',
      message: `The VAT number begins with ${other.prefix}, but the customer's country is ${country}.`,
      fix: 'Correct the number or the country.',
      params: { prefix: other.prefix, country },
    }
  return {
    code: 'vat_number_form',
    message: `That is no VAT number of ${prefix}: one looks like ${example}.`,
    fix: 'Copy it from a document of the customer.',
    params: { prefix, example },
  }
}

/** Returns the member state but Spain whose VAT number a text is, or null. */
export function otherStateOf(text: string): string | null {
  const split = isNif(text) ? null : splitVatNumber(text)
  if (!split || split.country === 'ES') return null
  return vatNumberFault(split.country, split.number) === null ? split.country : null
}
