/**
 * The refund of a VAT return to an account outside SEPA (kind X): the account and what the form asks of its bank. Source: page
 * DID00 of the design of records 303; ISO 9362 for the form of a BIC.
 */
import { readIban } from '../../../../domain/iban.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import { agencyText } from '../agency-text.ts'
import type { FilingChoices, ForeignBank } from '../choices.ts'
import { fault } from './fault.ts'

/** Countries of the Single Euro Payments Area beside Spain, by their IBAN prefix. Source: European Payments Council. */
const SEPA = new Set(
  'AD AT BE BG CH CY CZ DE DK EE FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'.split(
    ' ',
  ),
)

/** Returns true for an IBAN of a country of SEPA other than Spain. */
export const isSepa = (iban: string): boolean => SEPA.has(iban.slice(0, 2))

/** Returns an account outside SEPA as the form takes it: up to 34 capitals and digits, an IBAN or not; null for anything else. */
export function accountAbroad(text: string): string | null {
  const account = text.toUpperCase().replace(/[\s./-]/g, '')
  return /^[A-Z0-9]{1,34}$/.test(account) ? account : null
}

/** Form of an IBAN, whatever its check digits. */
const LIKE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Returns true for an account to which a refund is paid as kind D. */
function isPaidAsD(account: string): boolean {
  const iban = readIban(account)
  return iban !== null && (iban.startsWith('ES') || isSepa(iban))
}

const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const COUNTRY = /^[A-Z]{2}$/

/** Widths of the fields of the form. */
const BANK_WIDTHS = { name: 70, address: 35, city: 30 } as const

/** Returns bank data as the form takes them: capitals, no signs. */
export function writtenBank({ bic, name, address, city, country }: ForeignBank): ForeignBank {
  return {
    bic: bic.replace(/\s/g, '').toUpperCase(),
    name: agencyText(name, BANK_WIDTHS.name),
    address: agencyText(address, BANK_WIDTHS.address),
    city: agencyText(city, BANK_WIDTHS.city),
    country: country.trim().toUpperCase(),
  }
}

/** Returns what is wrong with the account and the bank of a refund abroad; both as written. */
export function abroadFaults({ iban: account, bank }: FilingChoices): Fault[] {
  return [...accountFaults(account), ...bankFaults(bank)]
}

function accountFaults(account: string | undefined): Fault[] {
  if (account === undefined)
    return [
      fault('iban_missing', 'iban', 'This way of settling the result needs an account.', 'Type its number.'),
    ]
  if (accountAbroad(account) !== account)
    return [
      fault(
        'account_abroad_invalid',
        'iban',
        'The number of an account has at most 34 letters and digits.',
        'Copy it again.',
      ),
    ]
  if (isPaidAsD(account))
    return [
      fault(
        'account_in_sepa',
        'iban',
        'A refund to an account in Spain or in SEPA is asked for as kind D.',
        'Choose the refund to an account.',
      ),
    ]
  if (!LIKE_IBAN.test(account) || readIban(account) !== null) return []
  return [
    {
      ...fault(
        'account_like_iban',
        'iban',
        'The account reads like an IBAN, and its check digits do not fit.',
        'Compare it with a paper of the bank.',
      ),
      severity: 'warning',
    },
  ]
}

function bankFaults(bank: ForeignBank | undefined): Fault[] {
  const { bic = '', country = '' } = bank ?? {}
  const missing = (['name', 'address', 'city'] as const).filter((part) => (bank?.[part] ?? '') === '')
  return [
    ...missing.map((part) =>
      fault(
        'bank_data_missing',
        `bank${part.charAt(0).toUpperCase()}${part.slice(1)}`,
        `The form asks for the ${part} of the bank.`,
        'Write it in Latin letters.',
        { part },
      ),
    ),
    ...(BIC.test(bic)
      ? []
      : [
          fault(
            'bic_invalid',
            'bankBic',
            'A BIC has 8 or 11 letters and digits, with the country in the fifth and sixth place.',
            'Copy it from a paper of the bank.',
          ),
        ]),
    ...(COUNTRY.test(country) && country !== 'ES'
      ? []
      : [
          fault(
            'bank_country_invalid',
            'bankCountry',
            'The country of a bank abroad is two letters, such as US.',
            'Write the code of the country (ISO 3166).',
          ),
        ]),
  ]
}
