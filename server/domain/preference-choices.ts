/** Choices of a person's preferences, for their contract and for reading what another version saved. Pure. */

export const PREFERENCE_CHOICES = {
  language: ['es', 'en'],
  theme: ['light', 'dark', 'system'],
  density: ['normal', 'roomy'],
  textSize: ['normal', 'large', 'larger'],
  /** Whose entries the menu shows at once. */
  menu: ['owner', 'sales', 'accountant', 'all'],
  startPage: ['home', 'invoices', 'inbox', 'taxes', 'console'],
  motion: ['system', 'less'],
  tour: ['new', 'seen', 'off'],
  updates: ['off', 'notify'],
} as const

/** Menu entries that not every business uses. */
export const HIDEABLE_PLACES = ['quotes', 'recurring', 'bank'] as const
