/** Rules that follow from the kind of an invoice alone. Pure: the page imports them. */
import type { InvoiceKind } from './contract.ts'

export function isRectifying(kind: InvoiceKind): boolean {
  return kind.startsWith('R')
}

/**
 * True for invoices that are rectified because the customer does not pay (R2, R3): the VAT is recovered from the Treasury, and
 * the price without it is still owed (LIVA art. 80.Tres, Cuatro and Cinco).
 */
export function keepsClaim(kind: InvoiceKind): boolean {
  return kind === 'R2' || kind === 'R3'
}

/** True for kinds that are registered without their customer. */
export function isSimplified(kind: InvoiceKind): boolean {
  return kind === 'F2' || kind === 'R5'
}

/** Returns the kind of series of an invoice (RD 1619/2012 art. 6.1.a: rectifying ones have their own). */
export function seriesKindOf(kind: InvoiceKind): 'ordinary' | 'simplified' | 'rectifying' {
  if (isRectifying(kind)) return 'rectifying'
  return kind === 'F2' ? 'simplified' : 'ordinary'
}
