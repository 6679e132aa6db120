/** Faults of the recipients of the yearly returns of withholding. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'

/** Returns what keeps a recipient out of the file; `name` says whom. */
export function lacking(
  code: string,
  message: string,
  fix: string,
  name: string,
  amounts: Readonly<Record<string, Cents>> = {},
): Fault {
  const euros = Object.fromEntries(
    Object.entries(amounts).map(([key, cents]) => [key, eurosFromCents(cents)]),
  )
  return { code, field: 'parties', severity: 'error', message, fix, params: { name, ...euros } }
}

/** Returns the fault of a recipient in the books without a tax number. */
export const withoutNif = (name: string): Fault =>
  lacking(
    'party_without_nif',
    'A recipient has no tax number.',
    'Write it in the contact, or in the document.',
    name,
  )

/** Returns the fault of a recipient in the books whose province is not known. */
export const withoutProvince = (name: string): Fault =>
  lacking(
    'party_without_province',
    'The postal code of a recipient is not known, and the form asks for its province.',
    'Write the address in the contact with that tax number.',
    name,
  )

/** Returns the fault of a recipient whose amounts no rate of the documents explains. */
export const mixedRates = (name: string): Fault =>
  lacking(
    'rates_of_recipient_mixed',
    'What was withheld of a recipient comes from no single rate, and the form takes a record for each.',
    'Check the withholding of the invoices, and file this return in the agency’s form.',
    name,
  )

/** Returns the fault of a recipient with a negative amount withheld. */
export const withheldBelowZero = (name: string): Fault =>
  lacking(
    'withheld_below_zero',
    'Less than nothing was withheld of a recipient, and the field has no sign.',
    'File this return in the agency’s form.',
    name,
  )
