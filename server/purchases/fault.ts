/** Constructors of the faults of a received invoice. */
import type { Fault } from '../domain/errors/app-error.ts'

type Params = Record<string, string | number>

export function error(code: string, field: string, message: string, fix: string, params?: Params): Fault {
  return { code, field, severity: 'error', message, fix, ...(params ? { params } : {}) }
}

export function warning(code: string, field: string, message: string, fix: string, params?: Params): Fault {
  return { code, field, severity: 'warning', message, fix, ...(params ? { params } : {}) }
}
