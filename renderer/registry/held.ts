/** What the authority holds under a number, beside the invoice that was to have it. Pure. */
import type { Registration } from './action-items.ts'

type Held = NonNullable<Registration['held']>

/** Amounts in euros, equal to the cent; the authority writes its own as decimal text. */
const cents = (euros: number): number => Math.round(euros * 100)
const plain = (name: string): string => name.trim().replace(/\s+/g, ' ').toLocaleUpperCase('es')

/**
 * Whether both tell the same customer and total, so that it may well be one invoice sent from two places. What the
 * authority does not tell is never the same.
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
