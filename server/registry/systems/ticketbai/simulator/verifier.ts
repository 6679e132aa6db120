/** The verifier of signed files for the simulated services, and the identifier that they answer with. */
import { X509Certificate } from 'node:crypto'
import { BrokenXmlSignature } from '../../../../platform/signing/index.ts'
import { ticketBaiIdentifier } from '../identifier.ts'
import { UnreadableTicketBai } from '../read.ts'
import { verifyTicketBai } from '../verify.ts'
import type { VerifySignature } from './rules.ts'
import type { XmlServiceOptions } from './xml-service.ts'

const CERTIFICATE = /<(?:\w+:)?X509Certificate>([A-Za-z0-9+/=\s]+)</

/** Verifies the signature; of a file whose signature does not hold, it still names the certificate, if one can be read. */
export const verifyFile: VerifySignature = (xml) => {
  try {
    return { fault: null, certificate: verifyTicketBai(xml).certificate }
  } catch (error) {
    if (error instanceof BrokenXmlSignature || error instanceof UnreadableTicketBai)
      return { fault: error.message, certificate: certificateIn(xml) }
    throw error
  }
}

function certificateIn(xml: string): X509Certificate | null {
  const [, base64 = ''] = CERTIFICATE.exec(xml) ?? []
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return null
  }
}

/** Returns the identifier of an invoice. */
export const fileIdentifier: NonNullable<XmlServiceOptions['identifierOf']> = ({
  nif,
  issueDate,
  signature,
}) => ticketBaiIdentifier(nif, issueDate.split('-').reverse().join('-'), signature)
