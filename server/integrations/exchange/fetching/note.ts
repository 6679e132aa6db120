/** Writes what the other side did: an invoice that arrived, a status, a withdrawal. The same told twice counts once. */
import { findCompany } from '../../../company/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import type { Ctx } from '../../../context.ts'
import type { Found } from '../port.ts'
import { followedWithoutFile } from '../state/follow.ts'
import { changeDocument, codeColumns, documentOfCode, factsOf, insertDocument } from '../state/rows.ts'
import type { DocumentRow } from '../state/rows.ts'
import { dropOpenReports, recordExchange, recordFact } from '../state/write.ts'
import type { InvoiceCode, StatusKind } from '../types.ts'

/** Columns of what the other side says, by the kind of the status. */
const SAYS: Readonly<Record<StatusKind, DocumentRow['partner_said']>> = {
  rejected: 'rejected',
  rejection_cancelled: null,
  paid: 'paid',
  payment_cancelled: null,
  settled: 'settled',
  settlement_cancelled: null,
  defaulted: 'defaulted',
  default_cancelled: null,
  withdrawn: null,
}

/**
 * Returns the invoice of a code that is followed as received; null for one that is new, also where it was withdrawn and
 * presented again. One of a purchase that was entered before gets the code as its issuer writes it.
 */
export async function knownReceived(tx: Ctx, code: InvoiceCode): Promise<DocumentRow | null> {
  const known = await documentOfCode(tx, 'received', code)
  if (known !== null && known.state !== 'withdrawn') return known
  const followed = await followedWithoutFile(tx, code)
  if (followed === null) return null
  await changeDocument(tx, followed.id, codeColumns(code))
  return { ...followed, ...codeColumns(code) }
}

/** Follows an invoice that arrived, with what was said of it already. Its file is fetched next. */
export async function noteArrived(tx: Ctx, found: Found): Promise<void> {
  const known = await knownReceived(tx, found.invoice)
  const isNew = known === null
  const now = tx.now().getTime()
  const row = isNew
    ? await insertDocument(tx, {
        direction: 'received',
        ...codeColumns(found.invoice),
        partner_nif: normalizeNif(found.invoice.issuerTaxId),
        is_copy: found.copy ? 1 : 0,
        state: 'open',
        locator: found.locator,
        next_at: now,
      })
    : known
  if (isNew) {
    await recordFact(tx, row, { fact: 'arrived', note: found.presentedAt })
    await recordExchange(tx, 'exchange.arrived', row)
    await emitEvent(tx, 'exchange.arrived', { documentId: row.public_id })
  } else if (row.locator === null)
    // A purchase that came by another way first.
    await recordFact(
      tx,
      row,
      { fact: 'arrived', note: found.presentedAt },
      { locator: found.locator, is_copy: found.copy ? 1 : 0, next_at: row.content_id === null ? now : null },
    )
  for (const status of found.statuses)
    if (status.role === 'issuer') await noteStatus(tx, found.invoice, status)
  tx.wake('exchange')
}

/**
 * Writes a status of the other side: a customer's of an issued invoice, a supplier's of a received one. Returns false if the
 * invoice is not followed here.
 */
export async function noteStatus(
  tx: Ctx,
  invoice: InvoiceCode,
  status: Found['statuses'][number],
): Promise<boolean> {
  if (status.kind === 'withdrawn') {
    await noteWithdrawn(tx, invoice)
    return true
  }
  const row = await documentOfCode(tx, status.role === 'recipient' ? 'issued' : 'received', invoice)
  if (row === null) return false
  const fact = `partner_${status.kind}` as const
  const note = noteOf(status)
  const said = SAYS[status.kind]
  const isKnown = (await factsOf(tx, row.id)).some(
    (each) => each.fact === fact && (each.day ?? '') === status.date && each.note === note,
  )
  // Told by another channel as well, where the time of presentation is written otherwise.
  const isSaid = said !== null && row.partner_said === said && row.partner_day === status.date
  if (isKnown || isSaid) return true
  await recordFact(
    tx,
    row,
    { fact, day: status.date || null, code: status.reason ?? null, note },
    { partner_said: said, partner_day: said === null ? null : status.date },
  )
  await recordExchange(tx, `exchange.partner_${status.kind}`, row)
  await emitEvent(tx, 'exchange.partner_said', { documentId: row.public_id, kind: status.kind })
  return true
}

/** What tells two statuses of one day apart: when each was presented. */
function noteOf(status: Found['statuses'][number]): string {
  return status.note === undefined ? status.presentedAt : `${status.presentedAt} ${status.note}`.slice(0, 500)
}

/** Writes that the supplier withdrew an invoice: nothing more is said of it. An own one that somebody withdrew elsewhere as well. */
export async function noteWithdrawn(tx: Ctx, invoice: InvoiceCode): Promise<void> {
  const { nif } = await findCompany(tx)
  const isOwn = normalizeNif(nif) === normalizeNif(invoice.issuerTaxId)
  const row = await documentOfCode(tx, isOwn ? 'issued' : 'received', invoice)
  if (row === null || row.state === 'withdrawn') return
  await recordFact(tx, row, { fact: 'partner_withdrew' }, { state: 'withdrawn', next_at: null })
  await dropOpenReports(tx, row)
  await recordExchange(tx, 'exchange.partner_withdrew', row)
  await emitEvent(tx, 'exchange.partner_said', { documentId: row.public_id, kind: 'withdrawn' })
}
