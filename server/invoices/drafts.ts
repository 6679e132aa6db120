/** Drafts: made, changed and thrown away freely; nothing here has a number or reaches anybody. */
import { recordAudit } from '../audit/index.ts'
import { deleteKeeping } from '../bin/index.ts'
import { markContactUsed } from '../contacts/index.ts'
import { emitEvent } from '../events/index.ts'
import { AppError } from '../core/errors.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import { found } from '../ctx.ts'
import type { Ctx, UseCase } from '../ctx.ts'
import { composeDraft, recomposeDraft } from './compose.ts'
import type { Composition } from './compose.ts'
import { resolveInvoice } from './get.ts'
import { dropUnusedParty, keepParty } from './parties.ts'
import { contentOf, findInvoice, rewriteDraft, writeNewDraft } from './rows.ts'
import type { InvoiceRow } from './rows.ts'
import { invoiceView } from './view.ts'

/** The draft behind an id, or the reason why it may not be changed. */
export async function draftRow(ctx: Ctx, id: string, expectedVersion?: number): Promise<InvoiceRow> {
  const row = await resolveInvoice(ctx, id)
  if (row.state !== 'draft')
    throw new AppError('invoice_not_draft', { details: { id: row.public_id, number: row.number } })
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', {
      field: 'expectedVersion',
      details: { expectedVersion, version: row.version },
    })
  return row
}

async function answer(
  ctx: Ctx,
  publicId: string,
  composition: Composition | null,
): Promise<OutputOf<'invoices.create'>> {
  const view = await invoiceView(ctx, found(await findInvoice(ctx, publicId)))
  return composition ? { ...view, assumptions: composition.assumptions } : view
}

/** Create a draft; what was inferred is told in `assumptions`. */
export const createDraft: UseCase<ParsedInputOf<'invoices.create'>, OutputOf<'invoices.create'>> = (
  ctx,
  input,
) =>
  ctx.transaction(async (tx) => {
    const composition = await composeDraft(tx, input)
    const id = tx.newId('inv')
    const partyId = await keepParty(tx, composition.content.client)
    await writeNewDraft(tx, id, composition.content, composition.totals, {
      ...composition.references,
      partyId,
    })
    if (composition.references.contactRowId !== null)
      await markContactUsed(tx, composition.references.contactRowId)
    await recordAudit(tx, {
      action: 'invoice.drafted',
      target: { type: 'invoice', id, label: composition.content.client.name },
    })
    await emitEvent(tx, 'invoice.drafted', { invoiceId: id })
    return { ...(await answer(tx, id, composition)), nextStep: 'svc_validate_registry_invoice' }
  })

/** Change a draft. `expectedVersion` guards against overwriting somebody else's change. */
export const updateDraft: UseCase<ParsedInputOf<'invoices.update'>, OutputOf<'invoices.update'>> = (
  ctx,
  input,
) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, ...changes } = input
    const row = await draftRow(tx, id, expectedVersion)
    const composition = await recomposeDraft(tx, await contentOf(tx.db, row), changes)
    const partyId = await keepParty(tx, composition.content.client)
    const written = await rewriteDraft(tx, row, composition.content, composition.totals, {
      ...composition.references,
      partyId,
    })
    if (!written) throw new AppError('version_conflict', { details: { version: row.version } })
    if (partyId !== row.party_id) await dropUnusedParty(tx, row.party_id)
    await recordAudit(tx, {
      action: 'invoice.changed',
      target: { type: 'invoice', id: row.public_id, label: composition.content.client.name },
    })
    await emitEvent(tx, 'invoice.changed', { invoiceId: row.public_id })
    return answer(tx, row.public_id, composition.assumptions.length > 0 ? composition : null)
  })

/** Delete a draft. */
export const deleteDraft: UseCase<ParsedInputOf<'invoices.delete'>, OutputOf<'invoices.delete'>> = (
  ctx,
  input,
) =>
  ctx.transaction(async (tx) => {
    const row = await draftRow(tx, input.id, input.expectedVersion)
    // A quote that it was made from is open again without it.
    const quotes = await tx.db
      .selectFrom('quote_conversions')
      .select('quote_id')
      .where('invoice_id', '=', row.id)
      .execute()
    const label = row.client_name
    await deleteKeeping(tx, {
      rows: [{ table: 'invoices', id: row.id }],
      sides: quotes.map(({ quote_id: id }) => ({ table: 'quotes', id, columns: ['is_spent'] })),
      action: 'invoice.restored',
      target: { type: 'invoice', id: row.public_id, label },
      event: { type: 'invoice.drafted', data: { invoiceId: row.public_id } },
    })
    await dropUnusedParty(tx, row.party_id)
    await recordAudit(tx, { action: 'invoice.deleted', target: { type: 'invoice', id: row.public_id } })
    await emitEvent(tx, 'invoice.deleted', { invoiceId: row.public_id })
    return { deleted: true }
  })
