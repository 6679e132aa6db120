/** Reasons why the reader of documents takes a value, as the evidence names them. */
export const REASON_CODES = [
  'sums_close',
  'base_rate_tax',
  'parts_sum',
  'control_digit',
  'label',
  'heading',
  'words',
  'title',
  'position',
  'symbol',
  'own_number',
  'country_prefix',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]
