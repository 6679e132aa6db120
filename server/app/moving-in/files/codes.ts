/** Codes that a page of a move shows in words: the tests read every text from these lists. Pure. */

/** What a table, or a file that is none, contains. */
export const FILE_CONTENTS = [
  'books_issued',
  'books_received',
  'books_goods',
  'issued',
  'received',
  'contacts',
  'items',
  'trial_balance',
  'accounts',
  'journal',
  'receivable',
  'payable',
  'bank_balances',
  'assets',
  'documents',
  'return_file',
  'pdf',
  'empty',
  'unknown',
] as const

/** What a person can say that a table is. */
export const CHOSEN_CONTENTS = [
  'books_issued',
  'books_received',
  'books_goods',
  'issued',
  'received',
  'contacts',
  'items',
  'trial_balance',
  'receivable',
  'payable',
  'bank_balances',
] as const

/** Why a table is taken for what it is. */
export const RECOGNITION_REASONS = [
  'recognized_unified_book',
  'recognized_vat_book',
  'recognized_program',
  'recognized_titles',
  'recognized_archive',
  'recognized_return_file',
  'recognized_pdf',
  'recognized_empty',
  'recognized_nothing',
] as const
export type RecognitionReason = (typeof RECOGNITION_REASONS)[number]

/** Why a row is no document. */
export const SKIP_REASONS = [
  'skipped_title',
  'skipped_repeated_header',
  'skipped_total',
  'skipped_draft',
  'skipped_cancelled',
  'skipped_not_invoice',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

const YES_NO = ['yes', 'no'] as const

/** What is asked where a layout does not say it, with all answers. */
export const QUESTION_CHOICES = {
  question_eu_nature: ['eu_goods', 'eu_services'],
  question_reverse_nature: ['foreign_services', 'reverse_charge'],
  question_withholding_reason: ['professional', 'rent', 'other'],
  question_withheld: ['none', 'professional_15', 'professional_7', 'rent_19'],
  question_taken_back: YES_NO,
  question_series_join: ['-', '/', '', ' '],
  question_untaxed_issued: ['E1', 'E2', 'E5', 'E6', 'N1', 'N2', 'S2'],
  question_untaxed_received: [
    'exempt',
    'not_subject',
    'reverse_charge',
    'eu_goods',
    'eu_services',
    'foreign_services',
    'receipt',
  ],
  question_negative_kind: ['F1', 'F2', 'R1', 'R2', 'R3', 'R4', 'R5'],
  question_rectifying_kind: ['R1', 'R2', 'R3', 'R4', 'R5'],
  question_orders: YES_NO,
} as const satisfies Record<string, readonly string[]>
export type QuestionCode = keyof typeof QUESTION_CHOICES
export type QuestionAnswer<Code extends QuestionCode> = (typeof QUESTION_CHOICES)[Code][number]
