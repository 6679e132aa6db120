/**
 * Verifies signed files of TicketBAI as a receiver does: every digest, the signature, the certificate that it names, and the
 * policy. Written apart from the signer. Whether the certificate is trustworthy, and of whom it speaks, are the caller's
 * questions.
 */
import { createHash } from 'node:crypto'
import type { X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  attributeOf,
  BrokenXmlSignature,
  certificateIn,
  DS,
  elementsOf,
  onlyElement,
  readTree,
  textIn,
  UnreadableTree,
  verifyXmlSignature,
  within,
} from '../../../platform/signing/index.ts'
import type { TreeElement } from '../../../platform/signing/index.ts'
import { printedNumber } from './content.ts'
import type { CancellationContent, InvoiceContent, TicketBaiLink } from './content.ts'
import { isKnownPolicy } from './profiles.ts'
import { contentOfTree, UnreadableTicketBai } from './read.ts'

const XADES = 'http://uri.etsi.org/01903/v1.3.2#'

const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

interface Signed {
  certificate: X509Certificate
  /** As the signer claims. */
  signedAt: Date
  /** In base 64, in one line. */
  signatureValue: string
  policy: { address: string; sha256: string }
}

/** A file whose signature holds, with its content. */
type VerifiedTicketBai = Signed &
  ({ kind: 'issue'; invoice: InvoiceContent } | { kind: 'cancellation'; cancellation: CancellationContent })

const broken = (fault: BrokenXmlSignature['fault'], message: string): never => {
  throw new BrokenXmlSignature(fault, message)
}

function find(element: TreeElement | null, ...path: string[]): TreeElement | null {
  let at = element
  for (const name of path) at = at && onlyElement(at, name)
  return at
}

const oneLine = (element: TreeElement | null): string => textIn(element).replace(/\s+/g, '')

/** The specification asks for SHA-256 or better, also where others than the file are digested. */
function digestMethodOf(element: TreeElement | null): string {
  const method = element && onlyElement(element, 'DigestMethod', DS)
  return (
    HASHES[(method && attributeOf(method, 'Algorithm')) ?? ''] ??
    broken('not_covered', 'A digest is weaker than SHA-256.')
  )
}

const STRONG_METHODS = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#rsa-sha(?:256|384|512)$/
const WEAK_RSA_BITS = 1024

function checkKey({ publicKey }: X509Certificate): void {
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (publicKey.asymmetricKeyType !== 'rsa' || bits <= WEAK_RSA_BITS)
    broken('not_covered', `The key is not RSA of more than ${WEAK_RSA_BITS} bits.`)
}

function checkCertificate(signed: TreeElement, certificate: X509Certificate): void {
  const digest =
    find(signed, 'SigningCertificate', 'Cert', 'CertDigest') ??
    find(signed, 'SigningCertificateV2', 'Cert', 'CertDigest')
  const hash = digestMethodOf(digest)
  const computed = createHash(hash).update(certificate.raw).digest('base64')
  if (computed !== oneLine(find(digest, 'DigestValue')))
    broken('not_covered', 'The signature does not name its certificate.')
}

function policyOf(signed: TreeElement): Signed['policy'] {
  const policy = find(signed, 'SignaturePolicyIdentifier', 'SignaturePolicyId')
  const address = oneLine(find(policy, 'SigPolicyId', 'Identifier'))
  const digest = find(policy, 'SigPolicyHash')
  const value = oneLine(find(digest, 'DigestValue'))
  if (digestMethodOf(digest) !== 'sha256' || !isKnownPolicy(address, value))
    broken('not_covered', 'The signature names no policy of TicketBAI.')
  return { address, sha256: value }
}

function signatureOf(root: TreeElement): TreeElement {
  const [signature] = elementsOf(root, 'Signature', DS)
  if (!signature) return broken('unsigned', 'The file is not signed.')
  // The transforms leave out every signature: what a second one contained would not be signed.
  for (const element of within(root))
    if (element !== signature && element.local === 'Signature' && element.uri === DS)
      broken('unreadable', 'The file has two signatures.')
  return signature
}

/** Returns a signed file's content and who signed it. Throws `BrokenXmlSignature` or `UnreadableTicketBai`. */
export function verifyTicketBai(xml: string): VerifiedTicketBai {
  let root: TreeElement
  try {
    root = readTree(xml)
  } catch (error) {
    if (error instanceof UnreadableTree) return broken('unreadable', error.message)
    throw error
  }
  const signature = signatureOf(root)
  const data = find(signature, 'KeyInfo', 'X509Data')
  // Certificates of its issuers may follow the signer's.
  const certificate = certificateIn(data && elementsOf(data, 'X509Certificate', DS)[0])
  checkKey(certificate)
  const signedInfo = onlyElement(signature, 'SignedInfo', DS)
  const method = find(signedInfo, 'SignatureMethod')
  if (!STRONG_METHODS.test((method && attributeOf(method, 'Algorithm')) ?? ''))
    return broken('not_covered', 'The signature is not RSA with SHA-256 or better.')
  for (const reference of signedInfo ? elementsOf(signedInfo, 'Reference', DS) : []) digestMethodOf(reference)
  const proven = verifyXmlSignature(signature, certificate, root)
  if (!proven.some(({ element }) => element === root))
    return broken('not_covered', 'The file itself is not signed.')
  const properties = proven.find(
    ({ element }) => element.local === 'SignedProperties' && element.uri === XADES,
  )
  const signed = properties && onlyElement(properties.element, 'SignedSignatureProperties', XADES)
  if (!signed) return broken('not_covered', 'The signed properties are not signed.')
  checkCertificate(signed, certificate)
  const policy = policyOf(signed)
  const time = Date.parse(textIn(find(signed, 'SigningTime')).trim())
  if (Number.isNaN(time)) return broken('not_covered', 'The signature has no time.')
  const signatureValue = oneLine(find(signature, 'SignatureValue'))
  // Its text goes into the identifier and the chain, so that there is one way to write it.
  if (Buffer.from(signatureValue, 'base64').toString('base64') !== signatureValue)
    return broken('unreadable', 'The value of the signature is not in base 64.')
  const content = contentOfTree(root)
  if (content.kind !== 'issue' && content.kind !== 'cancellation')
    throw new UnreadableTicketBai(`${root.local} is no signed file.`)
  return {
    ...content,
    certificate,
    signedAt: new Date(time),
    signatureValue,
    policy,
  }
}

/**
 * Returns the fields in which a proven file differs from the content that the stored facts of its invoice give now; none
 * when both say the same.
 */
export function differingFields(expected: InvoiceContent, found: InvoiceContent): (keyof InvoiceContent)[] {
  const fields = Object.keys(expected) as (keyof InvoiceContent)[]
  return fields.filter((field) => !isDeepStrictEqual(expected[field], found[field]))
}

type ChainFault =
  /** The invoice claims to be the first, but another precedes it. */
  | 'unexpected_first'
  /** The invoice names a previous one, but it should be the first. */
  | 'first_expected'
  /** The invoice names another previous one than the one before it. */
  | 'previous_mismatch'

/** Returns how an invoice fails to follow `previous` (null: it is the first of its chain); null when it does. */
export function chainFaultOf(invoice: InvoiceContent, previous: TicketBaiLink | null): ChainFault | null {
  const named = invoice.footprint.previous
  if (previous === null) return named === null ? null : 'first_expected'
  if (named === null) return 'unexpected_first'
  return printedNumber(named) === printedNumber(previous) &&
    named.issueDate === previous.issueDate &&
    named.signature === previous.signature
    ? null
    : 'previous_mismatch'
}
