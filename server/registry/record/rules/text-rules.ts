/** Rules for single texts: length, characters, invoice numbers, and the keys that name invoices. */
import { isBusinessDate } from '../../../domain/dates.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { trimValue } from '../hashed.ts'
import type { InvoiceKey } from '../fields.ts'
import { SCHEMA_FAULT, XML_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'

export interface TextLimit {
  /** Our codes begin with it: `name` gives `name_length` and `name_characters`. */
  code: string
  /** Most characters of the schema. */
  max: number
  /** What the authority answers to an empty text. */
  emptyCode: string
  /** The text in words, at the start of a sentence. */
  what: string
  fix: string
}

// Control characters, which no XML can carry, and a carriage return, which every reader would turn into a line feed.
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

/** A text the record must have: 1 to `max` characters that XML can carry. Outer blanks are not written, nor counted. */
export function* textFaults(text: string, field: string, limit: TextLimit): Iterable<RuleFinding> {
  const written = trimValue(text)
  const { length } = [...written]
  // A no-break space is written, but names nothing.
  const isEmpty = text.trim() === ''
  if (isEmpty || length > limit.max) {
    yield {
      code: `${limit.code}_length`,
      authorityCode: isEmpty ? limit.emptyCode : SCHEMA_FAULT,
      field,
      message: `${limit.what} must have 1 to ${limit.max} characters.`,
      fix: limit.fix,
      params: { max: limit.max },
    }
  }
  if (UNFIT.test(written) || !written.isWellFormed()) {
    yield {
      code: `${limit.code}_characters`,
      authorityCode: XML_FAULT,
      field,
      message: `${limit.what} holds a control character or half of a character.`,
      fix: 'Type the text again.',
    }
  }
}

const MAX_NUMBER = 60

/** Number of an invoice, of this record or of another one it names. */
export function* numberFaults(number: string, field: string, fix: string): Iterable<RuleFinding> {
  const { length } = trimValue(number)
  if (length < 1 || length > MAX_NUMBER) {
    yield {
      code: 'number_length',
      authorityCode: SCHEMA_FAULT,
      field,
      message: `An invoice number must have 1 to ${MAX_NUMBER} characters.`,
      fix,
      params: { max: MAX_NUMBER },
    }
    return
  }
  if (number.trim() !== number) {
    yield {
      code: 'number_blanks',
      // The authority would store it without them: another number than the one printed.
      authorityCode: '1104',
      field,
      message: 'An invoice number has no blanks around it.',
      fix,
    }
  }
  if (/[^\u0020-\u007e]/.test(trimValue(number))) {
    yield {
      code: 'number_not_ascii',
      authorityCode: '1130',
      field,
      message: 'An invoice number may only have plain letters, digits and signs (no accents, no ñ).',
      fix,
    }
  }
  if (/["'<>=]/.test(number)) {
    yield {
      code: 'number_forbidden_character',
      authorityCode: '1287',
      field,
      message: 'An invoice number may not hold any of " \' < > =.',
      fix,
    }
  }
}

export interface NifRole {
  /** What the authority answers to nine characters that are no tax number. */
  authorityCode: string
}

/** A Spanish tax number as the registry takes it: in capitals, without separators, with the right control letter. */
export function* nifFaults(nif: string, field: string, { authorityCode }: NifRole): Iterable<RuleFinding> {
  const check = checkNif(nif)
  if (check.ok && check.nif === nif) return
  const params = { nif }
  if (!check.ok && check.reason === 'control' && check.kind === 'entity' && check.nif === nif) {
    yield {
      code: 'nif_control',
      authorityCode,
      field,
      // The control of an entity's number has no published rule, so that a mismatch may still be right.
      severity: 'warning',
      message: `${nif} does not look right: its last character is usually ${check.expected ?? 'another'}.`,
      fix: 'Compare the number with an official document.',
      params: { ...params, expected: check.expected ?? '?' },
    }
    return
  }
  yield {
    code: 'nif_invalid',
    authorityCode: trimValue(nif).length === 9 ? authorityCode : SCHEMA_FAULT,
    field,
    message: 'This is no Spanish tax number: nine capital letters and digits with the right control letter.',
    fix: 'Correct the number.',
    params,
  }
}

/** A day of the calendar. What is none cannot be compared, so that other rules of dates wait for it. */
export function* dateFaults(date: string, field: string, authorityCode: string): Iterable<RuleFinding> {
  if (isBusinessDate(date)) return
  yield {
    code: 'date_invalid',
    // DD-MM-YYYY with any digits passes the schema.
    authorityCode: /^\d{4}-\d\d-\d\d$/.test(date) ? authorityCode : SCHEMA_FAULT,
    field,
    message: `${date === '' ? 'An empty text' : date} is no day of the calendar.`,
    fix: 'Correct the date.',
  }
}

/** An invoice that this record names: rectified or substituted. */
export function* namedInvoiceFaults(key: InvoiceKey, field: string): Iterable<RuleFinding> {
  const fix = 'Write the number as it stands on that invoice.'
  yield* nifFaults(key.issuerNif, `${field}.issuerNif`, { authorityCode: '1154' })
  yield* numberFaults(key.number, `${field}.number`, fix)
  yield* dateFaults(key.issueDate, `${field}.issueDate`, '1145')
}

/** Our own reference of a record: the authority echoes it, and replies are matched by it. */
export function* referenceFaults(recordId: string): Iterable<RuleFinding> {
  yield* textFaults(recordId, 'recordId', {
    code: 'reference',
    max: 60,
    emptyCode: '1253',
    what: 'The reference of a record',
    fix: 'Give the record a shorter reference.',
  })
}
