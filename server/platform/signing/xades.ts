/**
 * Signs XML of our own writers: XAdES-EPES, enveloped in the document's root. The document itself does not change: the
 * signature is inserted before the end of its root element. What receivers want differently (the policy, the transforms,
 * the certificates) are arguments. Equal input gives equal text with an RSA key; ECDSA is randomized. Sources: XML
 * Signature (W3C), XAdES 1.3.2 (ETSI TS 101 903), Canonical XML 1.0.
 */
import { createHash, createPublicKey } from 'node:crypto'
import { xmlText } from '../../domain/formats/xml-writer.ts'
import { canonicalSubset, NotCanonicalXml, readCanonical } from './canonical-xml.ts'
import { signWith } from './key.ts'
import type { DigestName, SigningKey } from './key.ts'
import { decimalOf, nameText } from './name.ts'
import { DS, ENVELOPED, INCLUSIVE, WITHOUT_SIGNATURES, XPATH } from './verify-xml.ts'

const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const DIGESTS = { sha1: `${DS}sha1`, sha256: 'http://www.w3.org/2001/04/xmlenc#sha256' } as const
const SHA256 = DIGESTS.sha256

/** The signature policy of a receiver, by its address and the digest of its document. */
export interface SignaturePolicy {
  address: string
  /** Title of the policy; null writes none. */
  title: string | null
  digest: keyof typeof DIGESTS
  /** In base 64. */
  value: string
  /** Repeats the address as the place where the document can be read (SPURI). */
  isQualified: boolean
}

/** What receivers want differently. */
interface XadesForm {
  policy: SignaturePolicy
  /**
   * Transforms of the document before its digest, in their order. All of them give the same bytes here, since the
   * document is canonical and has one signature.
   */
  transforms: readonly ('canonical' | 'enveloped' | 'without_signatures')[]
  /** All certificates up to the root, or only the signer's, with its public key written out (RSA). */
  keyInfo: 'chain' | 'signer_and_key'
  /** Claimed role of the signer; null writes none. */
  role: string | null
  /** Description of the signed document. */
  description: string
  /** Time of the signature as written: ISO 8601 to the second, with Z or an offset. */
  signedAt: string
}

const METHODS: Record<SigningKey['type'], Record<DigestName, string>> = {
  rsa: methods('rsa'),
  ec: methods('ecdsa'),
}

function methods(algorithm: string): Record<DigestName, string> {
  const address = `http://www.w3.org/2001/04/xmldsig-more#${algorithm}-`
  return { sha256: `${address}sha256`, sha384: `${address}sha384`, sha512: `${address}sha512` }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const digestOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64')

/** Identifiers within the signature, derived from the signed content so that they are the same each time. */
interface Ids {
  signature: string
  document: string
  properties: string
  keyInfo: string
}

/** A signed document. */
export interface SignedXml {
  xml: string
  /** The signature's value in base 64, in one line. */
  signatureValue: string
}

/**
 * Returns the signed document. Throws `NotCanonicalXml` when it is not in the form of our writer, or is already
 * signed.
 */
export function signXades(xml: string, key: SigningKey, form: XadesForm): SignedXml {
  const { declaration, root, rootName, namespaces } = readCanonical(xml)
  if (/<(?:\w+:)?Signature[ >]/.test(root)) throw new NotCanonicalXml('There is a signature already.')
  const documentDigest = digestOf(root)
  const ids = idsFor(`${documentDigest} ${form.signedAt} ${base64(key.certificate.der)}`)
  const around = new Map([...namespaces, ['ds', DS], ['xades', XADES]])

  const properties = signedProperties(key, ids, form)
  const keyInfo = writeKeyInfo(key, ids, form.keyInfo)
  const signedInfo = writeSignedInfo(key, ids, form.transforms, {
    document: documentDigest,
    properties: digestOf(canonicalSubset(properties, around)),
    keyInfo: digestOf(canonicalSubset(keyInfo, around)),
  })
  const value = base64(signWith(key, Buffer.from(canonicalSubset(signedInfo, around)), 'ieee-p1363'))
  const signature =
    `<ds:Signature xmlns:ds="${DS}" xmlns:xades="${XADES}" Id="${ids.signature}">${signedInfo}` +
    `<ds:SignatureValue Id="${ids.signature}-value">${value}</ds:SignatureValue>${keyInfo}` +
    `<ds:Object><xades:QualifyingProperties Target="#${ids.signature}">${properties}` +
    '</xades:QualifyingProperties></ds:Object></ds:Signature>'
  const end = declaration.length + root.length - `</${rootName}>`.length
  return { xml: `${xml.slice(0, end)}${signature}${xml.slice(end)}`, signatureValue: value }
}

function idsFor(content: string): Ids {
  const signature = `Signature-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
  return {
    signature,
    document: `${signature}-document`,
    properties: `${signature}-properties`,
    keyInfo: `${signature}-key`,
  }
}

const digestElements = (algorithm: string, value: string): string =>
  `<ds:DigestMethod Algorithm="${algorithm}"></ds:DigestMethod><ds:DigestValue>${value}</ds:DigestValue>`

const TRANSFORMS: Record<XadesForm['transforms'][number], string> = {
  canonical: `<ds:Transform Algorithm="${INCLUSIVE}"></ds:Transform>`,
  enveloped: `<ds:Transform Algorithm="${ENVELOPED}"></ds:Transform>`,
  without_signatures: `<ds:Transform Algorithm="${XPATH}"><ds:XPath>${WITHOUT_SIGNATURES}</ds:XPath></ds:Transform>`,
}

function writeSignedInfo(
  { type, digest }: SigningKey,
  ids: Ids,
  transforms: XadesForm['transforms'],
  digests: { document: string; properties: string; keyInfo: string },
): string {
  return (
    `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${INCLUSIVE}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${METHODS[type][digest]}"></ds:SignatureMethod>` +
    `<ds:Reference Id="${ids.document}" URI=""><ds:Transforms>` +
    `${transforms.map((name) => TRANSFORMS[name]).join('')}</ds:Transforms>` +
    `${digestElements(SHA256, digests.document)}</ds:Reference>` +
    `<ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#${ids.properties}">` +
    `${digestElements(SHA256, digests.properties)}</ds:Reference>` +
    `<ds:Reference URI="#${ids.keyInfo}">${digestElements(SHA256, digests.keyInfo)}</ds:Reference>` +
    '</ds:SignedInfo>'
  )
}

