/** What of a contact elsewhere may be taken over into one's own. */
export const LINK_FIELDS = ['name', 'tradeName', 'nif', 'email', 'phone', 'iban', 'address'] as const
