/** The authority's record under a number, compared with the invoice that should have it. Pure. */
import type { Registration } from './action-items.ts'

type Held = NonNullable<Registration['held']>

/** Amounts compare in cents; the authority writes its own as decimal text. */
const cents = (euros: number): number => Math.round(euros * 100)
const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLocaleUpperCase('es')

/**
 * Returns whether both have the same customer and total, so that it may be one invoice sent from two installations. A
 * value that the authority does not give never matches.
 */
export function isSameInvoice(
  invoice: { clientName: string; total: number },
  held: Pick<Held, 'client' | 'total'>,
): boolean {
  return (
    held.client !== null &&
    held.total !== null &&
    plain(held.client) === plain(invoice.clientName) &&
    cents(Number(held.total)) === cents(invoice.total)
  )
}
