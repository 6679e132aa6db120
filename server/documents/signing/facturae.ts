/**
 * Signs a Facturae invoice: XAdES-EPES inside the invoice, as the format's signature policy 3.1 requires and FACe
 * checks. The invoice itself does not change: the signature is inserted before the end of its root element. Equal
 * input gives equal text with an RSA key; ECDSA is randomized. Sources: XML Signature (W3C), XAdES 1.3.2 (ETSI TS 101
 * 903), Canonical XML 1.0.
 */
import { createHash } from 'node:crypto'
import { xmlText } from '../../domain/formats/xml-writer.ts'
import { canonicalSubset, NotCanonicalXml, readCanonical } from './canonical-xml.ts'
import { signWith } from './key.ts'
import type { DigestName, SigningKey } from './key.ts'
import { decimalOf, nameText } from './name.ts'

interface FacturaeSigning {
  /** Written to the second, in UTC; the caller checks that the certificate is valid then. */
  signedAt: Date
}

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

/** The policy by its address and the SHA-1 of its document: the policy itself requires this form. */
const POLICY = {
  address:
    'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  name: 'Política de Firma FacturaE v3.1',
  sha1: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
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

/**
 * Returns the signed invoice. Throws `NotCanonicalXml` when it is not in the form of our writer, or is already
 * signed.
 */
export function signFacturae(xml: string, key: SigningKey, { signedAt }: FacturaeSigning): string {
  const { declaration, root, rootName, namespaces } = readCanonical(xml)
  if (/<(?:\w+:)?Signature[ >]/.test(root)) throw new NotCanonicalXml('There is a signature already.')
  const time = `${signedAt.toISOString().slice(0, 19)}Z`
  const documentDigest = digestOf(root)
  const ids = idsFor(`${documentDigest} ${time} ${base64(key.certificate.der)}`)
  const around = new Map([...namespaces, ['ds', DS], ['xades', XADES]])

  const properties = signedProperties(key, ids, time)
  const keyInfo = writeKeyInfo(key, ids)
  const signedInfo = writeSignedInfo(key, ids, {
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
  return `${xml.slice(0, end)}${signature}${xml.slice(end)}`
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

function writeSignedInfo(
  { type, digest }: SigningKey,
  ids: Ids,
  digests: { document: string; properties: string; keyInfo: string },
): string {
  return (
    `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${C14N}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${METHODS[type][digest]}"></ds:SignatureMethod>` +
    `<ds:Reference Id="${ids.document}" URI=""><ds:Transforms>` +
    `<ds:Transform Algorithm="${DS}enveloped-signature"></ds:Transform></ds:Transforms>` +
    `${digestElements(SHA256, digests.document)}</ds:Reference>` +
    `<ds:Reference Type="http://uri.etsi.org/01903#SignedProperties" URI="#${ids.properties}">` +
    `${digestElements(SHA256, digests.properties)}</ds:Reference>` +
    `<ds:Reference URI="#${ids.keyInfo}">${digestElements(SHA256, digests.keyInfo)}</ds:Reference>` +
    '</ds:SignedInfo>'
  )
}

/** Writes all certificates up to the root: some receivers reject a chain with a part missing. */
function writeKeyInfo({ certificate, authorities, root }: SigningKey, ids: Ids): string {
  const certificates = [certificate.der, ...authorities, ...(root ? [root] : [])]
  const written = certificates.map((one) => `<ds:X509Certificate>${base64(one)}</ds:X509Certificate>`)
  return `<ds:KeyInfo Id="${ids.keyInfo}"><ds:X509Data>${written.join('')}</ds:X509Data></ds:KeyInfo>`
}

/**
 * Writes the signed properties. SigningCertificate, not SigningCertificateV2: the policy predates the second form,
 * FACe accepts both, and some regional receivers only the first.
 */
function signedProperties({ certificate }: SigningKey, ids: Ids, time: string): string {
  const { der, issuer, serial } = certificate
  return (
    `<xades:SignedProperties Id="${ids.properties}"><xades:SignedSignatureProperties>` +
    `<xades:SigningTime>${time}</xades:SigningTime>` +
    `<xades:SigningCertificate><xades:Cert><xades:CertDigest>${digestElements(SHA256, digestOf(der))}</xades:CertDigest>` +
    `<xades:IssuerSerial><ds:X509IssuerName>${xmlText(nameText(issuer))}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${decimalOf(serial)}</ds:X509SerialNumber></xades:IssuerSerial>` +
    '</xades:Cert></xades:SigningCertificate>' +
    '<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId>' +
    `<xades:Identifier>${POLICY.address}</xades:Identifier>` +
    `<xades:Description>${POLICY.name}</xades:Description></xades:SigPolicyId>` +
    `<xades:SigPolicyHash>${digestElements(`${DS}sha1`, POLICY.sha1)}</xades:SigPolicyHash>` +
    '</xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>' +
    '<xades:SignerRole><xades:ClaimedRoles><xades:ClaimedRole>emisor</xades:ClaimedRole></xades:ClaimedRoles></xades:SignerRole>' +
    '</xades:SignedSignatureProperties><xades:SignedDataObjectProperties>' +
    `<xades:DataObjectFormat ObjectReference="#${ids.document}">` +
    '<xades:Description>Factura electrónica</xades:Description>' +
    // Z39.50's number for XML, as in the output of Facturae's own tools.
    '<xades:ObjectIdentifier><xades:Identifier Qualifier="OIDAsURN">urn:oid:1.2.840.10003.5.109.10</xades:Identifier></xades:ObjectIdentifier>' +
    '<xades:MimeType>text/xml</xades:MimeType></xades:DataObjectFormat>' +
    '</xades:SignedDataObjectProperties></xades:SignedProperties>'
  )
}
