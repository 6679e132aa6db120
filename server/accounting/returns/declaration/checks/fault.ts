/** What stands against a return. */
import type { Fault } from '../../../../domain/errors/app-error.ts'

/** Returns an error; callers lower it to a warning where a person may decide otherwise. */
export const fault = (
  code: string,
  field: string,
  message: string,
  fix?: string,
  params?: Fault['params'],
): Fault => ({
  code,
  field,
  severity: 'error',
  message,
  ...(fix === undefined ? {} : { fix }),
  ...(params === undefined ? {} : { params }),
})
