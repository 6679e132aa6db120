/** Creates, changes and deletes drafts; a draft has no number and is sent to nobody. */
import { historyOf, recordAudit } from '../../../platform/audit/index.ts'
import { softDelete } from '../../../platform/trash/index.ts'
import { markContactUsed } from '../../../catalog/contacts/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { storedMetadata } from '../../../domain/contract/metadata.ts'
import type { Metadata } from '../../../domain/contract/metadata.ts'
import { assertVersion } from '../../../domain/contract/version-guard.ts'
import type { ContractOutput } from '../../../domain/contract/define-contract.ts'
import type { createDraftContract, deleteDraftContract, updateDraftContract } from '../contract.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { withdrawApprovals } from '../issue/approvals.ts'
import { composeDraft, recomposeDraft } from './compose.ts'
import type { Composition } from './compose.ts'
import { resolveInvoice } from '../read/get.ts'
import { dropUnusedParty, saveParty } from './parties.ts'
import { contentOf, findInvoice, rewriteDraft, writeNewDraft } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'
import { invoiceView } from '../read/view.ts'

/** Returns the draft of an id, or throws the reason why it cannot be changed. */
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
): Promise<ContractOutput<typeof createDraftContract>> {
  const view = await invoiceView(ctx, orNotFound(await findInvoice(ctx, publicId)))
  return composition ? { ...view, assumptions: composition.assumptions } : view
}

/** Replaces the content of a draft and withdraws its pending approvals. */
async function rewrite(tx: Ctx, row: InvoiceRow, composition: Composition): Promise<void> {
  const partyId = await saveParty(tx, composition.content.client)
  const written = await rewriteDraft(tx, row, composition.content, composition.totals, {
    ...composition.references,
    partyId,
  })
  if (!written) throw new AppError('version_conflict', { details: { version: row.version } })
  if (partyId !== row.party_id) await dropUnusedParty(tx, row.party_id)
  await withdrawApprovals(tx, row)
  await recordAudit(tx, {
    action: 'invoice.changed',
    target: { type: 'invoice', id: row.public_id, label: composition.content.client.name },
  })
  await emitEvent(tx, 'invoice.changed', { invoiceId: row.public_id })
}

const NEXT_STEP = 'svc_validate_registry_invoice'
/**
 * Period within which the same content from the same assistant is the same call: models repeat calls that get no
 * answer in time.
 */
const RETRY_MS = 10 * 60_000

/** Number of newest drafts that are compared. */
const RETRY_LOOKS_AT = 20

/** Returns the draft that this assistant made within that period with the same content, unchanged since. */
async function sameOfRetry(tx: Ctx, { content }: Composition): Promise<string | null> {
  const { actor } = tx
  if (tx.channel !== 'mcp' || actor.kind !== 'key') return null
  const since = tx.now().getTime() - RETRY_MS
  const rows = await tx.db
    .selectFrom('invoices')
    .select(['public_id', 'created_at'])
    .where('book_id', '=', tx.book.id)
    // Matches the index of invoices that the registry has not accepted: it orders drafts by day.
    .where('registry_status', '=', 'not_issued')
    .where('registry_status', '<>', 'accepted')
    .orderBy('list_date', 'desc')
    .orderBy('id', 'desc')
    .limit(RETRY_LOOKS_AT)
    .execute()
  for (const { public_id: id, created_at: createdAt } of rows) {
    if (createdAt < since) continue
    const [made, ...later] = await historyOf(tx, id)
    if (later.length > 0 || made?.actor_kind !== 'key' || made.actor_name !== actor.name) continue
    const row = orNotFound(await findInvoice(tx, id))
    if (canonicalJson(await contentOf(tx.db, row)) === canonicalJson(content)) return id
  }
  return null
}

const REPEATED =
  'The same draft was made a moment ago: this is that one. For a second one give another externalRef.'

/**
 * Warns about a reference that another invoice of the book has, annulled ones apart. Throws `external_ref_taken` if
 * it must be unique.
 */
async function referenceWarnings(
  tx: Ctx,
  { content: { externalRef } }: Composition,
  { rowId, uniqueExternalRef }: { rowId: number; uniqueExternalRef: boolean | undefined },
): Promise<Fault[]> {
  if (externalRef === null) return []
  const twin = await tx.db
    .selectFrom('invoices')
    .select(['public_id', 'number'])
    .where('book_id', '=', tx.book.id)
    .where('external_ref', '=', externalRef)
    .where('cancelled_at', 'is', null)
    .where('id', '<>', rowId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!twin) return []
  const params = { invoiceId: twin.public_id, number: twin.number ?? '' }
  if (uniqueExternalRef === true)
    throw new AppError('external_ref_taken', { field: 'externalRef', details: params })
  return [
    {
      code: 'external_ref_taken',
      field: 'externalRef',
      severity: 'warning',
      message: 'Another invoice has that reference.',
      fix: 'See whether it was made already.',
      params,
    },
  ]
}

