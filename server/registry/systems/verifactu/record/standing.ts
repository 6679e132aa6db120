/** Derives which record may follow the earlier ones of an invoice (Subsanacion, RechazoPrevio) from their outcomes. */
import type { Fate, Standing } from '../../../system.ts'

/** The registry has no record of the invoice (3002), whatever these books assumed. */
const DOES_NOT_EXIST = '3002'
/** No outcome is known yet. */
const UNSETTLED: readonly Fate['status'][] = ['pending', 'sending', 'unknown']

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
    open = UNSETTLED.includes(fate.status)
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
