/** What an invoice line sells, where a registry has to be told: goods or services (LIVA arts. 8 and 11). */
export const LINE_SUPPLIES = ['goods', 'services'] as const
export type LineSupply = (typeof LINE_SUPPLIES)[number]
