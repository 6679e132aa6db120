/** What an answer may be: without schemas, for the process that reads mails. */

export const REPLY_KINDS = ['received', 'accepted', 'rejected', 'will_pay'] as const
export type ReplyKind = (typeof REPLY_KINDS)[number]

export const REPLY_REASONS = [
  'amount',
  'not_ordered',
  'not_received',
  'wrong_data',
  'paid_already',
  'other',
] as const
export type ReplyReason = (typeof REPLY_REASONS)[number]

/** Longest words of an answer, so that it fits into the link of a mail. */
export const LONGEST_COMMENT = 300
export const LONGEST_NAME = 80
