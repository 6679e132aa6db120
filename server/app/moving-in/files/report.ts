/** Collects what a reader reports beside its documents: faults with their place, skipped rows, and questions. */
import { centsToText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { HistorySource } from '../../../domain/history.ts'
import { QUESTION_CHOICES } from './codes.ts'
import type { QuestionAnswer, QuestionCode, SkipReason } from './codes.ts'
import type { HistoryFault, HistoryQuestion, SkippedRow, TableRef } from './types.ts'

/** Message and next step of each fault, in English; other languages translate the codes. */
const TEXTS = {
  history_not_a_day: ['That is no date.', 'Correct the cell: day/month/year.'],
  history_not_a_number: ['That is no amount.', 'Correct the cell: digits with a decimal comma or point.'],
  history_date_missing: ['The date is missing.', 'Fill in the cell, or choose its column.'],
  history_date_in_future: [
    'The date lies in the future.',
    'Correct the date; only documents of the past are history.',
  ],
  history_number_missing: ['The number is missing.', 'Fill in the cell, or choose its column.'],
  history_name_missing: [
    'The name of the other party is missing.',
    'Fill in the cell, or choose its column.',
  ],
  history_amount_missing: ['The row has no amount.', 'Fill in base, VAT or total, or choose their columns.'],
  history_number_repeated: [
    'Another row has the same number.',
    'Correct the number, or delete one of the rows.',
  ],
  history_total_differs: ['The amounts do not add up to the total.', 'Correct the amounts of the row.'],
  history_tax_differs: [
    'The VAT is not base times rate.',
    'Check base, rate and VAT; what the document charges is what counts.',
  ],
  history_rate_unknown: ['That VAT rate was not in force on that date.', 'Correct the rate or the date.'],
  history_rate_not_proven: [
    'Base and VAT match no single rate, and the file does not say the bases of each.',
    'Export the invoices with one row or column for each rate.',
  ],
  history_nif_missing: [
    'The tax number is missing.',
    'Complete it; without it the yearly declarations leave the document out.',
  ],
  history_nif_wrong: ['The control character of the tax number is wrong.', 'Check it against the document.'],
  history_text_long: ['The text is longer than fits; its end is left out.', 'Shorten it if the end matters.'],
  history_number_long: ['The number is too long for an invoice.', 'Check that the column is the right one.'],
  history_kind_unknown: ['That kind of document is not known.', 'Enter this document by hand.'],
  history_kind_mapped: ['It was no invoice; it counts as a simplified one.', 'Check it once it is here.'],
  history_key_unknown: ['That operation key is not in the list of the books.', 'Correct the key.'],
  history_qualification_unknown: [
    'The row says neither a qualification nor a cause of exemption.',
    'Fill in one of both.',
  ],
  history_country_unknown: ['There is no such country.', 'Write its name or its code of two letters.'],
  history_currency: ['The amounts are not in euros.', 'Export the amounts in euros.'],
  history_outside_unknown: [
    'The book does not say the part of the price outside the base (margin scheme, one-stop shop).',
    'Compare the total with the document.',
  ],
  history_state_partial: [
    'It is partly paid, and the file does not say how much.',
    'Enter what is open by hand.',
  ],
  history_concept_unknown: ['That concept is not in the list of the books.', 'Correct the concept.'],
  history_row_alone: [
    'A row of a payment belongs to no document of the file.',
    'Add the document, or delete the row.',
  ],
  history_account_wrong: [
    'That is no account: 3 to 12 digits, the first from 1 to 7.',
    'Correct the code of the account.',
  ],
  history_iban_wrong: ['The check digits of the IBAN are wrong.', 'Copy it again from the bank.'],
  history_column_missing: ['No column is chosen for a field that is needed.', 'Choose its column.'],
  history_content_elsewhere: [
    'Sello does not take in tables of this kind here.',
    'Leave it out, or say that it is something else.',
  ],
} as const satisfies Record<string, readonly [message: string, fix: string]>

export type HistoryFaultCode = keyof typeof TEXTS

/** Faults after which the document is read all the same. */
const WARNINGS: ReadonlySet<HistoryFaultCode> = new Set([
  'history_tax_differs',
  'history_nif_missing',
  'history_nif_wrong',
  'history_text_long',
  'history_kind_mapped',
  'history_outside_unknown',
  'history_state_partial',
  'history_country_unknown',
  'history_concept_unknown',
  'history_iban_wrong',
  'history_content_elsewhere',
])

interface Place {
  row: number | null
  column: string | null
}

/** Most questions of one file; a list of thousands is not answered. */
const MAX_QUESTIONS = 2_000
const MAX_PARAM = 60

export class Report {
  faults: HistoryFault[] = []
  skipped: SkippedRow[] = []
  errors = 0
  warnings = 0
  skippedCount = 0
  private readonly asked = new Map<string, HistoryQuestion>()
  private readonly table: TableRef
  private readonly answers: Readonly<Record<string, string>>

  constructor(table: TableRef, answers: Readonly<Record<string, string>>) {
    this.table = table
    this.answers = answers
  }

  /** Records a fault. Returns true if it is an error, so that the document is not read. */
  fault(
    code: HistoryFaultCode,
    { row, column }: Place,
    params: Record<string, string | number> = {},
    severity: HistoryFault['severity'] = WARNINGS.has(code) ? 'warning' : 'error',
  ): boolean {
    const [message, fix] = TEXTS[code]
    const short = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, MAX_PARAM) : value,
      ]),
    )
    const { entry, sheet } = this.table
    this.faults.push({
      code,
      field: column ?? '',
      severity,
      message,
      fix,
      ...(Object.keys(short).length > 0 ? { params: short } : {}),
      entry,
      sheet,
      row,
      column,
    })
    if (severity === 'error') this.errors += 1
    else this.warnings += 1
    return severity === 'error'
  }

  skip(row: number, reason: SkipReason, text: string): void {
    this.skippedCount += 1
    this.skipped.push({ row, reason, text: text.slice(0, MAX_PARAM) })
  }

  /** Returns the person's answer to a question, or the guess; counts the document. */
  ask<Code extends QuestionCode>(
    question: {
      code: Code
      about: string
      /** Of the party that it is asked of. */
      name?: string
      guess: QuestionAnswer<Code>
      depends: readonly string[]
    },
    source: HistorySource,
    baseCents: Cents,
  ): QuestionAnswer<Code> {
    const { code, about, guess } = question
    const choices: readonly QuestionAnswer<Code>[] = QUESTION_CHOICES[code]
    const id = about === '' ? code : `${code}:${about}`
    const known = this.asked.get(id)
    if (known) {
      known.documents += 1
      known.baseCents += baseCents
    } else if (this.asked.size < MAX_QUESTIONS)
      this.asked.set(id, { ...question, choices, id, documents: 1, baseCents, first: source })
    const answer = this.answers[id]
    return choices.find((choice) => choice === answer) ?? guess
  }

  get questions(): HistoryQuestion[] {
    return [...this.asked.values()]
  }
}

/** Returns an amount as faults show it. */
export const shown = (cents: Cents): string => centsToText(cents)
