/** Totals of an issued invoice: the sums of its month and its customer, and its ledger entry. */
import type { EntityManager } from 'typeorm'
import { LedgerEntries } from './entities.ts'
import type { Invoice } from './entities.ts'

// In SQL, because a repository's upsert replaces values and cannot add to them.
const ADD_TO_MONTH = `insert into month_figures ("month", "vatRateBp", "baseCents", "taxCents", "documents") values (?, ?, ?, ?, 1)
  on conflict ("month", "vatRateBp") do update set "baseCents" = "baseCents" + excluded."baseCents",
    "taxCents" = "taxCents" + excluded."taxCents", "documents" = "documents" + 1`
const ADD_TO_CUSTOMER = `insert into customer_figures ("customerId", "period", "baseCents", "totalCents", "documents") values (?, ?, ?, ?, 1)
  on conflict ("customerId", "period") do update set "baseCents" = "baseCents" + excluded."baseCents",
    "totalCents" = "totalCents" + excluded."totalCents", "documents" = "documents" + 1`

export async function addFigures(manager: EntityManager, invoice: Invoice, day: string): Promise<void> {
  const month = day.slice(0, 7)
  const year = day.slice(0, 4)
  for (const { vatRateBp, baseCents, taxCents } of invoice.taxes)
    await manager.query(ADD_TO_MONTH, [month, vatRateBp, baseCents, taxCents])
  const { customerId, baseCents, totalCents } = invoice
  for (const period of [month, `${year}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`, year])
    await manager.query(ADD_TO_CUSTOMER, [customerId, period, baseCents, totalCents])
}

/** Books the invoice: the customer owes the sale and its tax. */
export async function bookInvoice(manager: EntityManager, invoice: Invoice, day: string): Promise<void> {
  const owed = { account: '430', amountCents: invoice.totalCents, customerId: invoice.customerId }
  const sold = { account: '705', amountCents: -invoice.baseCents, customerId: null }
  const taxed = invoice.taxes.map(({ vatRateBp, taxCents }) => ({
    account: `477${String(vatRateBp).padStart(4, '0')}`,
    amountCents: -taxCents,
    customerId: null,
  }))
  const lines = [owed, sold, ...taxed].map((line, position) => ({ ...line, position, day }))
  await manager.save(
    LedgerEntries,
    manager.create(LedgerEntries, { day, invoice: { id: invoice.id }, lines }),
  )
}
