/** Extracts from a file what is stored: the key, its certificate with the chain above it, and their facts. */
import { createPrivateKey, sign, verify, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { FileFault } from './fault.ts'
import { readPkcs12 } from './pkcs12.ts'
import { readCertificate } from './x509.ts'
import type { CertificateDetails } from './x509.ts'

/**
 * A certificate file, as far as it can be checked without knowing its company. Plain data, because it crosses
 * processes.
 */
export interface OpenedCertificate {
  /** PKCS#8, DER. */
  key: Uint8Array
  /** PEM, the holder's certificate first, each followed by its issuer's. */
  chainPem: string
  details: CertificateDetails
  keyType: 'rsa' | 'ec'
  /** Hexadecimal, without separators. */
  serial: string
  /** SHA-256 of the certificate. */
  fingerprint: Uint8Array
  /** Instants in milliseconds; the last second is included. */
  validFrom: number
  validTo: number
}

/** Curves of qualified certificates that both TLS and PDF signatures support. */
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1']
const MIN_RSA_BITS = 2048
/** Longer chains do not exist; a file could still contain a cycle. */
const MAX_CHAIN = 8

interface Candidate {
  key: KeyObject
  certificate: X509Certificate
  details: CertificateDetails
}

function readKey(der: Buffer): KeyObject | null {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

function parseCertificate(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der)
  } catch {
    return null
  }
}

function belongs(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(key)
  } catch {
    return false
  }
}

/** Returns the rank of a candidate; higher is better: valid today, able to sign, not a certification authority's. */
function rank({ certificate, details }: Candidate, now: Date): number {
  const isValid = certificate.validFromDate <= now && now <= certificate.validToDate
  return (isValid ? 4 : 0) + (details.signsDigitally === false ? 0 : 2) + (details.isAuthority ? 0 : 1)
}

/** Returns the certificate of the key; of several the best one, then the one that expires last. */
function choose(keys: readonly KeyObject[], certificates: readonly X509Certificate[], now: Date): Candidate {
  const found = keys.flatMap((key) =>
    certificates
      .filter((certificate) => belongs(certificate, key))
      .map((certificate) => ({ key, certificate, details: readCertificate(certificate.raw) })),
  )
  const [best] = found.sort(
    (a, b) =>
      rank(b, now) - rank(a, now) ||
      b.certificate.validToDate.getTime() - a.certificate.validToDate.getTime(),
  )
  if (!best) throw new FileFault('key_of_another_certificate')
  return best
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

/** Returns the certificate and those above it, as far as the file contains them. */
function chainOf(leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf]
  const left = certificates.filter((one) => one.fingerprint256 !== leaf.fingerprint256)
  for (let last = leaf; chain.length < MAX_CHAIN;) {
    const at = left.findIndex((one) => isIssuedBy(last, one))
    const [issuer] = at < 0 ? [] : left.splice(at, 1)
    if (!issuer) break
    chain.push(issuer)
    last = issuer
  }
  return chain
}

function checkedKeyType(key: KeyObject): 'rsa' | 'ec' {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength < MIN_RSA_BITS) throw new FileFault('key_too_short')
      return 'rsa'
    case 'ec':
      if (!CURVES.includes(namedCurve)) throw new FileFault('unknown_curve')
      return 'ec'
    default:
      throw new FileFault('unknown_key_type')
  }
}

/** Checks that key and certificate belong together: a mismatch would otherwise show only at the authority. */
function proveKey(key: KeyObject, certificate: X509Certificate): void {
  const text = Buffer.from('Sello')
  try {
    if (verify('sha256', text, certificate.publicKey, sign('sha256', text, key))) return
  } catch {
    // Reported below.
  }
  throw new FileFault('key_does_not_work')
}

/** Opens a .p12 or .pfx file. Throws `PasswordFault` or `FileFault`. */
export function openFile(file: Buffer, password: string, now: Date): OpenedCertificate {
  const contents = readPkcs12(file, password)
  const keys = contents.keys.map(readKey).filter((key) => key !== null)
  const certificates = contents.certificates.map(parseCertificate).filter((one) => one !== null)
  if (contents.keys.length === 0) throw new FileFault('no_key')
  if (keys.length === 0) throw new FileFault('unknown_key_type')
  if (certificates.length === 0) throw new FileFault('no_certificate')
  try {
    const { key, certificate, details } = choose(keys, certificates, now)
    const keyType = checkedKeyType(key)
    proveKey(key, certificate)
    return {
      key: new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })),
      chainPem: chainOf(certificate, certificates)
        .map((one) => one.toString())
        .join(''),
      details,
      keyType,
      serial: certificate.serialNumber,
      fingerprint: new Uint8Array(Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex')),
      validFrom: certificate.validFromDate.getTime(),
      validTo: certificate.validToDate.getTime(),
    }
  } finally {
    for (const der of contents.keys) der.fill(0)
  }
}
