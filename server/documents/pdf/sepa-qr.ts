/**
 * Builds the text of the QR that a banking app fills a transfer from. Source: European Payments Council, EPC069-12
 * v2.1, "Quick Response Code: Guidelines to enable data capture for the initiation of a SEPA credit transfer".
 */
import { bankText } from '../../domain/formats/bank-text.ts'
import { centsToText } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'

interface SepaTransfer {
  /** Holder of the account. */
  name: string
  iban: string
  cents: Cents
  /** Text that the payee sees on its statement. */
  reference: string
}

const MAX_NAME = 70
const MAX_TEXT = 140
/** 999,999,999.99 euros. */
const MAX_CENTS: Cents = 99_999_999_999

/** Returns the text; null when there is nothing to transfer, or the amount is not valid for a transfer. */
export function sepaQrText({ name, iban, cents, reference }: SepaTransfer): string | null {
  if (cents < 1 || cents > MAX_CENTS) return null
  return [
    'BCD',
    '002',
    // UTF-8, but with unaccented letters only: some readers assume another encoding, and the transfer drops accents
    // anyway.
    '1',
    'SCT',
    // The BIC is optional in version 2: the IBAN determines it within the zone.
    '',
    bankText(name, MAX_NAME),
    iban.replace(/\s+/g, ''),
    `EUR${centsToText(cents)}`,
    // Neither purpose nor structured reference: the latter would exclude a text.
    '',
    '',
    bankText(reference, MAX_TEXT),
  ].join('\n')
}
