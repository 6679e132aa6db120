/** Faults of entries that a format cannot hold as they are, each with the next step. Pure. */
import type { HandOnEntry, HandOnFault } from '../model.ts'

interface Message {
  message: string
  fix: string
}

/** By code. Spanish texts are in the catalogue of faults. */
const MESSAGES = {
  hand_on_vat_by_hand: {
    message:
      'The VAT of this invoice is not in the file: its entry goes as plain lines, because the format cannot split it.',
    fix: 'Enter the invoice in the VAT book of the other program by hand; the accounts are right.',
  },
  hand_on_cash_accounting: {
    message: 'An invoice under cash accounting goes as plain lines: its VAT is not due before the payment.',
    fix: 'Enter it in the VAT book of the other program with its mark of cash accounting.',
  },
  hand_on_replaces: {
    message:
      'An invoice that replaces earlier ones goes as plain lines: its entry takes those back at the same time.',
    fix: 'Take the earlier invoices out of the VAT book of the other program, and enter this one.',
  },
  hand_on_reversed: {
    message: 'The entry of an invoice was undone: the file undoes the accounts, not the row of the VAT book.',
    fix: 'Take the invoice out of the VAT book of the other program.',
  },
  hand_on_number_cut: {
    message: 'The number of this invoice is longer than the field of the format; its end was kept.',
    fix: 'Check in the other program that no two invoices have the same number.',
  },
  hand_on_too_many_rates: {
    message: 'The VAT book of the format holds three rates for each invoice, and this one has more.',
    fix: 'Enter this invoice in the VAT book of the other program by hand; the accounts are right.',
  },
  hand_on_long_entry: {
    message: 'The entry has more lines than the other program takes at once.',
    fix: 'Split the entry into several before it is handed on.',
  },
  hand_on_entry_number_large: {
    message: 'The number of the entry has more digits than the field of the format.',
    fix: 'Hand on the year by itself, from entry 1.',
  },
  hand_on_amount_too_large: {
    message: 'An amount of this entry is larger than the field of the format.',
    fix: 'Choose another format for this entry.',
  },
} as const satisfies Record<string, Message>

type EntryFaultCode = keyof typeof MESSAGES

/** Codes that mean that no file can be written. */
const ERRORS: readonly EntryFaultCode[] = [
  'hand_on_long_entry',
  'hand_on_entry_number_large',
  'hand_on_amount_too_large',
]

/** Returns a fault of an entry. */
export function entryFault(code: EntryFaultCode, entry: HandOnEntry): HandOnFault {
  return {
    code,
    field: '',
    severity: ERRORS.includes(code) ? 'error' : 'warning',
    ...MESSAGES[code],
    entry: { id: entry.id, date: entry.date, label: entry.label === '' ? entry.text : entry.label },
  }
}
