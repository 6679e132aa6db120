/** Fields of an external contact that can be copied to one here. */
export const LINK_FIELDS = ['name', 'tradeName', 'nif', 'email', 'phone', 'iban', 'address'] as const
