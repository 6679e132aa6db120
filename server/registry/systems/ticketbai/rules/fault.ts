/** What the rules of TicketBAI need to know besides the invoice, and the faults that they report. */
import type { Fault } from '../../../../domain/errors/app-error.ts'
import type { SoftwareFacts } from '../content.ts'
import type { ProvinceProfile } from '../profiles.ts'

/** The certificate to sign with. */
export interface SealingCertificate {
  /** Made for a device, not for a person or a company. */
  isDevice: boolean
  algorithm: 'rsa' | 'ec'
  validFrom: Date
  validTo: Date
}

/**
 * Who issues, and where: a person on the machine that has the key, a person elsewhere (the key is on a server), or no
 * person (a recurring invoice).
 */
type Attendance = 'local' | 'remote' | 'unattended'

export interface SealingContext {
  profile: ProvinceProfile
  software: SoftwareFacts
  /** Null when there is none. */
  certificate: SealingCertificate | null
  attendance: Attendance
  now: Date
}

/** A fault as rules write it: an error unless it states a severity. */
export type Finding = Omit<Fault, 'severity'> & { severity?: Fault['severity'] }

/** Returns the faults with their severities filled in. */
export function withSeverity(found: Iterable<Finding>): Fault[] {
  return Array.from(found, (one) => ({ severity: 'error' as const, ...one }))
}

/**
 * The services' codes: no lines, a datum of the identifier missing or wrong, the file does not match the schema, the
 * content is not valid (kept, with a warning).
 */
export const SERVICE = {
  schema: '002',
  lines: '003',
  identifier: '004',
  signer: '009',
  content: '011',
  licence: '012',
} as const

const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** Checks a text: at most `longest` characters that XML can carry, and at least one unless it may be empty. */
export function* textFindings(
  text: string,
  field: string,
  { longest, what, mayBeEmpty = false }: { longest: number; what: string; mayBeEmpty?: boolean },
): Iterable<Finding> {
  const length = [...text.trim()].length
  if (length > longest || (length === 0 && !mayBeEmpty))
    yield {
      code: 'text_length',
      authorityCode: SERVICE.schema,
      field,
      message: `${what} must have ${mayBeEmpty ? 'at most' : '1 to'} ${longest} characters.`,
      fix: 'Shorten the text.',
      params: { max: longest },
    }
  if (UNFIT.test(text) || !text.isWellFormed())
    yield {
      code: 'text_characters',
      authorityCode: SERVICE.schema,
      field,
      message: `${what} holds a control character or half of a character.`,
      fix: 'Type the text again.',
    }
}
