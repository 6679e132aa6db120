/**
 * Derives the state of an invoice at the registry from the outcomes of its records, and which record may follow
 * (Subsanacion, RechazoPrevio).
 */
import type { Ctx } from '../../context.ts'
import type { SubmissionStatus } from '../../db/schema.ts'
import { isUnsettled } from '../queue/rows.ts'
import type { CancellationTurn, RegistrationTurn } from '../systems/verifactu/record/fields.ts'
import { recordsOfInvoice } from '../chain/rows.ts'

export interface Standing {
  /** The outcome of the last record is not known yet: no record may follow. */
  open: boolean
  /** State of the invoice's key at the registry, as far as its answers show. */
  registered: 'none' | 'active' | 'cancelled'
  /** Kind of a further registration made now. */
  registrationTurn: RegistrationTurn
  /** Kind of a cancellation made now. */
  cancellationTurn: CancellationTurn
  /** A record of another program is held under the key. */
  conflict: boolean
}

/** The outcome of one record. */
export interface Fate {
  kind: 'registration' | 'cancellation'
  turn: string
  status: SubmissionStatus
  authorityCode: string | null
  heldState: 'active' | 'cancelled' | null
  conflict: boolean
}

/** The registry has no record of the invoice (3002), whatever these books assumed. */
const DOES_NOT_EXIST = '3002'

/**
 * Derives the state from the outcomes, oldest first. Follows the table of record flags (AEAT, validations 1.2.2,
 * annex): a correction is of a registered record, or of one that the registry never took; each also states whether
 * the last attempt of its own kind was rejected.
 */
export function standingFrom(fates: readonly Fate[]): Standing {
  let registered: Standing['registered'] = 'none'
  let open = false
  let conflict = false
  let correctionRejected = false
  let cancellationRejected: 'no' | 'registered' | 'unregistered' = 'no'
  for (const fate of fates) {
    open = isUnsettled(fate.status)
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

/** Returns the state of an issued invoice. */
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