/** Adds the warnings to an answer, if there are any. */
function warned(warnings: Fault[]): { warnings?: Fault[] } {
  return warnings.length > 0 ? { warnings } : {}
}

async function keepMetadata(tx: Ctx, publicId: string, metadata: Metadata): Promise<void> {
  await tx.db
    .updateTable('invoices')
    .set({ metadata: storedMetadata(metadata) })
    .where('public_id', '=', publicId)
    .execute()
}

/** Changes the metadata alone, of an issued invoice too: its version stays, because nothing else changes. */
async function changeMetadata(
  tx: Ctx,
  row: InvoiceRow,
  { metadata, expectedVersion }: { metadata: Metadata; expectedVersion: number | undefined },
): Promise<ContractOutput<typeof updateDraftContract>> {
  assertVersion(expectedVersion, row.version)
  await keepMetadata(tx, row.public_id, metadata)
  await recordAudit(tx, {
    action: 'invoice.annotated',
    target: { type: 'invoice', id: row.public_id, label: row.number ?? row.client_name },
  })
  await emitEvent(tx, 'invoice.changed', { invoiceId: row.public_id })
  return answer(tx, row.public_id, null)
}

/** Creates a draft; `assumptions` lists what was inferred. */
export const createDraft: UseCase<typeof createDraftContract> = (
  ctx,
  { replacesDraft, metadata, uniqueExternalRef, ...fields },
) =>
  ctx.transaction(async (tx) => {
    const composition = await composeDraft(tx, fields)
    if (replacesDraft !== undefined) {
      const row = await draftRow(tx, replacesDraft)
      const warnings = await referenceWarnings(tx, composition, { rowId: row.id, uniqueExternalRef })
      await rewrite(tx, row, composition)
      if (metadata !== undefined) await keepMetadata(tx, row.public_id, metadata)
      return { ...(await answer(tx, row.public_id, composition)), ...warned(warnings), nextStep: NEXT_STEP }
    }
    const again = await sameOfRetry(tx, composition)
    if (again !== null) {
      const view = await answer(tx, again, composition)
      const repeated = { field: 'id', value: again, why: REPEATED }
      return { ...view, assumptions: [...composition.assumptions, repeated], nextStep: NEXT_STEP }
    }
    const id = tx.newId('inv')
    const warnings = await referenceWarnings(tx, composition, { rowId: -1, uniqueExternalRef })
    const partyId = await saveParty(tx, composition.content.client)
    await writeNewDraft(tx, id, composition.content, composition.totals, {
      ...composition.references,
      partyId,
    })
    if (composition.references.contactRowId !== null)
      await markContactUsed(tx, composition.references.contactRowId)
    if (metadata !== undefined) await keepMetadata(tx, id, metadata)
    await recordAudit(tx, {
      action: 'invoice.drafted',
      target: { type: 'invoice', id, label: composition.content.client.name },
    })
    await emitEvent(tx, 'invoice.drafted', { invoiceId: id })
    return { ...(await answer(tx, id, composition)), ...warned(warnings), nextStep: NEXT_STEP }
  })

/** Changes a draft. `expectedVersion` guards against overwriting another change. */
export const updateDraft: UseCase<typeof updateDraftContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { id, expectedVersion, metadata, uniqueExternalRef, ...changes } = input
    if (metadata !== undefined && Object.keys(changes).length === 0)
      return changeMetadata(tx, await resolveInvoice(tx, id), { metadata, expectedVersion })
    const row = await draftRow(tx, id, expectedVersion)
    const composition = await recomposeDraft(tx, await contentOf(tx.db, row), changes)
    const warnings =
      changes.externalRef === undefined
        ? []
        : await referenceWarnings(tx, composition, { rowId: row.id, uniqueExternalRef })
    await rewrite(tx, row, composition)
    if (metadata !== undefined) await keepMetadata(tx, row.public_id, metadata)
    return {
      ...(await answer(tx, row.public_id, composition.assumptions.length > 0 ? composition : null)),
      ...warned(warnings),
    }
  })

/** Deletes a draft. */
export const deleteDraft: UseCase<typeof deleteDraftContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await draftRow(tx, input.id, input.expectedVersion)
    // The quote that it was made from is open again without it.
    const quotes = await tx.db
      .selectFrom('quote_conversions')
      .select('quote_id')
      .where('invoice_id', '=', row.id)
      .execute()
    const label = row.client_name
    await withdrawApprovals(tx, row)
    await softDelete(tx, {
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
