/** Ways in which an invoice is paid, in the order of the lists that offer them. */
export const PAYMENT_METHODS = [
  'transfer',
  'direct_debit',
  'card',
  'cash',
  'bizum',
  'cheque',
  'other',
] as const
