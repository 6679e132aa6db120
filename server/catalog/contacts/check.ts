/** Warnings about a contact. Never errors: a contact may be incomplete, the invoice may not. Pure. */
import type { Fault } from '../../domain/errors/app-error.ts'
import { checkNif, normalizeNif } from '../../domain/tax/nif.ts'
import type { IdType } from './contract.ts'

/** Returns a tax number as it is stored: capitals without blanks or separators. */
export function normalizedTaxNumber(text: string | null): string | null {
  return text === null ? null : normalizeNif(text) || null
}

/** Returns the country of a contact without address: an EU VAT number begins with its own (Greece uses EL). */
export function countryFromVatNumber(nif: string | null, idType: IdType | null): string {
  const prefix = idType === '02' ? /^[A-Z]{2}/.exec(nif ?? '')?.[0] : undefined
  if (!prefix) return 'ES'
  return prefix === 'EL' ? 'GR' : prefix
}

interface CheckedContact {
  nif: string | null
  idType: IdType | null
  country: string
}

/** Returns the warnings. A Spanish NIF is checked; identifiers of other countries have no rule here. */
export function contactWarnings(contact: CheckedContact): Fault[] {
  const { nif, idType, country } = contact
  if (nif === null) return []
  if (country !== 'ES' && idType === null)
    return [
      {
        code: 'id_type_missing',
        field: 'idType',
        severity: 'warning',
        message: 'The identifier of a customer from another country needs its kind.',
        fix: 'Choose 02 for an EU VAT number, 03 passport, 04 foreign document, 06 other.',
      },
    ]
  if (country !== 'ES' || (idType !== null && idType !== '07')) return []
  const check = checkNif(nif)
  if (check.ok) return []
  const params = { nif, ...(check.expected ? { expected: check.expected } : {}) }
  if (check.kind === 'entity')
    return [
      {
        code: 'nif_doubtful',
        field: 'nif',
        severity: 'warning',
        message: 'The control character of the NIF is not the usual one.',
        fix: 'Check it with the customer.',
        params,
      },
    ]
  return [
    {
      code: 'nif_invalid',
      field: 'nif',
      severity: 'warning',
      message:
        check.reason === 'shape'
          ? 'That is not a Spanish tax number.'
          : 'The letter of the NIF does not match its digits.',
      fix: 'Correct it before issuing to this contact.',
      params,
    },
  ]
}
