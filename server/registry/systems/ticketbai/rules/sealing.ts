/**
 * Whether a file can be signed now. Asked before a number is spent: the signature is part of the invoice, so that without
 * it nothing is issued.
 */
import { LONGEST } from '../lists.ts'
import { isRegistered } from '../software.ts'
import { SERVICE, textFindings } from './fault.ts'
import type { Finding, SealingCertificate, SealingContext } from './fault.ts'

/** Returns what stops the program from signing. */
export function* sealingFindings(context: SealingContext): Iterable<Finding> {
  const { software, certificate } = context
  if (!isRegistered(software))
    yield {
      code: 'software_unregistered',
      authorityCode: SERVICE.licence,
      field: '',
      message: `This build has no licence of the treasury of ${context.profile.province}.`,
      fix: 'Its producer registers it with the treasury and fills in build/producer.json; test books work without it.',
      params: { province: context.profile.province },
    }
  yield* textFindings(software.licence, 'software.licence', {
    longest: LONGEST.licence,
    what: 'The licence of the program',
    mayBeEmpty: true,
  })
  yield* textFindings(software.version, 'software.version', {
    longest: LONGEST.version,
    what: 'The version of the program',
  })
  if (certificate === null)
    yield {
      code: 'certificate_missing',
      authorityCode: SERVICE.signer,
      field: '',
      message: 'Each invoice is signed when it is issued, and there is no certificate to sign with.',
      fix: 'Import the certificate. Nothing has been issued, and the draft stays as it is.',
    }
  else yield* certificateFindings(certificate, context)
}

function* certificateFindings(
  certificate: SealingCertificate,
  { attendance, now }: SealingContext,
): Iterable<Finding> {
  const { validFrom, validTo, algorithm, isDevice } = certificate
  const isUnattended = attendance === 'unattended'
  if (now < validFrom || now > validTo)
    yield {
      code: now > validTo ? 'certificate_expired' : 'certificate_not_yet_valid',
      authorityCode: SERVICE.signer,
      field: '',
      message: `The certificate is valid from ${day(validFrom)} to ${day(validTo)}.`,
      fix: 'Import a certificate that is valid today.',
      params: { from: day(validFrom), to: day(validTo) },
    }
  if (algorithm !== 'rsa')
    yield {
      code: 'certificate_not_rsa',
      authorityCode: SERVICE.signer,
      field: '',
      message: 'The treasuries accept signatures with RSA only.',
      fix: 'Import a certificate with an RSA key.',
    }
  if (isDevice && attendance !== 'local')
    yield {
      code: isUnattended ? 'certificate_device_unattended' : 'certificate_device_elsewhere',
      authorityCode: SERVICE.signer,
      field: '',
      message: isUnattended
        ? 'A device certificate may not sign invoices issued without a person, such as recurring ones.'
        : 'A device certificate signs only on the machine of the person who issues.',
      fix: 'Import a certificate of a person or of the company.',
    }
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
