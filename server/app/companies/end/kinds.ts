/** Kinds of data of a live book for which the law sets a period. */
export const HELD_KINDS = [
  'issued',
  'records',
  'received',
  'capital_goods',
  'entries',
  'payments',
  'bank',
  'returns',
  'mandates',
  'mails',
] as const
export type HeldKind = (typeof HELD_KINDS)[number]
