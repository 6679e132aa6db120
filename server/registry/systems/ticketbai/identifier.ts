/**
 * The identifier of an invoice and the address in its QR code, both closed by a CRC-8. Source: joint specification of
 * TicketBAI 1.1, sections on the identifier and the QR code.
 */
import { registryDate } from '../../../domain/dates.ts'
import { centsToText } from '../../../domain/money.ts'
import type { ContentKey, InvoiceContent } from './content.ts'

/** Table of CRC-8 with the polynomial x^8 + x^2 + x + 1. */
const CRC_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value & 0x80 ? (value << 1) ^ 0x07 : value << 1) & 0xff
  return value
})

/** Returns the CRC-8 of a text's UTF-8 bytes: start 0, nothing reflected, no final operation. */
export function crc8(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text, 'utf8')) crc = CRC_TABLE[crc ^ byte] ?? 0
  return crc
}

const closed = (text: string): string => `${text}${String(crc8(text)).padStart(3, '0')}`

/** Characters of the signature in an identifier. */
const SIGNATURE_START = 13

/**
 * Returns the 39 characters of an invoice's identifier. `signatureValue` is the value of its signature in base 64, in one
 * line.
 */
export function ticketBaiIdentifier(
  issuerNif: string,
  issueDate: ContentKey['issueDate'],
  signatureValue: string,
): string {
  const [day = '', month = '', year = ''] = registryDate(issueDate).split('-')
  return closed(
    `TBAI-${issuerNif}-${day}${month}${year.slice(2)}-${signatureValue.slice(0, SIGNATURE_START)}-`,
  )
}

/** Returns whether a text is an identifier whose CRC-8 is right. */
export function isTicketBaiIdentifier(text: string): boolean {
  return /^TBAI-[A-Z0-9]{9}-\d{6}-[A-Za-z0-9+/]{13}-\d{3}$/.test(text) && closed(text.slice(0, -3)) === text
}

/**
 * Returns the address in the QR code from its values as text. `base` is the profile's, `total` the text of
 * ImporteTotalFactura. Without a series the parameter is left out: official texts do not describe that case, and our
 * invoices always have one.
 */
export function ticketBaiQr(
  base: string,
  {
    identifier,
    series,
    number,
    total,
  }: { identifier: string; series: string | null; number: string; total: string },
): string {
  const encode = encodeURIComponent
  const withSeries = series === null ? '' : `&s=${encode(series)}`
  const text = `${base}?id=${encode(identifier)}${withSeries}&nf=${encode(number)}&i=${encode(total)}`
  return `${text}&cr=${String(crc8(text)).padStart(3, '0')}`
}

/** What an invoice's paper shows: the identifier in one line above the QR code. */
interface TicketBaiMarks {
  identifier: string
  qr: string
}

/** Returns identifier and QR address of a signed invoice. */
export function ticketBaiMarks(
  base: string,
  { issuer, key, totalCents }: Pick<InvoiceContent, 'issuer' | 'key' | 'totalCents'>,
  signatureValue: string,
): TicketBaiMarks {
  const identifier = ticketBaiIdentifier(issuer.nif, key.issueDate, signatureValue)
  return { identifier, qr: ticketBaiQr(base, { identifier, ...key, total: centsToText(totalCents) }) }
}
