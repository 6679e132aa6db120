/** Writes and signs X.509 certificates of any content, with the schemas of @peculiar/asn1-x509. */
import { createHash, createPublicKey, randomBytes, sign, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AsnArray,
  AsnConvert,
  AsnProp,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  KeyIdentifier,
  KeyUsage,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'

const { serialize: derOf } = AsnConvert

/** Attributes of a distinguished name by their object identifiers, in order. */
export type Attributes = readonly (readonly [attribute: string, text: string])[]

/** String types used in names. */
export type TextForm = 'utf8String' | 'bmpString' | 'teletexString'

export const ATTRIBUTE = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  givenName: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
} as const

/**
 * Statements of ETSI EN 319 412-5: the certificate is qualified, and is for signatures of a person or for seals of an
 * entity.
 */
const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const QC_COMPLIANCE = '0.4.0.1862.1.1'
const QC_TYPE = '0.4.0.1862.1.6'
export const QC_SIGNATURE = '0.4.0.1862.1.6.1'
export const QC_SEAL = '0.4.0.1862.1.6.2'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'

/** RFC 3739, section 3.2.6; built like the other schemas, but without decorator syntax. */
class QcStatement {
  statementId = ''
  statementInfo?: ArrayBuffer

  constructor(statementId = '', statementInfo?: ArrayBuffer) {
    this.statementId = statementId
    if (statementInfo) this.statementInfo = statementInfo
  }
}
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(QcStatement.prototype, 'statementId')
AsnProp({ type: AsnPropTypes.Any, optional: true })(QcStatement.prototype, 'statementInfo')

class QcStatements extends AsnArray<QcStatement> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: QcStatement })(QcStatements)

/** X.520: always PrintableString, whatever the type of the others. */
const ALWAYS_PRINTABLE: readonly string[] = [ATTRIBUTE.country, ATTRIBUTE.serialNumber]

export function nameOf(attributes: Attributes, form: TextForm = 'utf8String'): Name {
  return new Name(
    attributes.map(([type, text]) => {
      const value = new AttributeValue({
        [ALWAYS_PRINTABLE.includes(type) ? 'printableString' : form]: text,
      })
      return new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value })])
    }),
  )
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(derOf(value)) })
}

export function basicConstraints(cA: boolean): Extension {
  return extension('2.5.29.19', new BasicConstraints({ cA }), true)
}

/**
 * Returns the key usage from bit numbers: 0 digitalSignature, 1 nonRepudiation, 2 keyEncipherment, …, 5 keyCertSign,
 * 6 cRLSign.
 */
export function keyUsage(...numbers: readonly number[]): Extension {
  return extension('2.5.29.15', new KeyUsage(numbers.reduce((sum, number) => sum | (1 << number), 0)), true)
}

/** Returns the extended key usage from object identifiers. */
export function extendedKeyUsage(...purposes: readonly string[]): Extension {
  return extension('2.5.29.37', new ExtendedKeyUsage([...purposes]))
}

/** Returns the subject alternative names: names and addresses of a server. */
export function subjectAltName(...names: readonly string[]): Extension {
  const general = names.map((name) => new GeneralName(isIP(name) ? { iPAddress: name } : { dNSName: name }))
  return extension('2.5.29.17', new SubjectAlternativeName(general))
}

/** Returns the statement that a certificate is qualified, for QC_SIGNATURE or QC_SEAL. */
export function qcStatements(type: string): Extension {
  const types = derOf(new ExtendedKeyUsage([type]))
  return extension(
    QC_STATEMENTS,
    new QcStatements([new QcStatement(QC_COMPLIANCE), new QcStatement(QC_TYPE, types)]),
  )
}

export interface CertificateParts {
  subject: Name
  key: KeyObject
  /** Its key is RSA or EC. */
  issuer: { subject: Name; key: KeyObject }
  from: Date
  to: Date
  extensions: readonly Extension[]
}

function spkiOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' })
}

/** Returns the identifier of a key: SHA-1 of its public half. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(spkiOf(key)).digest()
}

const toSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

/** Returns a signed certificate of version 3. Both keys are private keys. */
export function signedCertificate({
  subject,
  key,
  issuer,
  from,
  to,
  extensions,
}: CertificateParts): X509Certificate {
  const signatureAlgorithm =
    issuer.key.asymmetricKeyType === 'ec'
      ? new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
      : new AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null })
  const identifiers = [
    extension('2.5.29.14', new SubjectKeyIdentifier(keyIdentifier(key))),
    extension(
      '2.5.29.35',
      new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdentifier(issuer.key)) }),
    ),
  ]
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array(Buffer.concat([Buffer.from([1]), randomBytes(15)])).buffer,
    signature: signatureAlgorithm,
    issuer: issuer.subject,
    validity: new Validity({ notBefore: toSecond(from), notAfter: toSecond(to) }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(key), SubjectPublicKeyInfo),
    extensions: new Extensions([...identifiers, ...extensions]),
  })
  const signature = sign('sha256', Buffer.from(derOf(tbsCertificate)), issuer.key)
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm,
    signatureValue: new Uint8Array(signature).buffer,
  })
  return new X509Certificate(Buffer.from(derOf(certificate)))
}
