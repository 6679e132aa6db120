/**
 * Verifies the signatures of `signPdf`, byte by byte: every unsigned byte must be exactly as `signPdf` would write
 * it. It proves that a file is unchanged, not that the certificate is trustworthy: `anchors` decide that.
 */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { digestAlgorithm, signedAttributes, signedData } from './cms.ts'
import {
  itemsOf as valuesOf,
  NotDer,
  onlyDer,
  readDer,
  readSigningCertificate,
  TAG,
  UnusableKey,
} from '../../platform/signing/index.ts'
import type { DerValue, DigestName, SigningCertificate } from '../../platform/signing/index.ts'
import { dictionaryOfObject, placedDictionary, readPdfFile, requiredReference, valueOf } from './pdf-file.ts'
import type { PdfFile } from './pdf-file.ts'
import { itemsOf, referenceOf, UnsignablePdf, wholeNumberOf } from './pdf-syntax.ts'
import type { Dictionary } from './pdf-syntax.ts'

interface PdfSignature {
  fieldName: string
  /** As the signer claims. */
  signedAt: Date | null
  certificate: X509Certificate
  /** The certification authorities in the file, the certificate's issuer first. */
  authorities: X509Certificate[]
  /** Bytes from the beginning of the file that the signature covers. */
  signedBytes: number
}

export type SignatureFault =
  /** Not a file of ours, or damaged in a way that needs no signature to detect. */
  | 'unreadable'
  | 'unsigned'
  /** The bytes are not the signed ones. */
  | 'changed'
  /** The signature was not made with the certificate's key. */
  | 'forged'
  /** The certificates do not form a chain, or lead to none of the anchors. */
  | 'untrusted'
  /** The file continues after the last signature. */
  | 'appended'

export class BrokenSignature extends Error {
  override name = 'BrokenSignature'
  readonly fault: SignatureFault

  constructor(fault: SignatureFault, message: string) {
    super(message)
    this.fault = fault
  }
}

interface Trust {
  /** Trusted roots above the certificates; without them only the links within the file are checked. */
  anchors?: readonly X509Certificate[]
}

/** Returns all signatures of an unchanged file, oldest first. Throws `BrokenSignature`. */
export function verifyPdf(bytes: Uint8Array, { anchors }: Trust = {}): PdfSignature[] {
  try {
    const file = readPdfFile(bytes)
    const signatures = fieldsOf(file)
      .map((field) => checkSignature(file, field))
      .sort((a, b) => a.signedBytes - b.signedBytes)
    const last = signatures.at(-1)
    if (!last) throw new BrokenSignature('unsigned', 'No field holds a signature.')
    for (const signature of signatures) checkPath(signature, anchors)
    if (last.signedBytes !== bytes.length)
      throw new BrokenSignature('appended', `Nobody signed for what follows byte ${last.signedBytes}.`)
    return signatures
  } catch (error) {
    if (error instanceof UnsignablePdf || error instanceof NotDer || error instanceof UnusableKey)
      throw new BrokenSignature('unreadable', error.message)
    throw error
  }
}

function fieldsOf(file: PdfFile): Dictionary[] {
  const form = dictionaryOfObject(file, requiredReference(file.trailer, 'Root')).get('AcroForm')
  const formId = referenceOf(form)
  if (formId === null) throw new BrokenSignature('unsigned', 'The file has no form.')
  const fields = itemsOf(valueOf(file, dictionaryOfObject(file, formId).get('Fields') ?? '[]'))
  return fields
    .map((field) => dictionaryOfObject(file, referenceOf(field) ?? 0))
    .filter((field) => field.get('FT') === '/Sig' && field.has('V'))
}

