/** What the page shows of submissions to the portal of public bodies. */
import type { OutputOf } from '../../../server/api/contracts.ts'

export type PortalSubmission = OutputOf<'portal.get'>

/** Codes of the portal with a text of ours. */
const KNOWN_CODES = ['1200', '1300', '2400', '2500', '2600', '3100', '4200', '4300', '4400'] as const

/** Returns the key of the text of a code, or null for one that has none. */
export function codeText(code: string): string | null {
  return KNOWN_CODES.some((known) => known === code) ? `portal.code.${code}` : null
}

/** Returns the look of a code: good, bad, or under way. */
export function codeTone(code: string): 'text-success' | 'text-error' | 'text-muted' {
  if (code === '2600' || code === '4400') return 'text-error'
  return code === '2400' || code === '2500' ? 'text-success' : 'text-muted'
}

/** Codes to which a person can move a submission of a test book, as the public body would. */
export function nextCodes({
  processing,
  cancellation,
}: Pick<PortalSubmission, 'processing' | 'cancellation'>): readonly (
  | '1300'
  | '2400'
  | '2500'
  | '2600'
  | '4300'
  | '4400'
)[] {
  if (cancellation === '4200') return ['4300', '4400']
  switch (processing) {
    case null:
    case '1200':
      return ['1300', '2400', '2600']
    case '1300':
      return ['2400', '2600']
    case '2400':
      return ['2500', '2600']
    default:
      return []
  }
}
