/**
 * The text that a record's hash is computed from, and the rules by which one record follows another. Pure and without
 * Node APIs, so that other verifiers, such as the page in an inspector's pack, can import it.
 */
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { ChainLink } from './fields.ts'

/**
 * Fields of a registration (alta) as they appear in the XML, character by character: `121.1` and `121.10` hash
 * differently.
 */
export interface RegistrationText {
  issuerNif: string
  number: string
  /** DD-MM-YYYY */
  issueDate: string
  invoiceKind: string
  taxTotal: string
  total: string
  /** Hash of the previous record; empty for the first of a chain. */
  previousHash: string
  generatedAt: string
}

/** Fields of a cancellation (anulación) as they appear in the XML. */
export interface CancellationText {
  issuerNif: string
  number: string
  /** DD-MM-YYYY */
  issueDate: string
  previousHash: string
  generatedAt: string
}

/**
 * Removes leading and trailing characters up to U+0020, as Java's trim does: the specification's rule for values. A
 * no-break space stays.
 */
export function trimValue(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/**
 * Returns the text that a registration's hash is computed from. Values are not encoded: an `&` inside a number stays
 * as it is. Source: AEAT, hash specification of billing records 0.1.2, sections 3 to 5.
 */
export function registrationText(fields: RegistrationText): string {
  return `IDEmisorFactura=${trimValue(fields.issuerNif)}&NumSerieFactura=${trimValue(fields.number)}&FechaExpedicionFactura=${trimValue(fields.issueDate)}&TipoFactura=${trimValue(fields.invoiceKind)}&CuotaTotal=${trimValue(fields.taxTotal)}&ImporteTotal=${trimValue(fields.total)}&Huella=${trimValue(fields.previousHash)}&FechaHoraHusoGenRegistro=${trimValue(fields.generatedAt)}`
}

/** Returns the text that a cancellation's hash is computed from. Source: as above, section 6.3. */
export function cancellationText(fields: CancellationText): string {
  return `IDEmisorFacturaAnulada=${trimValue(fields.issuerNif)}&NumSerieFacturaAnulada=${trimValue(fields.number)}&FechaExpedicionFacturaAnulada=${trimValue(fields.issueDate)}&Huella=${trimValue(fields.previousHash)}&FechaHoraHusoGenRegistro=${trimValue(fields.generatedAt)}`
}

/** A record as read from its stored XML. */
export type SealedRecord =
  | {
      kind: 'registration'
      text: RegistrationText
      link: ChainLink
      previous: ChainLink | null
      recordId: string | null
      /** Null when the record names none. */
      operationDate: BusinessDate | null
    }
  | {
      kind: 'cancellation'
      text: CancellationText
      link: ChainLink
      previous: ChainLink | null
      recordId: string | null
      /** Null when the record names none. */
      operationDate: BusinessDate | null
    }

export type LinkFault =
  /** The record's hash does not match its own fields: the record was altered. */
  | 'hash_mismatch'
  /** The record claims to be the first, but another precedes it. */
  | 'unexpected_first'
  /** The record names a previous record, but it should be the first. */
  | 'first_expected'
  /** The record names a previous record other than the one before it. */
  | 'previous_mismatch'

/** Returns the text that the record's hash is computed from. */
export function hashedText(record: SealedRecord): string {
  return record.kind === 'registration' ? registrationText(record.text) : cancellationText(record.text)
}

/** Returns how a record fails to follow `previous` (null: it is the first of its chain); does not check its own hash. */
export function followFault(
  { previous: named }: SealedRecord,
  previous: ChainLink | null,
): Exclude<LinkFault, 'hash_mismatch'> | null {
  if (previous === null) return named === null ? null : 'first_expected'
  if (named === null) return 'unexpected_first'
  return named.hash === previous.hash &&
    named.issuerNif === previous.issuerNif &&
    named.number === previous.number &&
    named.issueDate === previous.issueDate
    ? null
    : 'previous_mismatch'
}
