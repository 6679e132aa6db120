/**
 * Reads the issuer's statements about the holder from the certificate itself: node:crypto returns the subject as text
 * only, and neither the key's purposes nor the statements of a qualified certificate (ETSI EN 319 412-5).
 */
import { FileFault } from './fault.ts'
import { asn1, bufferOf, forgeBytes, itemsOf, oidOf, pki } from './forge.ts'
import type { Asn1, NameAttribute } from './forge.ts'

/** One part of a distinguished name: the attribute's object identifier and its text. */
export interface NamePart {
  attribute: string
  text: string
}

export interface CertificateDetails {
  /** In the certificate's order: usually country first. */
  subject: NamePart[]
  issuer: NamePart[]
  /** Null when the certificate has no restriction. */
  signsDigitally: boolean | null
  /** Object identifiers; null when the certificate has no restriction. */
  purposes: string[] | null
  isAuthority: boolean
  /** ETSI EN 319 412-5: qualified for signatures of a person or for seals of an entity. */
  qualifiedTypes: string[]
}

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const QC_STATEMENTS = '1.3.6.1.5.5.7.1.3'
const QC_TYPE = '0.4.0.1862.1.6'

const UNIVERSAL_STRING = 28
const BMP_STRING = 30

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function widestText(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = bytes.readUInt32BE(at)
    text += point <= 0x10_ffff ? String.fromCodePoint(point) : '\ufffd'
  }
  return text
}

/** Returns the text of a name in any string type of X.520. Old issuers use Latin-1, or even UTF-8, in place of T.61. */
function textOf({ value, valueTagClass }: NameAttribute): string {
  if (typeof value !== 'string') throw new TypeError('Not a text.')
  if (valueTagClass === BMP_STRING) return value
  if (valueTagClass === UNIVERSAL_STRING) return widestText(bufferOf(value))
  try {
    return strictUtf8.decode(bufferOf(value))
  } catch {
    return value
  }
}

/** Returns the visible text of a name, without controls, hidden characters and broken Unicode. */
function normalizedName(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Noncharacter_Code_Point}]/gu, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
}

function nameOf(name: Asn1 | undefined): NamePart[] {
  if (!name) throw new TypeError('No name.')
  return pki
    .RDNAttributesAsArray(name)
    .map((part) => ({ attribute: part.type, text: normalizedName(textOf(part)) }))
}

function qualifiedTypesOf(statements: Asn1): string[] {
  for (const statement of itemsOf(statements)) {
    const [id, value] = itemsOf(statement)
    if (oidOf(id) === QC_TYPE && value) return itemsOf(value).map(oidOf)
  }
  return []
}

function detailsOf(certificate: Asn1): CertificateDetails {
  const isContext = (value: Asn1 | undefined, number: number): boolean =>
    value?.tagClass === asn1.Class.CONTEXT_SPECIFIC && Number(value.type) === number
  const body = [...itemsOf(itemsOf(certificate)[0])]
  if (isContext(body[0], 0)) body.shift()
  // Serial number, algorithm, issuer, validity, subject.
  const [, , issuer, , subject] = body
  const extended = body.find((value) => isContext(value, 3))
  const extensions = new Map(
    (extended ? pki.certificateExtensionsFromAsn1(extended) : []).map((one) => [one.id, one]),
  )
  const valueOf = (id: string): Asn1 | null => {
    const extension = extensions.get(id)
    return extension ? asn1.fromDer(extension.value) : null
  }
  const purposes = valueOf(EXTENDED_KEY_USAGE)
  const statements = valueOf(QC_STATEMENTS)
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    signsDigitally: extensions.get(KEY_USAGE)?.digitalSignature ?? null,
    purposes: purposes && itemsOf(purposes).map(oidOf),
    isAuthority: extensions.get(BASIC_CONSTRAINTS)?.cA ?? false,
    qualifiedTypes: statements ? qualifiedTypesOf(statements) : [],
  }
}

/** Reads a certificate in DER. Throws `FileFault`. */
export function readCertificate(der: Buffer): CertificateDetails {
  try {
    return detailsOf(asn1.fromDer(forgeBytes(der)))
  } catch {
    throw new FileFault('unreadable')
  }
}
