/** From faults to the one error an irreversible step is refused with. */
import { AppError } from '../../../domain/errors/catalog.ts'
import type { ErrorCode, Fault } from '../../../domain/errors/catalog.ts'

/** Faults that have an error code of their own, because a program reacts to them in another way than to a wrong field. */
const OWN_CODES: readonly ErrorCode[] = [
  'producer_missing',
  'certificate_missing',
  'restored_copy',
  'series_in_conflict',
  'chain_broken',
  'clock_wrong',
]

/** Throws when a fault is an error: its own code where it has one, else `invoice_invalid` with all of them. */
export function refuseFaulty(faults: readonly Fault[]): void {
  const errors = faults.filter((fault) => fault.severity === 'error')
  if (errors.length === 0) return
  const own = OWN_CODES.find((code) => errors.some((fault) => fault.code === code))
  throw new AppError(own ?? 'invoice_invalid', { field: errors[0]?.field ?? '', details: { faults } })
}
