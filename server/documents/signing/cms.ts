/**
 * Builds the signature inside a PDF: a CMS SignedData over detached bytes (RFC 5652), with the CAdES attributes at
 * level B that PAdES requires (ETSI EN 319 122-1, EN 319 142-1), without a signing time, which is in the PDF.
 */
import { createHash } from 'node:crypto'
import {
  contextTag,
  der,
  oid,
  sequence,
  setOf,
  signWith,
  smallInteger,
  TAG,
} from '../../platform/signing/index.ts'
import type { DigestName, SigningCertificate, SigningKey } from '../../platform/signing/index.ts'

const DIGESTS: Record<DigestName, string> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
}
/** ecdsa-with-SHA256, -SHA384 and -SHA512 (RFC 5758). */
const ECDSA: Record<DigestName, string> = {
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
}
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
const DATA = '1.2.840.113549.1.7.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'

const VERSION_1 = smallInteger(1)
const DATA_OID = oid(DATA)
const CONTENT_TYPE_ATTRIBUTE = attribute(CONTENT_TYPE, DATA_OID)
/** The choice directoryName of GeneralName. */
const DIRECTORY_NAME = contextTag(4)

function attribute(type: string, value: Uint8Array): Buffer {
  return sequence(oid(type), setOf(value))
}

/** Returns the identifier of a digest algorithm, without parameters (RFC 5754). */
export const digestAlgorithm = (digest: DigestName): Buffer => sequence(oid(DIGESTS[digest]))

const signatureAlgorithm = (type: SigningKey['type'], digest: DigestName): Buffer =>
  type === 'rsa' ? sequence(oid(RSA_ENCRYPTION), der(TAG.null)) : sequence(oid(ECDSA[digest]))

/**
 * Returns the attribute that names the signing certificate (RFC 5035): its SHA-256, issuer and serial number. It is
 * signed, so that no other certificate of the same key can replace it.
 */
function signingCertificateAttribute({ der: certificate, issuer, serial }: SigningCertificate): Buffer {
  const hash = der(TAG.octets, createHash('sha256').update(certificate).digest())
  const issuerSerial = sequence(sequence(der(DIRECTORY_NAME, issuer)), serial)
  return attribute(SIGNING_CERTIFICATE_V2, sequence(sequence(sequence(hash, issuerSerial))))
}

/** Returns the signed attributes, a SET OF. `contentDigest` is the digest of the signed bytes. */
export function signedAttributes(certificate: SigningCertificate, contentDigest: Uint8Array): Buffer {
  return setOf(
    CONTENT_TYPE_ATTRIBUTE,
    attribute(MESSAGE_DIGEST, der(TAG.octets, contentDigest)),
    signingCertificateAttribute(certificate),
  )
}

interface SignedParts {
  type: SigningKey['type']
  digest: DigestName
  certificate: SigningCertificate
  authorities: readonly Uint8Array[]
  attributes: Buffer
  signature: Uint8Array
}

/** Returns the whole structure around an existing signature. */
export function signedData(parts: SignedParts): Buffer {
  const { certificate, attributes } = parts
  const algorithm = digestAlgorithm(parts.digest)
  const signer = sequence(
    VERSION_1,
    sequence(certificate.issuer, certificate.serial),
    algorithm,
    inPlaceOfTag(0, attributes),
    signatureAlgorithm(parts.type, parts.digest),
    der(TAG.octets, parts.signature),
  )
  const body = sequence(
    VERSION_1,
    setOf(algorithm),
    sequence(DATA_OID),
    inPlaceOfTag(0, setOf(certificate.der, ...parts.authorities)),
    setOf(signer),
  )
  return sequence(oid(SIGNED_DATA), der(contextTag(0), body))
}

/** Replaces the tag of a set with `[number] IMPLICIT`. */
function inPlaceOfTag(number: number, set: Buffer): Buffer {
  const tagged = Buffer.from(set)
  tagged[0] = contextTag(number)
  return tagged
}

/** Signs bytes by their digest, which must be of the key's own algorithm. */
export function signContent(key: SigningKey, contentDigest: Uint8Array): Buffer {
  const attributes = signedAttributes(key.certificate, contentDigest)
  return signedData({ ...key, attributes, signature: signWith(key, attributes) })
}

/** Returns the length in bytes of the longest structure that `signContent` makes with this key. */
export function longestSignature(key: SigningKey): number {
  const digestBytes = createHash(key.digest).digest().length
  const attributes = signedAttributes(key.certificate, new Uint8Array(digestBytes))
  return signedData({ ...key, attributes, signature: new Uint8Array(key.signatureBytes) }).length
}
