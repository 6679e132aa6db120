/** DER values through node-forge, for files that no library would write. */
import forge from 'node-forge'

const { asn1 } = forge

/** Returns one value: its complete tag, then its content. */
export function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = asn1.create(asn1.Class.UNIVERSAL, tag, false, Buffer.concat(content).toString('latin1'))
  return Buffer.from(asn1.toDer(value).getBytes(), 'latin1')
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => tagged(0x30, ...items)
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes)
/** Returns `[number]` around complete values, or in place of their own tag if `constructed` is false. */
export const context = (number: number, content: Uint8Array, constructed = true): Buffer =>
  tagged((constructed ? 0xa0 : 0x80) | number, content)

/** Encodes a whole number from 0 to 2,147,483,647. */
export const integer = (value: number): Buffer =>
  tagged(0x02, Buffer.from(asn1.integerToDer(value).getBytes(), 'latin1'))

/** Encodes an object identifier, such as `1.2.840.113549`. */
export const oid = (text: string): Buffer =>
  tagged(0x06, Buffer.from(asn1.oidToDer(text).getBytes(), 'latin1'))