/** Writes the certificates: some receivers reject a chain with a part missing, others expect the signer's alone. */
function writeKeyInfo(key: SigningKey, ids: Ids, form: XadesForm['keyInfo']): string {
  const { certificate, authorities, root } = key
  const certificates =
    form === 'chain' ? [certificate.der, ...authorities, ...(root ? [root] : [])] : [certificate.der]
  const written = certificates.map((one) => `<ds:X509Certificate>${base64(one)}</ds:X509Certificate>`)
  const value = form === 'signer_and_key' ? keyValue(key) : ''
  return `<ds:KeyInfo Id="${ids.keyInfo}"><ds:X509Data>${written.join('')}</ds:X509Data>${value}</ds:KeyInfo>`
}

/** Writes the public key of an RSA certificate; nothing for a curve, whose form XAdES 1.3.2 does not describe. */
function keyValue({ key, type }: SigningKey): string {
  if (type !== 'rsa') return ''
  // The private key is asked for its two public numbers only.
  const { n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' })
  const number = (text: string): string => Buffer.from(text, 'base64url').toString('base64')
  return `<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>${number(n)}</ds:Modulus><ds:Exponent>${number(e)}</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>`
}

/**
 * Writes the signed properties. SigningCertificate, not SigningCertificateV2: the policies predate the second form, and
 * some receivers accept only the first.
 */
function signedProperties({ certificate }: SigningKey, ids: Ids, form: XadesForm): string {
  const { der, issuer, serial } = certificate
  const { policy, role } = form
  const title = policy.title === null ? '' : `<xades:Description>${policy.title}</xades:Description>`
  const qualifiers = policy.isQualified
    ? `<xades:SigPolicyQualifiers><xades:SigPolicyQualifier><xades:SPURI>${policy.address}</xades:SPURI></xades:SigPolicyQualifier></xades:SigPolicyQualifiers>`
    : ''
  const signerRole =
    role === null
      ? ''
      : `<xades:SignerRole><xades:ClaimedRoles><xades:ClaimedRole>${role}</xades:ClaimedRole></xades:ClaimedRoles></xades:SignerRole>`
  return (
    `<xades:SignedProperties Id="${ids.properties}"><xades:SignedSignatureProperties>` +
    `<xades:SigningTime>${form.signedAt}</xades:SigningTime>` +
    `<xades:SigningCertificate><xades:Cert><xades:CertDigest>${digestElements(SHA256, digestOf(der))}</xades:CertDigest>` +
    `<xades:IssuerSerial><ds:X509IssuerName>${xmlText(nameText(issuer))}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${decimalOf(serial)}</ds:X509SerialNumber></xades:IssuerSerial>` +
    '</xades:Cert></xades:SigningCertificate>' +
    '<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId>' +
    `<xades:Identifier>${policy.address}</xades:Identifier>${title}</xades:SigPolicyId>` +
    `<xades:SigPolicyHash>${digestElements(DIGESTS[policy.digest], policy.value)}</xades:SigPolicyHash>` +
    `${qualifiers}</xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>${signerRole}` +
    '</xades:SignedSignatureProperties><xades:SignedDataObjectProperties>' +
    `<xades:DataObjectFormat ObjectReference="#${ids.document}">` +
    `<xades:Description>${form.description}</xades:Description>` +
    // Z39.50's number for XML, as the tools of the treasuries write it.
    '<xades:ObjectIdentifier><xades:Identifier Qualifier="OIDAsURN">urn:oid:1.2.840.10003.5.109.10</xades:Identifier></xades:ObjectIdentifier>' +
    '<xades:MimeType>text/xml</xades:MimeType></xades:DataObjectFormat>' +
    '</xades:SignedDataObjectProperties></xades:SignedProperties>'
  )
}
