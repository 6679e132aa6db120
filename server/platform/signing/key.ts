/**
 * A key ready for signing, and its certificates. The signer holds it in memory; it is never stored, logged or
 * returned.
 */
import { createPrivateKey, sign, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { contextTag, itemsOf, onlyDer } from './der.ts'

export type DigestName = 'sha256' | 'sha384' | 'sha512'

export interface SigningKey {
  type: 'rsa' | 'ec'
  /** SHA-256 for RSA; for a curve the digest of its size (ETSI TS 119 312). */
  digest: DigestName
  /** Bytes of the longest signature. */
  signatureBytes: number
  /** Bytes of each of the two numbers of ECDSA; 0 for RSA. */
  numberBytes: number
  certificate: SigningCertificate
  /** Certificates above the signer's, its issuer first, in DER; without the root. */
  authorities: Buffer[]
  /** The root certificate: a receiver without it does not trust it, but some receivers require it to be present. */
  root: Buffer | null
  key: KeyObject
}

export interface SigningCertificate {
  der: Buffer
  /** The issuer's name in DER. */
  issuer: Buffer
  /** The serial number in DER. */
  serial: Buffer
}

/** The key cannot make verifiable signatures: it is of a wrong kind, or does not match the certificate. */
export class UnusableKey extends Error {
  override name = 'UnusableKey'
}

/** Curves by OpenSSL's names: the digest of each, and the bytes of its numbers. */
const CURVES: Record<string, { digest: DigestName; numberBytes: number }> = {
  prime256v1: { digest: 'sha256', numberBytes: 32 },
  secp384r1: { digest: 'sha384', numberBytes: 48 },
  secp521r1: { digest: 'sha512', numberBytes: 66 },
}

const MIN_RSA_BITS = 2048

/**
 * Opens a key in PKCS#8 and the certificates, the holder's first, each followed by its issuer's, all in PEM. Throws
 * `UnusableKey`; does not check the validity dates of the certificate.
 */
export function openSigningKey({ keyPem, chainPem }: { keyPem: string; chainPem: string }): SigningKey {
  const { key, chain } = readPems(keyPem, chainPem)
  const [leaf, ...above] = chain
  if (!leaf) throw new UnusableKey('There is no certificate.')
  if (!leaf.checkPrivateKey(key)) throw new UnusableKey('The key is not that of the certificate.')
  return {
    ...kindOf(key),
    certificate: readSigningCertificate(leaf.raw),
    authorities: above.filter((one) => !isRoot(one)).map((one) => one.raw),
    root: above.find(isRoot)?.raw ?? null,
    key,
  }
}

function readPems(keyPem: string, chainPem: string): { key: KeyObject; chain: X509Certificate[] } {
  const pems = chainPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return { key: createPrivateKey(keyPem), chain: pems.map((pem) => new X509Certificate(pem)) }
  } catch {
    // Without the cause, which might contain a part of the key.
    throw new UnusableKey('The key or a certificate cannot be read.')
  }
}

const isRoot = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate)

function kindOf(key: KeyObject): Pick<SigningKey, 'type' | 'digest' | 'signatureBytes' | 'numberBytes'> {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') {
    if (modulusLength < MIN_RSA_BITS) throw new UnusableKey(`RSA with ${modulusLength} bits is too weak.`)
    return { type: 'rsa', digest: 'sha256', signatureBytes: Math.ceil(modulusLength / 8), numberBytes: 0 }
  }
  const curve = Object.hasOwn(CURVES, namedCurve) ? CURVES[namedCurve] : undefined
  if (key.asymmetricKeyType !== 'ec' || !curve)
    throw new UnusableKey(`${key.asymmetricKeyType} ${namedCurve} is no key for signatures.`)
  // Two numbers, each with its header and a zero before a high first bit, and the header of the sequence.
  return { type: 'ec', ...curve, signatureBytes: 2 * (curve.numberBytes + 3) + 3 }
}

/** Returns the parts of a certificate by which signatures name it (RFC 5280, section 4.1). Throws `NotDer`. */
export function readSigningCertificate(certificate: Buffer): SigningCertificate {
  const [body] = itemsOf(onlyDer(certificate))
  const parts = body ? itemsOf(body) : []
  if (parts[0]?.tag === contextTag(0)) parts.shift()
  const [serial, , issuer] = parts
  if (!serial || !issuer) throw new UnusableKey('The certificate has no issuer.')
  return { der: certificate, issuer: issuer.whole, serial: serial.whole }
}

/** Signs bytes: PKCS#1 v1.5, or ECDSA as two numbers in DER or, for XML, concatenated. */
export function signWith(
  { key, digest }: SigningKey,
  bytes: Uint8Array,
  dsaEncoding: 'der' | 'ieee-p1363' = 'der',
): Buffer {
  return sign(digest, bytes, { key, dsaEncoding })
}
