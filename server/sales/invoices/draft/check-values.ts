/** Faults of a draft: errors keep it from being issued, warnings do not. */
import type { Fault } from '../../../domain/errors/catalog.ts'

type Draft = Pick<Fault, 'code' | 'field' | 'message'> & Partial<Fault>

export const error = (fault: Draft): Fault => ({ severity: 'error', ...fault })
export const warning = (fault: Draft): Fault => ({ severity: 'warning', ...fault })
