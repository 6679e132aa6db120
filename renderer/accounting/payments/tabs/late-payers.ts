/** Late invoices grouped by payer: one reminder covers all invoices of a payer. Pure. */
export interface LatePayer {
  id: string
  name: string
  invoiceIds: readonly string[]
  amountDue: number
}

interface LateInvoice {
  id: string
  clientNif: string | null
  clientName: string
  amountDue: number
  payment: { status: string }
}

/** Limit of one mail. */
const MOST = 100

/** Returns the payers of the late invoices, in the order of their first appearance. */
export function latePayers(invoices: readonly LateInvoice[]): LatePayer[] {
  const byPayer = new Map<string, { name: string; invoiceIds: string[]; cents: number }>()
  for (const { id, clientNif, clientName, amountDue, payment } of invoices) {
    if (payment.status !== 'overdue') continue
    const key = clientNif ?? clientName
    const payer = byPayer.get(key) ?? { name: clientName, invoiceIds: [], cents: 0 }
    byPayer.set(key, payer)
    if (payer.invoiceIds.length === MOST) continue
    payer.invoiceIds.push(id)
    payer.cents += Math.round(amountDue * 100)
  }
  return [...byPayer].map(([id, { cents, ...payer }]) => ({ id, ...payer, amountDue: cents / 100 }))
}
