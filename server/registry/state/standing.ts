/** Where an invoice stands at the registry, told by the fates of its records, and which record may follow (Subsanacion, RechazoPrevio). */
import type { Ctx } from '../../context.ts'
import type { SubmissionStatus } from '../../db/schema.ts'
import { isOpenStatus } from '../queue/rows.ts'
import type { CancellationTurn, RegistrationTurn } from '../record/fields.ts'
import { recordsOfInvoice } from '../chain/rows.ts'

export interface Standing {
  /** The outcome of the last record is not known yet: nothing may follow. */
  open: boolean
  /** What the registry holds under the invoice's key, as far as its answers have told. */
  registered: 'none' | 'active' | 'cancelled'
  /** The turn a further registration would have now. */
  registrationTurn: RegistrationTurn
  /** The turn a cancellation would have now. */
  cancellationTurn: CancellationTurn
  /** Somebody else's record is held under the key. */
  conflict: boolean
}

/** The fate of one record, oldest first. */
export interface Fate {
  kind: 'registration' | 'cancellation'
  turn: string
  status: SubmissionStatus
  authorityCode: string | null
  heldState: 'active' | 'cancelled' | null
  conflict: boolean
}

/** The registry has no record of the invoice (3002), whatever we believed. */
const DOES_NOT_EXIST = '3002'

/**
 * Follows the table of record flags (AEAT, validations 1.2.2, annex): a correction is of a registered record, or of one the
 * registry never took; each says besides whether the last try of its own sort was rejected.
 */
export function standingFrom(fates: readonly Fate[]): Standing {
  let registered: Standing['registered'] = 'none'
  let open = false
  let conflict = false
  let correctionRejected = false
  let cancellationRejected: 'no' | 'registered' | 'unregistered' = 'no'
  for (const fate of fates) {
    open = isOpenStatus(fate.status)
    if (open) continue
    if (fate.status !== 'rejected') {
      registered = fate.kind === 'registration' ? 'active' : 'cancelled'
      conflict = false
      correctionRejected = false
      cancellationRejected = 'no'
      continue
    }
    if (fate.heldState !== null) registered = fate.heldState
    if (fate.authorityCode === DOES_NOT_EXIST) registered = 'none'
    conflict = fate.conflict
    if (fate.kind === 'cancellation')
      cancellationRejected = fate.turn.startsWith('unregistered') ? 'unregistered' : 'registered'
    else correctionRejected = fate.turn.startsWith('correction')
  }
  const held = registered !== 'none'
  return {
    open,
    registered,
    conflict,
    registrationTurn: held
      ? correctionRejected
        ? 'correction_after_rejection'
        : 'correction'
      : fates.length === 0
        ? 'first'
        : 'unregistered',
    cancellationTurn: held
      ? cancellationRejected === 'registered'
        ? 'after_rejection'
        : 'first'
      : cancellationRejected === 'unregistered'
        ? 'unregistered_after_rejection'
        : 'unregistered',
  }
}

/** Where an issued invoice stands now. */
export async function standingOf(ctx: Ctx, invoiceId: number): Promise<Standing> {
  const records = await recordsOfInvoice(ctx, invoiceId)
  return standingFrom(
    records.map((record) => ({
      kind: record.kind,
      turn: record.turn,
      status: record.status,
      authorityCode: record.authority_code,
      heldState: record.held_state,
      conflict: record.conflict === 1,
    })),
  )
}
