/**
 * Types for the parts of node-forge that its own types omit. Loaded only in the process that opens a certificate
 * file.
 */
import forge from 'node-forge'

/** A value of ASN.1: its bytes, one per character, or the values in it. */
export type Asn1 = forge.asn1.Asn1

/** One attribute of a distinguished name. */
export interface NameAttribute {
  /** Object identifier. */
  type: string
  /** The bytes of its text, one per character; for UTF-16 the text itself. */
  value: unknown
  /** The string type, by its universal tag. */
  valueTagClass: number
}

interface ReadExtension {
  id: string
  /** DER. */
  value: string
  /** Key usage. */
  digitalSignature?: boolean
  /** Basic constraints. */
  cA?: boolean
}

export const { pkcs5, pkcs12 } = forge

export const asn1 = forge.asn1 as typeof forge.asn1 & {
  fromDer(bytes: string, options: { parseAllBytes: boolean }): Asn1
}

export const pki = forge.pki as typeof forge.pki & {
  RDNAttributesAsArray(name: Asn1): NameAttribute[]
  certificateExtensionsFromAsn1(extensions: Asn1): ReadExtension[]
  pbe: { generatePkcs12Key: typeof pkcs12.generateKey }
}

/** Converts bytes to node-forge's form: one per character. */
export function forgeBytes(bytes: Buffer): string {
  return bytes.toString('latin1')
}

export function bufferOf(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}

export function derOf(value: Asn1): Buffer {
  return bufferOf(asn1.toDer(value).getBytes())
}

/** Returns the values inside a list. Throws when it is not a list. */
export function itemsOf(value: Asn1 | undefined): Asn1[] {
  if (!Array.isArray(value?.value)) throw new TypeError('Not a list.')
  return value.value
}

/** Returns an object identifier in dotted form. */
export function oidOf(value: Asn1 | undefined): string {
  if (typeof value?.value !== 'string') throw new TypeError('Not an object identifier.')
  return asn1.derToOid(value.value)
}
