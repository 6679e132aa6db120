/** Writes and reads values in DER (ITU-T X.690), strictly, and only the parts that signatures need. */

/** Universal tags; those of sequences and sets include `CONSTRUCTED`. */
export const TAG = {
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const

/** Returns the tag of `[number]`, for explicit tagging or in place of a constructed value's own tag. */
export const contextTag = (number: number): number => 0xa0 | number

/** Encodes one value: its tag, the length in its shortest form, the content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((total, part) => total + part.length, 0)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...content])
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...items)

/** Encodes a SET OF: its items are in the order of their encodings (X.690, 11.6). */
export const setOf = (...items: readonly Uint8Array[]): Buffer =>
  der(TAG.set, ...[...items].sort((a, b) => Buffer.compare(a, b)))

/** Encodes a whole number from 0 to 127. */
export const smallInteger = (value: number): Buffer => der(TAG.integer, Buffer.from([value]))

/** Encodes an object identifier, such as `1.2.840.113549`. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 | (left % 128))
    return groups
  })
  return der(TAG.oid, Buffer.from(bytes))
}

/** The bytes are not valid DER. */
export class NotDer extends Error {
  override name = 'NotDer'
}

/** A parsed value: views into the source bytes. */
export interface DerValue {
  tag: number
  content: Buffer
  /** With tag and length. */
  whole: Buffer
}

/** Reads the value that begins at `at`; ignores what follows it. Throws `NotDer`. */
export function readDer(bytes: Uint8Array, at = 0): DerValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tag = buffer[at]
  const first = buffer[at + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new NotDer('No value.')
  let length = first
  let start = at + 2
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count < 1 || count > 4 || start + count > buffer.length) throw new NotDer('No length.')
    length = buffer.readUIntBE(start, count)
    start += count
    if (length < 0x80 || (count > 1 && length < 256 ** (count - 1))) throw new NotDer('A length too long.')
  }
  const end = start + length
  if (end > buffer.length) throw new NotDer('Cut off.')
  return { tag, content: buffer.subarray(start, end), whole: buffer.subarray(at, end) }
}

/** Reads the single value that fills the bytes. Throws `NotDer`. */
export function onlyDer(bytes: Uint8Array): DerValue {
  const value = readDer(bytes)
  if (value.whole.length !== bytes.length) throw new NotDer('More than one value.')
  return value
}

/** Returns the values inside a constructed one. Throws `NotDer`. */
export function itemsOf(value: DerValue): DerValue[] {
  const items: DerValue[] = []
  for (let at = 0; at < value.content.length;) {
    const item = readDer(value.content, at)
    items.push(item)
    at += item.whole.length
  }
  return items
}
