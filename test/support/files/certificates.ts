/**
 * Creates certificates and .p12 files like those of the Spanish issuers, without external programs. Keys are created
 * once per type and shared, unless a new one is requested.
 */
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import {
  ATTRIBUTE,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  nameOf,
  QC_SEAL,
  QC_SIGNATURE,
  qcStatements,
  signedCertificate,
  subjectAltName,
} from '../../../server/platform/simulated-authority/certificates/x509.ts'
import type {
  Attributes,
  CertificateParts,
  TextForm,
} from '../../../server/platform/simulated-authority/certificates/x509.ts'
import { certificateBag, DEFAULT_P12, keyBag, packP12 } from './p12.ts'
import type { P12Wish } from './p12.ts'

export type KeyType = 'rsa' | 'rsa4096' | 'ec' | 'ec384' | 'ec521' | 'rsa1024' | 'secp256k1' | 'ed25519'
type CertificateKind = 'person' | 'representative' | 'seal'

export interface CertificateWish extends P12Wish {
  kind: CertificateKind
  /** Number and name of the person; unused for a seal. */
  nif: string
  name: string
  /** The entity; unused for a person. */
  organization: string
  organizationNif: string
  keyType: KeyType
  from: Date | string
  to: Date | string
  /** Organisation of the issuer. */
  issuer: string
  /** An intermediate authority between the root and the certificate. */
  intermediate: boolean
  /** True if the file includes the authorities above the certificate. */
  withChain: boolean
  nameForm: TextForm
  /** Bits of key usage: 0 digital signature, 1 non-repudiation, 2 key encipherment. `null` omits it. */
  keyUsage: readonly number[] | null
  /** Object identifiers of the extended key usage; `null` omits it. */
  extendedKeyUsage: readonly string[] | null
  freshKey: boolean
}

interface MadeCertificate {
  /** The root certificate, which has to be trusted. */
  caPem: string
  certPem: string
  /** PKCS#8. */
  keyPem: string
  /** Certificate first, then the authorities, the root included. */
  chainPem: string
}

