/** Removes the copy of a client's books when the adviser no longer works for the client. */
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { embedded } from '../../db/embedded/port.ts'
import { advisedCompanies } from '../../platform/books/index.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { orNotFound, purgeSecret } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { deleteRows, forgetPersonal, noteMissingEvents } from '../companies/index.ts'
import { allowedChange } from './changes/allowed.ts'
import type { ChangeSummary, removeCopyContract } from './contract.ts'
import { ownPairing } from './pairing/manage.ts'
import { changesOf, findCopy, updatePairing } from './rows.ts'
import type { ChangeRow } from './rows.ts'
import { stateOf } from './view.ts'

/** Most changes that a refusal names. */
const MOST_NAMED = 20

/** Throws `bundle_changes_unsent` with the changes that no file for the client has. */
function assertHandedOver(changes: readonly ChangeRow[]): void {
  const unsent = changes.filter(({ state, sent_in: sentIn }) => state === 'waiting' && sentIn === null)
  if (unsent.length === 0) return
  throw new AppError('bundle_changes_unsent', {
    details: {
      count: unsent.length,
      changes: unsent.slice(0, MOST_NAMED).map(({ number, operation, summary }) => ({
        number,
        kind: allowedChange(operation)?.kind ?? 'entry',
        operation,
        title: (JSON.parse(summary) as Partial<ChangeSummary>).title ?? null,
      })),
    },
  })
}

/**
 * Deletes all rows of the copy in one transaction, which also ends the pairing: its next books would bring the copy back.
 * What the adviser's own company knows of the pairing stays. Throws `validation_failed` if the typed NIF is not the
 * client's, and `bundle_changes_unsent`.
 */
export const removeCopy: UseCase<typeof removeCopyContract> = async (ctx, { id, nif, discardUnsent }) => {
  const pairing = await ownPairing(ctx, id)
  // From within the copy its own history would be deleted with it.
  if (pairing.side !== 'adviser' || pairing.company_id !== ctx.book.companyId) throw new AppError('not_found')
  if (normalizeNif(nif) !== pairing.client_nif)
    throw validationFailed([
      {
        code: 'nif_of_other_company',
        field: 'nif',
        severity: 'error',
        message: 'That is not the NIF of this client.',
        fix: 'Type the NIF of the client whose copy is removed.',
      },
    ])
  const store = embedded(ctx.env.store)
  const rows = await purgeSecret(ctx, async (tx) => {
    const { companyId } = orNotFound(await findCopy(tx.db, { pairing: id }))
    const changes = await changesOf(tx.db, pairing.id)
    if (discardUnsent !== true) assertHandedOver(changes)
    const count = await deleteRows(tx, companyId)
    await noteMissingEvents(tx)
    if (pairing.state !== 'ended')
      await updatePairing(tx.db, pairing.id, { state: 'ended', ended_at: tx.now().getTime() })
    await recordAudit(tx, {
      action: 'bundles.copy_removed',
      target: { type: 'pairing', id, label: pairing.client_name },
    })
    return count
  })
  store.advised = await advisedCompanies(store.reader)
  await forgetPersonal(ctx, pairing.client_company)
  return { rows, state: await stateOf(ctx) }
}
