/**
 * The text of the QR that a bank's app fills a transfer from. Source: European Payments Council, EPC069-12 v2.1,
 * "Quick Response Code: Guidelines to enable data capture for the initiation of a SEPA credit transfer".
 */
import { bankText } from '../../domain/formats/bank-text.ts'
import { centsToText } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'

export interface SepaTransfer {
  /** Of the account's holder. */
  name: string
  iban: string
  cents: Cents
  /** What the payee finds on its statement. */
  reference: string
}

const MAX_NAME = 70
const MAX_TEXT = 140
/** 999,999,999.99 euros. */
const MAX_CENTS: Cents = 99_999_999_999

/** Null when there is nothing to transfer, or the amount is none a transfer can have. */
export function sepaQrText({ name, iban, cents, reference }: SepaTransfer): string | null {
  if (cents < 1 || cents > MAX_CENTS) return null
  return [
    'BCD',
    '002',
    // UTF-8; but only letters without accents are used: some readers guess another set, and the transfer drops them anyway.
    '1',
    'SCT',
    // The BIC is optional in version 2: every IBAN of the zone says it.
    '',
    bankText(name, MAX_NAME),
    iban.replace(/\s+/g, ''),
    `EUR${centsToText(cents)}`,
    // Neither purpose nor structured reference, which would exclude a text.
    '',
    '',
    bankText(reference, MAX_TEXT),
  ].join('\n')
}
