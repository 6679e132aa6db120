/** State of a certificate today: the calendar day in Spain decides the days left, its instants decide validity. */
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { currentCompanyContract } from '../contract.ts'
import { businessDateOf, daysBetween } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import type { Certificate } from './contract.ts'
import { activeCertificate } from './rows.ts'
import type { CertificateRow } from './rows.ts'

/** From this many days before its expiry a certificate counts as expiring. */
export const EXPIRING_DAYS = 30

type CertificateState = ContractOutput<typeof currentCompanyContract>['certificate']

type Dates = Pick<CertificateRow, 'valid_from' | 'valid_to'>

/** Returns the day on which a certificate expires, in Spain. */
export function expiryDay(validTo: number): BusinessDate {
  return businessDateOf(new Date(validTo))
}

/** Returns the days from today to the day of expiry: 0 on that day and afterwards. */
export function daysLeftOf(validTo: number, now: Date): number {
  return Math.max(0, daysBetween(businessDateOf(now), expiryDay(validTo)))
}

export function hasExpired(validTo: number, now: Date): boolean {
  return now.getTime() > validTo
}

function statusOf({ valid_from: validFrom, valid_to: validTo }: Dates, now: Date): Certificate['status'] {
  if (hasExpired(validTo, now)) return 'expired'
  // Only after the clock was set back: a certificate that is not valid yet cannot be imported.
  if (now.getTime() < validFrom) return 'not_yet_valid'
  return daysLeftOf(validTo, now) <= EXPIRING_DAYS ? 'expiring' : 'ok'
}

/** Returns a summary of the company's certificate for the company's status; the holder's name without tax numbers. */
export async function certificateState(ctx: Ctx): Promise<CertificateState> {
  const row = await activeCertificate(ctx)
  if (!row) return { status: 'missing' }
  const now = ctx.now()
  const status = statusOf(row, now)
  return {
    status: status === 'not_yet_valid' ? 'ok' : status,
    subject: row.holder_name,
    expiresOn: expiryDay(row.valid_to),
    daysLeft: daysLeftOf(row.valid_to, now),
  }
}

/** Returns the certificate in the form of the contract. */
export function certificateView(row: CertificateRow, now: Date): Certificate {
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    id: row.public_id,
    kind: row.kind,
    subject: row.subject,
    holderName: row.holder_name,
    holderNif: row.holder_nif,
    organizationNif: row.organization_nif,
    issuer: row.issuer,
    serial: row.serial,
    fingerprint: Buffer.from(row.fingerprint).toString('hex'),
    keyType: row.key_type,
    validFrom: iso(row.valid_from),
    validTo: iso(row.valid_to),
    status: statusOf(row, now),
    daysLeft: daysLeftOf(row.valid_to, now),
    importedAt: iso(row.imported_at),
  }
}