interface MadeP12 extends MadeCertificate {
  p12: Buffer
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** The company of the tests and a person who may act for it. */
export const DEFAULT_WISH: CertificateWish = {
  ...DEFAULT_P12,
  kind: 'representative',
  nif: '12345678Z',
  name: 'Ana María Núñez Güell',
  organization: 'Talleres Ejemplo, S.L.',
  organizationNif: 'B12345674',
  keyType: 'ec',
  from: '2025-01-01T00:00:00Z',
  to: '2028-12-31T23:59:59Z',
  issuer: 'FNMT-RCM',
  intermediate: false,
  withChain: true,
  nameForm: 'utf8String',
  keyUsage: [0, 1, 2],
  extendedKeyUsage: [CLIENT_AUTH, EMAIL_PROTECTION],
  freshKey: false,
}

const keys = new Map<string, KeyObject>()

function newKey(type: KeyType): KeyObject {
  switch (type) {
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    case 'rsa4096':
      return generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey
    case 'rsa1024':
      return generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    case 'ec384':
      return generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey
    case 'ec521':
      return generateKeyPairSync('ec', { namedCurve: 'secp521r1' }).privateKey
    case 'secp256k1':
      return generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey
    case 'ed25519':
      return generateKeyPairSync('ed25519').privateKey
    default:
      return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
  }
}

/** Returns the shared key of a type and purpose, or a new one. */
export function keyOf(type: KeyType, purpose = 'holder', fresh = false): KeyObject {
  if (fresh) return newKey(type)
  const name = `${type} ${purpose}`
  const known = keys.get(name) ?? newKey(type)
  keys.set(name, known)
  return known
}

interface Authority {
  issuer: CertificateParts['issuer']
  certificate: X509Certificate
}

const authorities = new Map<string, Authority>()

/** Returns a certificate authority by name, created once: a root, or an intermediate under `above`. */
function authority(organization: string, name: string, above?: Authority): Authority {
  const known = authorities.get(`${organization} ${name}`)
  if (known) return known
  const subject = nameOf([
    [ATTRIBUTE.country, 'ES'],
    [ATTRIBUTE.organization, organization],
    [ATTRIBUTE.commonName, name],
  ])
  const issuer = { subject, key: keyOf('ec', `authority ${organization} ${name}`) }
  const certificate = signedCertificate({
    ...issuer,
    issuer: above?.issuer ?? issuer,
    from: new Date('2015-01-01T00:00:00Z'),
    to: new Date('2045-01-01T00:00:00Z'),
    extensions: [basicConstraints(true), keyUsage(5, 6)],
  })
  const made = { issuer, certificate }
  authorities.set(`${organization} ${name}`, made)
  return made
}

/** Returns the authorities above a certificate, its issuer first and the root last. */
function authoritiesFor({ issuer, intermediate }: CertificateWish): [Authority, ...Authority[]] {
  const root = authority(issuer, `AC RAIZ ${issuer}`)
  return intermediate ? [authority(issuer, `AC ${issuer} Usuarios`, root), root] : [root]
}

/** Returns the subject in the issuers' form for each kind (ETSI EN 319 412-1: IDCES-, VATES-). */
function subjectOf(wish: CertificateWish): Attributes {
  const [givenName = '', ...surnames] = wish.name.split(' ')
  const organization: Attributes = [
    [ATTRIBUTE.organizationIdentifier, `VATES-${wish.organizationNif}`],
    [ATTRIBUTE.organization, wish.organization],
  ]
  if (wish.kind === 'seal')
    return [
      [ATTRIBUTE.country, 'ES'],
      ...organization,
      [ATTRIBUTE.commonName, `SELLO DE ${wish.organization}`],
    ]
  const person: Attributes = [
    [ATTRIBUTE.serialNumber, `IDCES-${wish.nif}`],
    [ATTRIBUTE.givenName, givenName],
    [ATTRIBUTE.surname, surnames.join(' ')],
  ]
  return wish.kind === 'person'
    ? [
        [ATTRIBUTE.country, 'ES'],
        ...person,
        [ATTRIBUTE.commonName, `${wish.name.toUpperCase()} - ${wish.nif}`],
      ]
    : [
        [ATTRIBUTE.country, 'ES'],
        ...person,
        ...organization,
        [ATTRIBUTE.commonName, `${wish.nif} ${wish.name.toUpperCase()} (R: ${wish.organizationNif})`],
      ]
}

interface Made {
  key: KeyObject
  leaf: X509Certificate
  /** Its issuer first, the root last. */
  above: X509Certificate[]
}

function make(wish: CertificateWish): Made {
  const [issuer, ...further] = authoritiesFor(wish)
  const key = keyOf(wish.keyType, 'holder', wish.freshKey)
  const leaf = signedCertificate({
    subject: nameOf(subjectOf(wish), wish.nameForm),
    key,
    issuer: issuer.issuer,
    from: new Date(wish.from),
    to: new Date(wish.to),
    extensions: [
      basicConstraints(false),
      ...(wish.keyUsage ? [keyUsage(...wish.keyUsage)] : []),
      ...(wish.extendedKeyUsage ? [extendedKeyUsage(...wish.extendedKeyUsage)] : []),
      qcStatements(wish.kind === 'seal' ? QC_SEAL : QC_SIGNATURE),
    ],
  })
  return { key, leaf, above: [issuer, ...further].map((one) => one.certificate) }
}

function pemsOf({ key, leaf, above }: Made): MadeCertificate {
  return {
    caPem: String(above.at(-1)),
    certPem: leaf.toString(),
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    chainPem: [leaf, ...above].join(''),
  }
}

/** Creates a certificate and its key without a file. */
export function makeCertificate(wish: Partial<CertificateWish> = {}): MadeCertificate {
  return pemsOf(make({ ...DEFAULT_WISH, ...wish }))
}

/**
 * Creates a certificate for a server of the tests, from the authority of `issuer`. Addresses such as 127.0.0.1 are
 * distinguished from names.
 */
export function makeServerCertificate(
  wish: { hosts?: readonly string[]; issuer?: string; from?: Date | string; to?: Date | string } = {},
): MadeCertificate {
  const { hosts = ['localhost', '127.0.0.1'], issuer = 'Servidores de prueba' } = wish
  const root = authority(issuer, `AC RAIZ ${issuer}`)
  const key = keyOf('ec', `server ${hosts.join(' ')}`)
  const leaf = signedCertificate({
    subject: nameOf([[ATTRIBUTE.commonName, hosts[0] ?? 'localhost']]),
    key,
    issuer: root.issuer,
    from: new Date(wish.from ?? '2020-01-01T00:00:00Z'),
    to: new Date(wish.to ?? '2045-01-01T00:00:00Z'),
    extensions: [extendedKeyUsage(SERVER_AUTH), subjectAltName(...hosts)],
  })
  return pemsOf({ key, leaf, above: [root.certificate] })
}

/**
 * Creates a certificate with its key as a .p12 file. Default: a representative of the tests' company, valid from 2025
 * to 2028, with a P-256 key, under the password `contraseña ñ€`.
 */
export function makeP12(wish: Partial<CertificateWish> = {}): MadeP12 {
  const whole = { ...DEFAULT_WISH, ...wish }
  const made = make(whole)
  const certificates = [made.leaf, ...(whole.withChain ? made.above : [])]
  const p12 = packP12(
    { sealed: certificates.map((one) => certificateBag(one.raw)), open: [keyBag(made.key, whole)] },
    whole,
  )
  return { p12, ...pemsOf(made) }
}

/** Returns the certificate's SHA-256 in hexadecimal. */
export function fingerprintOf(certPem: string): string {
  return new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase()
}
