/** Writes that an invoice is at the platform, that it was refused, or that it was withdrawn: each once, with all that follows. */
import { emitEvent } from '../../../platform/events/index.ts'
import type { Ctx } from '../../../context.ts'
import { documentRow } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { dropOpenReports, recordExchange, recordFact } from '../state/write.ts'

/** Writes that an invoice is at the platform; what is to be said of it may leave from now on. */
export async function settleAdmitted(
  tx: Ctx,
  row: DocumentRow,
  receipt: { locator: string | null; csv: string | null },
  messageId: number | null,
  note?: string,
): Promise<void> {
  await recordFact(
    tx,
    row,
    { fact: 'admitted', messageId, note: note ?? null },
    {
      state: 'admitted',
      why: null,
      locator: receipt.locator,
      ...(receipt.csv === null ? {} : { csv: receipt.csv }),
      next_at: null,
    },
  )
  await recordExchange(tx, 'exchange.admitted', row)
  await emitEvent(tx, 'exchange.admitted', {
    documentId: row.public_id,
    invoiceId: await invoiceIdOf(tx, row),
  })
}

/** Writes that the platform does not take an invoice. */
export async function settleRefused(
  tx: Ctx,
  row: DocumentRow,
  reason: { code: string; text: string },
  messageId: number | null,
): Promise<void> {
  await recordFact(
    tx,
    row,
    { fact: 'refused', messageId, code: reason.code, note: reason.text.slice(0, 500) },
    { state: 'refused', why: reason.code, next_at: null },
  )
  await recordExchange(tx, 'exchange.refused', row, {
    label: `${row.number}: ${reason.code}`,
    outcome: 'refused',
  })
  await emitEvent(tx, 'exchange.refused', {
    documentId: row.public_id,
    invoiceId: await invoiceIdOf(tx, row),
    code: reason.code,
  })
}

/** Writes that an invoice is no longer at the platform. */
export async function settleWithdrawn(tx: Ctx, row: DocumentRow, reportId: number): Promise<void> {
  const now = await documentRow(tx, row.id)
  if (now.state === 'withdrawn') return
  await recordFact(tx, row, { fact: 'withdrawn', reportId }, { state: 'withdrawn', next_at: null })
  await dropOpenReports(tx, now, reportId)
  await recordExchange(tx, 'exchange.withdrawn', row)
}

/** Returns the public identifier of the issued invoice; null for a received one. */
async function invoiceIdOf(tx: Ctx, row: DocumentRow): Promise<string | null> {
  if (row.invoice_id === null) return null
  const found = await tx.db
    .selectFrom('invoices')
    .select('public_id')
    .where('book_id', '=', tx.book.id)
    .where('id', '=', row.invoice_id)
    .executeTakeFirst()
  return found?.public_id ?? null
}
