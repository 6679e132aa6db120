/** Open amounts of the instalments of issued invoices: written at issue, reduced by what is paid. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { InstalmentAmount } from '../../domain/tax/instalments.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { prepare, prepareRows } from '../../db/query.ts'

interface NewInstalment extends InstalmentAmount {
  invoiceId: number
  bookId: number
  position: number
}

const insertInstalments = prepareRows((db, rows: readonly [NewInstalment, ...NewInstalment[]]) =>
  db.insertInto('invoice_instalments').values(
    rows.map((row) => ({
      invoice_id: row.invoiceId,
      position: row.position,
      book_id: row.bookId,
      due_date: row.dueDate,
      cents: row.cents,
    })),
  ),
)

/** Writes what each instalment of an invoice comes to, in euros, in the transaction of its issue. */
export async function writeInstalments(
  ctx: Ctx,
  invoiceId: number,
  amounts: readonly InstalmentAmount[],
): Promise<void> {
  await insertInstalments.run(
    ctx.db,
    amounts.map((amount, index) => ({ ...amount, invoiceId, bookId: ctx.book.id, position: index + 1 })),
  )
}

const ofInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('invoice_instalments')
    .select(['position', 'due_date', 'cents', 'paid_cents', 'open_cents'])
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('position'),
)

/** An instalment of an issued invoice, in euro cents. `number` counts from 1. */
export interface OpenInstalment {
  number: number
  dueDate: BusinessDate
  cents: Cents
  paidCents: Cents
  openCents: Cents
}

/** Returns the instalments of an issued invoice by their number; empty for an invoice with one due date. */
export async function instalmentsOfInvoice(ctx: Ctx, invoiceId: number): Promise<OpenInstalment[]> {
  return (await ofInvoice.all(ctx.db, { invoiceId })).map((row) => ({
    number: row.position,
    dueDate: row.due_date,
    cents: row.cents,
    paidCents: row.paid_cents,
    openCents: row.open_cents,
  }))
}

/** A part of what is settled of an invoice. */
export interface InstalmentPart {
  /** 0: of an invoice without instalments. */
  instalment: number
  cents: Cents
}

/**
 * Divides what is settled of an invoice among its instalments. Money settles the one due first; `fromLast`: a credit takes
 * off what would be due last. A negative amount reopens the paid ones, the last one first. Throws when the instalments
 * cannot take it: the caller has compared it with what is due.
 */
export function spreadOverInstalments(
  instalments: readonly OpenInstalment[],
  cents: Cents,
  { fromLast = false }: { fromLast?: boolean } = {},
): InstalmentPart[] {
  const reopens = cents < 0
  const inOrder = reopens || fromLast ? instalments.toReversed() : instalments
  let left = Math.abs(cents)
  const parts: InstalmentPart[] = []
  for (const one of inOrder) {
    const part = Math.min(left, reopens ? one.paidCents : one.openCents)
    if (part === 0) continue
    parts.push({ instalment: one.number, cents: reopens ? -part : part })
    left -= part
  }
  if (left > 0) throw new Error(`${left} cents fit in no instalment.`)
  return parts.toSorted((one, other) => one.instalment - other.instalment)
}

const addPaid = prepare((db, p: { invoiceId: number; position: number; cents: number }) =>
  db
    .updateTable('invoice_instalments')
    .set((eb) => ({ paid_cents: eb('paid_cents', '+', p.cents) }))
    .where('invoice_id', '=', p.invoiceId)
    .where('position', '=', p.position),
)

const setDueDate = prepare((db, p: { id: number; dueDate: string | null }) =>
  db.updateTable('invoices').set({ due_date: p.dueDate }).where('id', '=', p.id),
)

/**
 * Adds to what is paid of instalments. The due date of the invoice becomes that of the next open one, by which lists and
 * filters know what is late; of a paid invoice that of the last one.
 */
export async function settleInstalments(
  tx: Ctx,
  invoiceId: number,
  parts: readonly InstalmentPart[],
): Promise<void> {
  for (const { instalment, cents } of parts)
    await addPaid.run(tx.db, { invoiceId, position: instalment, cents })
  const after = await instalmentsOfInvoice(tx, invoiceId)
  const next = after.find(({ openCents }) => openCents > 0) ?? after.at(-1)
  await setDueDate.run(tx.db, { id: invoiceId, dueDate: next?.dueDate ?? null })
}
