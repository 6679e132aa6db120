/**
 * Sequence rules of one key: first registrations, corrections and cancellations, each with its flags. Source: AEAT,
 * annex of the validations document (tables of Subsanacion, RechazoPrevio and SinRegistroPrevio).
 */
import type { XmlElement } from '../../wire/reader.ts'
import type { Entry } from '../state.ts'
import { valueAt } from './values.ts'

/** State of a key before the record. */
type Held = 'none' | 'active' | 'cancelled'

export function recordState(entry: Entry | null): Held {
  return entry === null ? 'none' : entry.status
}

/** Returns the code that refuses a registration by the sequence rules, or null when it may be stored. */
export function registrationTurn(record: XmlElement, held: Held): '3000' | '3002' | null {
  const isCorrection = valueAt(record, 'Subsanacion') === 'S'
  // X states that nothing is held under the key: its first registration was rejected, or never sent in this mode.
  if (!isCorrection || valueAt(record, 'RechazoPrevio') === 'X') return held === 'none' ? null : '3000'
  return held === 'none' ? '3002' : null
}

/**
 * Returns the code that refuses a cancellation by the sequence rules, or null when it may be stored. A cancellation
 * may follow another one; SinRegistroPrevio for a held key has no published code and is answered as a duplicate.
 */
export function cancellationTurn(record: XmlElement, held: Held): '3000' | '3002' | null {
  if (valueAt(record, 'SinRegistroPrevio') === 'S') return held === 'none' ? null : '3000'
  return held === 'none' ? '3002' : null
}