function checkSignature(file: PdfFile, field: Dictionary): PdfSignature {
  const { entries, at, end } = placedDictionary(file, requiredReference(field, 'V'))
  const [zero, start = 0, from = 0, length = 0] = itemsOf(entries.get('ByteRange') ?? '[]').map(wholeNumberOf)
  const signedBytes = from + length
  const contents = file.text.slice(start, from)
  const isInPlace =
    zero === 0 && start > at && from < end && signedBytes > end && signedBytes <= file.bytes.length
  if (
    !isInPlace ||
    entries.get('SubFilter') !== '/ETSI.CAdES.detached' ||
    entries.get('Contents') !== contents ||
    !file.text.startsWith('/Contents ', start - '/Contents '.length)
  )
    throw new BrokenSignature('unreadable', 'The signature does not stand where it says.')
  const structure = structureOf(contents)
  const { signer, authorities, digest } = readSignedData(structure)

  const contentDigest = createHash(digest)
    .update(file.bytes.subarray(0, start))
    .update(file.bytes.subarray(from, signedBytes))
    .digest()
  const attributes = signedAttributes(signer.certificate, contentDigest)
  if (!signer.attributes.equals(attributes.subarray(1)))
    throw new BrokenSignature('changed', 'The signed digest is not that of the file and the certificate.')
  const certificate = openCertificate(signer.certificate.der)
  if (!verify(digest, attributes, certificate.publicKey, signer.signature))
    throw new BrokenSignature('forged', 'The signature is not of the key of the certificate.')
  // The rest of the structure is not signed: it must be as it would be written.
  const type = certificate.publicKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec'
  const written = { type, digest, ...signer, attributes, authorities } as const
  if (!signedData(written).equals(structure.whole))
    throw new BrokenSignature('unreadable', 'The signature is not written as it should be.')
  return {
    fieldName: field.get('T')?.slice(1, -1) ?? '',
    signedAt: instantOf(entries.get('M')),
    certificate,
    authorities: authorities.map(openCertificate),
    signedBytes,
  }
}

/** Reads the structure in hexadecimal, followed by zeros to the end of its reserved space. */
function structureOf(contents: string): DerValue {
  const room = Buffer.from(contents.slice(1, -1), 'hex')
  const structure = readDer(room)
  if (
    contents !== `<${room.toString('hex')}>` ||
    room.subarray(structure.whole.length).some((byte) => byte !== 0)
  )
    throw new BrokenSignature('unreadable', 'Something else stands beside the signature.')
  return structure
}

interface ReadSigner {
  certificate: SigningCertificate
  /** Without their tag. */
  attributes: Buffer
  signature: Buffer
}

/** Finds the parts; their exact form is checked by writing them again. */
function readSignedData(structure: DerValue): {
  signer: ReadSigner
  authorities: Buffer[]
  digest: DigestName
} {
  const [, explicit] = valuesOf(structure)
  const [, , , certificates, signers] = valuesOf(onlyDer(explicit?.content ?? Buffer.alloc(0)))
  const [, issuerAndSerial, algorithm, attributes, , signature] = valuesOf(
    onlyDer(signers?.content ?? Buffer.alloc(0)),
  )
  if (!certificates || !issuerAndSerial || !algorithm || !attributes || signature?.tag !== TAG.octets)
    throw new NotDer('A part of the signature is missing.')
  const digest = (['sha256', 'sha384', 'sha512'] as const).find((name) =>
    digestAlgorithm(name).equals(algorithm.whole),
  )
  const all = valuesOf(certificates).map((one) => one.whole)
  const certificate = all
    .map(readSigningCertificate)
    .find(({ issuer, serial }) => Buffer.concat([issuer, serial]).equals(issuerAndSerial.content))
  if (!digest || !certificate) throw new NotDer('The signature names no digest or no certificate of its own.')
  return {
    signer: {
      certificate,
      attributes: attributes.whole.subarray(1),
      signature: signature.content,
    },
    authorities: all.filter((one) => one !== certificate.der),
    digest,
  }
}

function openCertificate(written: Buffer): X509Certificate {
  try {
    return new X509Certificate(written)
  } catch {
    throw new BrokenSignature('unreadable', 'A certificate cannot be read.')
  }
}

/** Orders the certificates into a chain: each one issued by another of the file, and the last one by an anchor. */
function checkPath(signature: PdfSignature, anchors: Trust['anchors']): void {
  const left = [...signature.authorities]
  const path = [signature.certificate]
  for (let current = signature.certificate; left.length > 0;) {
    const index = left.findIndex((one) => isIssuedBy(current, one))
    const [issuer] = index < 0 ? [] : left.splice(index, 1)
    if (!issuer)
      throw new BrokenSignature('untrusted', 'A certificate in the file issued none of the others.')
    path.push(issuer)
    current = issuer
  }
  const top = path.at(-1)!
  if (anchors && !anchors.some((one) => one.raw.equals(top.raw) || isIssuedBy(top, one)))
    throw new BrokenSignature('untrusted', 'The certificates lead to nobody who is trusted.')
  signature.authorities = path.slice(1)
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function instantOf(written: string | undefined): Date | null {
  const parts = /^\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)$/
    .exec(written ?? '')
    ?.slice(1)
    .map(Number)
  if (!parts) return null
  const [year = 0, month = 0, ...rest] = parts
  return new Date(Date.UTC(year, month - 1, ...rest))
}
