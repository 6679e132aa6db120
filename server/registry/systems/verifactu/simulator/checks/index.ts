/**
 * The simulated authority's checks of one record, on the received XML, in the order that decides which code is
 * answered. They are written independently of the rules that are checked before issue: only the dated tables of
 * rates, countries and VAT number formats are shared.
 */
import type { XmlElement } from '../../wire/reader.ts'
import type { RejectionCode, WarningCode } from '../messages/record-messages.ts'
import { breakdown, ipsiRegimes } from './breakdown.ts'
import type { Check, Surroundings, WarningCheck } from './check.ts'
import { cancellationKey, namedInvoices, operationDate, registrationKey } from './keys.ts'
import { correctionFlags, flags, rectification, simplifiedLimit } from './kinds.ts'
import { cancelledBy, madeBy, recipients, system } from './parties.ts'
import { chain, seal } from './seal.ts'
import {
  cancellationHashWarning,
  censusWarning,
  chainWarning,
  clockWarning,
  ipsiWarning,
  registrationHashWarning,
  repeatedHashWarning,
  totalsWarning,
} from './warnings.ts'

export type { Surroundings } from './check.ts'

const REGISTRATION: readonly Check[] = [
  registrationKey,
  correctionFlags,
  rectification,
  namedInvoices,
  seal,
  chain,
  system,
  operationDate,
  madeBy,
  recipients,
  flags,
  ipsiRegimes,
  breakdown,
  simplifiedLimit,
]
const CANCELLATION: readonly Check[] = [cancellationKey, cancelledBy, seal, chain, system]

const REGISTRATION_WARNINGS: readonly WarningCheck[] = [
  repeatedHashWarning,
  registrationHashWarning,
  censusWarning,
  chainWarning,
  clockWarning,
  totalsWarning,
  ipsiWarning,
]
const CANCELLATION_WARNINGS: readonly WarningCheck[] = [
  repeatedHashWarning,
  cancellationHashWarning,
  chainWarning,
  clockWarning,
]

/** Returns the first reason to reject a record, or null. */
export function rejectionOf(record: XmlElement, around: Surroundings): RejectionCode | null {
  return firstOf(isCancellation(record) ? CANCELLATION : REGISTRATION, record, around)
}

/** Returns the first reason to accept a record with errors, or null. */
export function warningOf(record: XmlElement, around: Surroundings): WarningCode | null {
  return firstOf(isCancellation(record) ? CANCELLATION_WARNINGS : REGISTRATION_WARNINGS, record, around)
}

export function isCancellation(record: XmlElement): boolean {
  return record.name === 'RegistroAnulacion'
}

function firstOf<C>(
  checks: readonly ((record: XmlElement, around: Surroundings) => C | null)[],
  record: XmlElement,
  around: Surroundings,
): C | null {
  for (const check of checks) {
    const code = check(record, around)
    if (code !== null) return code
  }
  return null
}
