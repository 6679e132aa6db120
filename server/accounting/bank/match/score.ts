/** Reasons and the score they add up to. The English sentences are for programs; the page translates the codes. */
import type { Reason, RuleFacts, SuggestedPart, Suggestion, SuggestionKind } from './types.ts'

/** Message of each reason; `{name}` is replaced by its parameters. */
const MESSAGES: Readonly<Record<string, string>> = {
  amount_exact: 'The amount is what is owed of {number}.',
  amount_instalment: 'The amount is instalment {instalment} of {number}, due on {date}.',
  amount_only: 'Nothing else open has this amount.',
  amount_shared: '{count} more have the same amount.',
  amount_all_owed: 'The amount is all that {name} owes: {count} invoices.',
  amount_all_payable: 'The amount is all that is owed to {name}: {count} invoices.',
  amount_combination: '{count} invoices of {name} add up to it.',
  amount_quoted: 'The {count} invoices named in the text add up to it.',
  amount_partial: 'It pays {number} in part; {missing} remain.',
  amount_over: 'It pays {number} and {extra} more.',
  amount_fee: 'It is {number} less {fee}, what a bank charges.',
  amount_fee_out: 'It is {number} and {fee} more, what a bank charges.',
  batch_details: 'Each of the {count} operations of the movement is an open invoice.',
  number_in_text: 'The text names {number}.',
  sequence_in_text: 'The text names an invoice {sequence}.',
  iban_known: 'It comes from the account that {name} used before.',
  iban_known_out: 'It goes to the account of {name}.',
  nif_in_text: 'The text holds the tax number of {name}.',
  name_whole: 'The text names {name}.',
  name_part: 'The text holds part of the name of {name}.',
  due_same_day: 'It is the due date.',
  due_after: '{days} days after the due date.',
  due_before: '{days} days before the due date.',
  long_after: '{days} days after the due date.',
  before_issue: '{days} days before the invoice was issued.',
  payment_recorded: 'A payment of this amount was recorded on {date}.',
  payment_same_days: '{days} days apart.',
  payment_days: '{days} days apart.',
  remittance_amount: 'The amount is that of the file {name}.',
  remittance_date: '{days} days after the day asked for.',
  remittance_words: 'The text speaks of direct debits or transfers.',
  transfer_half: 'The same amount with the other sign is on {name}, on {date}.',
  transfer_waits: 'A transfer from {name} waits for its other half since {date}.',
  transfer_days: '{days} days apart.',
  transfer_iban: 'The account of the other side is {name}, yours too.',
  transfer_words: 'The text speaks of a transfer between own accounts.',
  rule: 'A rule of yours books it on {account}.',
  learned_iban: 'You booked {uses} of this account on {account}.',
  learned_text: 'You booked {uses} with these words on {account}.',
  pattern_loan: 'The text speaks of a loan.',
  pattern_interest_paid: 'The text speaks of interest.',
  pattern_interest_received: 'The text speaks of interest.',
  pattern_bank_fee: 'The text speaks of a fee of the bank.',
  pattern_social_security: 'The text speaks of social security.',
  pattern_social_security_refund: 'The text speaks of social security.',
  pattern_payroll: 'The text speaks of wages.',
  pattern_cash_out: 'The text speaks of cash.',
  pattern_cash_in: 'The text speaks of cash.',
  pattern_insurance: 'The text speaks of insurance.',
  pattern_municipal_tax: 'The text speaks of a local tax.',
  pattern_tax_nrc: 'The NRC begins with the form {form}: {name}.',
  pattern_tax_form: 'The text names the form {form}: {name}.',
  pattern_tax_refund_form: 'The text names the form {form}: {name}.',
  pattern_tax_agency: 'The text speaks of the tax agency.',
  pattern_tax_refund: 'The text speaks of the tax agency.',
}

/** Every reason code, for the page's translations. */
export const REASON_CODES: readonly string[] = Object.keys(MESSAGES)

export function reason(code: string, points: number, params: Record<string, string | number>): Reason {
  const message = (MESSAGES[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params[name] ?? ''),
  )
  return { code, points, message, params }
}

export function suggestion(
  kind: SuggestionKind,
  parts: SuggestedPart[],
  reasons: Reason[],
  rule: RuleFacts | null = null,
): Suggestion {
  const sum = reasons.reduce((total, each) => total + each.points, 0)
  return { kind, score: Math.max(0, Math.min(100, sum)), parts, reasons, rule }
}

const SURE = 85
const LIKELY = 60

export function confidenceOf(score: number): 'sure' | 'likely' | 'possible' {
  return score >= SURE ? 'sure' : score >= LIKELY ? 'likely' : 'possible'
}
