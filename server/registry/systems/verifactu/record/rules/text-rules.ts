/** Rules for single texts: length, characters, invoice numbers, and the keys of invoices. */
import { isBusinessDate } from '../../../../../domain/dates.ts'
import { checkNif } from '../../../../../domain/tax/nif.ts'
import { trimValue } from '../hashed.ts'
import type { InvoiceKey } from '../fields.ts'
import { SCHEMA_FAULT, XML_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'

interface TextLimit {
  /** Prefix of our codes: `name` gives `name_length` and `name_characters`. */
  code: string
  /** The schema's maximum length in characters. */
  max: number
  /** The authority's code for an empty text. */
  emptyCode: string
  /** Name of the text at the start of a sentence. */
  what: string
  fix: string
}

// Control characters, which XML cannot carry, and the carriage return, which every reader converts to a line feed.
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

/**
 * Checks a required text: 1 to `max` characters that XML can carry. Leading and trailing blanks are neither written
 * nor counted.
 */
export function* textFaults(text: string, field: string, limit: TextLimit): Iterable<RuleFinding> {
  const written = trimValue(text)
  const { length } = [...written]
  // A no-break space is written, but is not a name.
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

/** Checks the number of an invoice, of this record or of another one that it names. */
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
      // The authority would store the number without them, which differs from the printed one.
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

interface NifRole {
  /** The authority's code for nine characters that are not a tax number. */
  authorityCode: string
}

/** Checks a Spanish tax number in the registry's form: capitals, no separators, the correct control letter. */
export function* nifFaults(nif: string, field: string, { authorityCode }: NifRole): Iterable<RuleFinding> {
  const check = checkNif(nif)
  if (check.ok && check.nif === nif) return
  const params = { nif }
  if (!check.ok && check.reason === 'control' && check.kind === 'entity' && check.nif === nif) {
    yield {
      code: 'nif_control',
      authorityCode,
      field,
      // The control character of an entity's number has no published rule, so a mismatch may still be correct.
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

/**
 * Checks that a date exists in the calendar. Other rules of dates wait for this one, because an invalid date cannot
 * be compared.
 */
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

/** Checks an invoice that this record names: rectified or substituted. */
export function* namedInvoiceFaults(key: InvoiceKey, field: string): Iterable<RuleFinding> {
  const fix = 'Write the number as it stands on that invoice.'
  yield* nifFaults(key.issuerNif, `${field}.issuerNif`, { authorityCode: '1154' })
  yield* numberFaults(key.number, `${field}.number`, fix)
  yield* dateFaults(key.issueDate, `${field}.issueDate`, '1145')
}

/** Checks our own reference of a record: the authority echoes it, and replies are matched by it. */
export function* referenceFaults(recordId: string): Iterable<RuleFinding> {
  yield* textFaults(recordId, 'recordId', {
    code: 'reference',
    max: 60,
    emptyCode: '1253',
    what: 'The reference of a record',
    fix: 'Give the record a shorter reference.',
  })
}
