/** Faults of a draft, the errors that they cause, and what was inferred instead of a fault. */
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../../domain/errors/catalog.ts'

type Draft = Pick<Fault, 'code' | 'field' | 'message'> & Partial<Fault>

/** Makes a fault that prevents the issue. */
export const error = (fault: Draft): Fault => ({ severity: 'error', ...fault })
/** Makes a fault that does not prevent the issue. */
export const warning = (fault: Draft): Fault => ({ severity: 'warning', ...fault })

/** Value inferred when a draft was made; it is returned to the caller. */
export interface Assumption {
  field: string
  value: string | number | boolean
  why: string
}

export function inputFault(code: string, field: string, message: string, fix?: string): Fault {
  return { code, field, severity: 'error', message, ...(fix ? { fix } : {}) }
}

/** Returns a scaled integer that the contract has validated. */
export function validatedInteger(value: number | null, field: string): number {
  if (value === null)
    throw validationFailed([inputFault('too_many_decimals', field, 'The number has too many decimals.')])
  return value
}

/** Faults with an error code of their own, because a program handles them differently from a wrong field. */
const OWN_CODES: readonly ErrorCode[] = [
  'producer_missing',
  'certificate_missing',
  'restored_copy',
  'series_in_conflict',
  'chain_broken',
  'clock_wrong',
]

/** Throws when a fault is an error: its own code if it has one, else `invoice_invalid` with all of them. */
export function refuseFaulty(faults: readonly Fault[]): void {
  const errors = faults.filter((fault) => fault.severity === 'error')
  if (errors.length === 0) return
  const own = OWN_CODES.find((code) => errors.some((fault) => fault.code === code))
  throw new AppError(own ?? 'invoice_invalid', { field: errors[0]?.field ?? '', details: { faults } })
}
