/** Builds the address in an invoice's QR code, where anyone can check the invoice with the authority. */
import { registryDate } from '../../../../domain/dates.ts'
import { centsToText } from '../../../../domain/money.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { Cents } from '../../../../domain/money.ts'

const CHECKER = {
  production: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR',
  test: 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR',
} as const

type QrEnvironment = keyof typeof CHECKER

/**
 * Returns the address from the four values as text, in the order that the specification fixes (AEAT, QR specification
 * 0.5.0, section 4).
 */
export function qrAddress(
  environment: QrEnvironment,
  nif: string,
  number: string,
  date: string,
  amount: string,
): string {
  const encode = encodeURIComponent
  return `${CHECKER[environment]}?nif=${encode(nif)}&numserie=${encode(number)}&fecha=${encode(date)}&importe=${encode(amount)}`
}

/**
 * Returns the address of an invoice's QR. `totalCents` is the registered total, without withholding and
 * disbursements.
 */
export function qrUrl(
  environment: QrEnvironment,
  invoice: { issuerNif: string; number: string; issueDate: BusinessDate; totalCents: Cents },
): string {
  return qrAddress(
    environment,
    invoice.issuerNif,
    invoice.number,
    registryDate(invoice.issueDate),
    centsToText(invoice.totalCents),
  )
}
