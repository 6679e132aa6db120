/** The chain of records: the text each record is hashed from, its hash, and the check that a record follows another. */
import { hash } from 'node:crypto'
import type { BusinessDate } from '../../core/dates.ts'
import type { ChainLink } from './fields.ts'

/** Fields of a registration (alta) as they stand in the XML, letter by letter: `121.1` and `121.10` hash differently. */
export interface RegistrationText {
  issuerNif: string
  number: string
  /** DD-MM-YYYY */
  issueDate: string
  invoiceKind: string
  taxTotal: string
  total: string
  /** Hash of the record before; empty for the first of a chain. */
  previousHash: string
  generatedAt: string
}

/** Fields of a cancellation (anulación) as they stand in the XML. */
export interface CancellationText {
  issuerNif: string
  number: string
  /** DD-MM-YYYY */
  issueDate: string
  previousHash: string
  generatedAt: string
}

/**
 * Outer characters up to U+0020 off, as Java's trim does: the specification's rule for values. A no-break space stays.
 */
export function trimValue(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/**
 * The text a registration's hash is made from. Values are not encoded: an `&` inside a number stays as it is.
 * Source: AEAT, hash specification of billing records 0.1.2, sections 3 to 5.
 */
export function registrationText(fields: RegistrationText): string {
  return `IDEmisorFactura=${trimValue(fields.issuerNif)}&NumSerieFactura=${trimValue(fields.number)}&FechaExpedicionFactura=${trimValue(fields.issueDate)}&TipoFactura=${trimValue(fields.invoiceKind)}&CuotaTotal=${trimValue(fields.taxTotal)}&ImporteTotal=${trimValue(fields.total)}&Huella=${trimValue(fields.previousHash)}&FechaHoraHusoGenRegistro=${trimValue(fields.generatedAt)}`
}

/** The text a cancellation's hash is made from. Source: as above, section 6.3. */
export function cancellationText(fields: CancellationText): string {
  return `IDEmisorFacturaAnulada=${trimValue(fields.issuerNif)}&NumSerieFacturaAnulada=${trimValue(fields.number)}&FechaExpedicionFacturaAnulada=${trimValue(fields.issueDate)}&Huella=${trimValue(fields.previousHash)}&FechaHoraHusoGenRegistro=${trimValue(fields.generatedAt)}`
}

/** SHA-256 of the text's UTF-8 bytes, 64 upper-case hex characters. */
export function chainHash(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase()
}

/** Hash of a registration. `previousHash` is empty only for the first record of an installation. */
export function registrationHash(fields: RegistrationText): string {
  return chainHash(registrationText(fields))
}

/** Hash of a cancellation. */
export function cancellationHash(fields: CancellationText): string {
  return chainHash(cancellationText(fields))
}

/** A record as read back from its stored XML. */
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
  /** The record's hash is not the hash of its own fields: the record was altered. */
  | 'hash_mismatch'
  /** The record says it is the first, but another stands before it. */
  | 'unexpected_first'
  /** The record names a predecessor, but it should be the first. */
  | 'first_expected'
  /** The record names another predecessor than the one before it. */
  | 'previous_mismatch'

/** Checks that a record is whole and follows `previous` (null: it is the first of its chain). Null when all is well. */
export function verifyLink(record: SealedRecord, previous: ChainLink | null): LinkFault | null {
  const computed =
    record.kind === 'registration' ? registrationHash(record.text) : cancellationHash(record.text)
  if (computed !== record.link.hash) return 'hash_mismatch'
  if (previous === null) return record.previous === null ? null : 'first_expected'
  if (record.previous === null) return 'unexpected_first'
  const named = record.previous
  return named.hash === previous.hash &&
    named.issuerNif === previous.issuerNif &&
    named.number === previous.number &&
    named.issueDate === previous.issueDate
    ? null
    : 'previous_mismatch'
}
