/**
 * Creates certificates for the simulated authority and its clients: a certification authority, the server's
 * certificate, and client certificates with the subject fields of Spanish qualified certificates of persons,
 * representatives and seals (as FNMT's).
 */
import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
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
} from './x509.ts'
import type { Attributes, CertificateParts } from './x509.ts'

/** A certificate with its private key (PKCS#8), both PEM. */
export interface KeyedCertificate {
  certPem: string
  keyPem: string
}

export interface AuthorityCa extends KeyedCertificate {
  name: string
}

export interface IssuedCertificate extends KeyedCertificate {
  caPem: string
}

export type KeyType = 'rsa' | 'ec'

export interface Validity {
  from: Date
  to: Date
}

const newKeyPair = promisify(generateKeyPair)

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

interface Wanted extends Validity, Pick<CertificateParts, 'extensions'> {
  subject: Attributes
  keyPem: string
  issuer: { subject: Attributes; keyPem: string }
}

function certificatePem({ subject, keyPem, issuer, ...rest }: Wanted): string {
  return signedCertificate({
    subject: nameOf(subject),
    key: createPrivateKey(keyPem),
    issuer: { subject: nameOf(issuer.subject), key: createPrivateKey(issuer.keyPem) },
    ...rest,
  }).toString()
}

async function newKeyPem(keyType: KeyType): Promise<string> {
  const { privateKey } =
    keyType === 'rsa'
      ? await newKeyPair('rsa', { modulusLength: 2048 })
      : await newKeyPair('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const COUNTRY = [ATTRIBUTE.country, 'ES'] as const

const caSubject = (name: string): Attributes => [
  COUNTRY,
  [ATTRIBUTE.organization, 'Simulador'],
  [ATTRIBUTE.commonName, name],
]

const DAY_MS = 86_400_000

/** Returns a validity from one day ago to ten years ahead, unless other dates are given. */
function validity({ from, to }: Partial<Validity>): Validity {
  const now = Date.now()
  return { from: from ?? new Date(now - DAY_MS), to: to ?? new Date(now + 3650 * DAY_MS) }
}

/** Creates a certification authority that no other program trusts; with a `parent`, a subordinate one. */
export async function makeAuthorityCa(
  options: Partial<Validity> & { name?: string; keyType?: KeyType; parent?: AuthorityCa } = {},
): Promise<AuthorityCa> {
  const { parent } = options
  const name = options.name ?? (parent ? 'AC SUBORDINADA DEL SIMULADOR' : 'AC DEL SIMULADOR')
  const subject = caSubject(name)
  const keyPem = await newKeyPem(options.keyType ?? 'ec')
  const certPem = certificatePem({
    ...validity(options),
    subject,
    issuer: parent ? { subject: caSubject(parent.name), keyPem: parent.keyPem } : { subject, keyPem },
    keyPem,
    extensions: [basicConstraints(true), keyUsage(5, 6)],
  })
  return { certPem, keyPem, name }
}

/** Issues a server's certificate for names and addresses. */
export async function issueServerCertificate(
  options: Partial<Validity> & { ca: AuthorityCa; names: readonly string[] },
): Promise<IssuedCertificate> {
  const { ca, names } = options
  const keyPem = await newKeyPem('ec')
  const certPem = certificatePem({
    ...validity(options),
    subject: [[ATTRIBUTE.commonName, names[0] ?? 'localhost']],
    issuer: { subject: caSubject(ca.name), keyPem: ca.keyPem },
    keyPem,
    extensions: [keyUsage(0), extendedKeyUsage(SERVER_AUTH), subjectAltName(...names)],
  })
  return { certPem, keyPem, caPem: ca.certPem }
}

export interface ClientCertificateOptions extends Partial<Validity> {
  ca: AuthorityCa
  kind: 'person' | 'representative' | 'seal'
  /** Number of the person; for a seal, the organization's. */
  nif: string
  /** Given name first, then surnames; for a seal, the organization's name. */
  name: string
  /** The organization of a representative; for a seal it replaces `name` and `nif`. */
  organization?: string
  organizationNif?: string
  keyType?: KeyType
}

/** Issues a client's certificate with the fields of a Spanish qualified one. */
export async function issueClientCertificate(options: ClientCertificateOptions): Promise<IssuedCertificate> {
  const { ca, kind, keyType = 'ec' } = options
  const keyPem = await newKeyPem(keyType)
  const certPem = certificatePem({
    ...validity(options),
    subject: clientSubject(options),
    issuer: { subject: caSubject(ca.name), keyPem: ca.keyPem },
    keyPem,
    extensions: [
      keyType === 'rsa' ? keyUsage(0, 1, 2) : keyUsage(0, 1),
      extendedKeyUsage(CLIENT_AUTH),
      qcStatements(kind === 'seal' ? QC_SEAL : QC_SIGNATURE),
    ],
  })
  return { certPem, keyPem, caPem: ca.certPem }
}

function clientSubject({
  kind,
  nif,
  name,
  organization,
  organizationNif,
}: ClientCertificateOptions): Attributes {
  const [givenName = name, ...surnames] = name.split(' ')
  const surname = surnames.join(' ')
  const person: Attributes = [
    [ATTRIBUTE.serialNumber, `IDCES-${nif}`],
    [ATTRIBUTE.givenName, givenName],
    [ATTRIBUTE.surname, surname || givenName],
  ]
  const ofOrganization: Attributes = [
    [ATTRIBUTE.organization, organization ?? name],
    [ATTRIBUTE.organizationIdentifier, `VATES-${organizationNif ?? nif}`],
  ]
  if (kind === 'person')
    return [COUNTRY, ...person, [ATTRIBUTE.commonName, `${surname} ${givenName} - ${nif}`.trim()]]
  if (kind === 'seal') return [COUNTRY, ...ofOrganization, [ATTRIBUTE.commonName, organization ?? name]]
  return [
    COUNTRY,
    ...person,
    ...ofOrganization,
    [ATTRIBUTE.commonName, `${nif} ${name} (R: ${organizationNif ?? nif})`],
  ]
}
