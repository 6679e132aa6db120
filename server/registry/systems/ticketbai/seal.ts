/**
 * Signs TicketBAI's files: XAdES-EPES under the policy of the province, in the form of the official samples. The signed
 * text is final: it is stored, sent and repeated byte by byte.
 */
import { X509Certificate } from 'node:crypto'
import { businessDateOf, madridInstant } from '../../../domain/dates.ts'
import { signXades } from '../../../platform/signing/index.ts'
import type { SignedXml, SigningKey } from '../../../platform/signing/index.ts'
import type { CancellationContent, InvoiceContent, TicketBaiLink } from './content.ts'
import { LONGEST } from './lists.ts'
import { signingPolicy } from './profiles.ts'
import type { ProvinceProfile } from './profiles.ts'
import type { SealingCertificate } from './rules/fault.ts'
import { writeTicketBai } from './write.ts'

interface Sealing {
  profile: ProvinceProfile
  key: SigningKey
  signedAt: Date
}

/** A signed file, with the value of its signature in base 64. */
type SealedTicketBai = SignedXml

function seal(xml: string, { profile, key, signedAt }: Sealing): SealedTicketBai {
  const { address, sha256 } = signingPolicy(profile, businessDateOf(signedAt))
  return signXades(xml, key, {
    policy: { address, title: null, digest: 'sha256', value: sha256, isQualified: true },
    // The three of the official samples, with the canonical form last: where it comes first, as there, the standard's
    // enveloped transform has no document left to work on, and xmlsec refuses the file.
    transforms: ['enveloped', 'without_signatures', 'canonical'],
    keyInfo: 'signer_and_key',
    role: null,
    description: 'TicketBAI',
    signedAt: madridInstant(signedAt),
  })
}

/** Returns the signed file of an invoice. Equal input gives equal text with an RSA key. */
export function sealInvoice(invoice: InvoiceContent, sealing: Sealing): SealedTicketBai {
  return seal(writeTicketBai({ kind: 'issue', invoice }), sealing)
}

/** Returns the signed file of a cancellation. It is no link of the chain. */
export function sealCancellation(cancellation: CancellationContent, sealing: Sealing): SealedTicketBai {
  return seal(writeTicketBai({ kind: 'cancellation', cancellation }), sealing)
}

/**
 * Returns what the rules ask about a key. Whether its certificate is one of a device does not follow from it: the
 * caller knows how it was obtained.
 */
export function sealingCertificate({ type, certificate }: SigningKey, isDevice: boolean): SealingCertificate {
  const { validFromDate, validToDate } = new X509Certificate(certificate.der)
  return { isDevice, algorithm: type, validFrom: validFromDate, validTo: validToDate }
}

/** Returns what the next invoice says of this one. */
export function linkOfInvoice({ key }: Pick<InvoiceContent, 'key'>, signatureValue: string): TicketBaiLink {
  return { ...key, signature: signatureValue.slice(0, LONGEST.signaturePart) }
}
