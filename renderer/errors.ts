/** Error codes as sentences in the language of the page: what happened, and what to do about it. */
import type { CallError } from './call.ts'
import { hasText, translate } from './i18n.ts'

interface ErrorText {
  title: string
  /** The next step; empty if there is none. */
  next: string
}

/** Returns the text of a failed call; an unknown code falls back to the server's English. */
export function errorText(error: CallError): ErrorText {
  const params = { ...error.details, status: error.status }
  if (!hasText(`errors.${error.code}.title`)) return { title: error.message, next: error.next ?? '' }
  return {
    title: translate(`errors.${error.code}.title`, params),
    next: hasText(`errors.${error.code}.next`) ? translate(`errors.${error.code}.next`, params) : '',
  }
}

/** Returns the text of one field's fault, filled with the server's `params`. */
export function faultText(fault: {
  code: string
  message: string
  params?: Record<string, string | number>
}): string {
  const key = `faults.${fault.code}`
  return hasText(key) ? translate(key, fault.params ?? {}) : fault.message
}

/** Returns the text of the first fault of a field (`address.city`), or undefined; warnings only on request. */
export function fieldFault(error: CallError | null, field: string): string | undefined {
  const fault = error?.faults.find((each) => each.field === field && each.severity === 'error')
  return fault ? faultText(fault) : undefined
}
