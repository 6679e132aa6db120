/** Writes the name of a certificate's issuer in the form of XML signatures: RFC 2253, the last part first. */
import { itemsOf, NotDer, onlyDer } from './der.ts'
import type { DerValue } from './der.ts'

/** The only attributes with names in RFC 2253 (section 2.3); others are written as numbers, with hexadecimal values. */
const WORDS = new Map([
  ['550403', 'CN'],
  ['550406', 'C'],
  ['550407', 'L'],
  ['550408', 'ST'],
  ['550409', 'STREET'],
  ['55040a', 'O'],
  ['55040b', 'OU'],
  ['0992268993f22c640101', 'UID'],
  ['0992268993f22c640119', 'DC'],
])

/** Decoders by kind of string. */
const STRINGS: Record<number, (bytes: Buffer) => string> = {
  // UTF8String, NumericString, PrintableString, IA5String, VisibleString.
  0x0c: (bytes) => bytes.toString('utf8'),
  0x12: (bytes) => bytes.toString('latin1'),
  0x13: (bytes) => bytes.toString('latin1'),
  0x16: (bytes) => bytes.toString('latin1'),
  0x1a: (bytes) => bytes.toString('latin1'),
  // TeletexString, which issuers fill with Latin-1, and BMPString, two bytes per character.
  0x14: (bytes) => bytes.toString('latin1'),
  0x1e: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
}

/** Converts a name in DER to text. Throws `NotDer`. */
export function nameText(name: Uint8Array): string {
  return itemsOf(onlyDer(name))
    .reverse()
    .map((part) => itemsOf(part).map(attributeText).join('+'))
    .join(',')
}

function attributeText(attribute: DerValue): string {
  const [type, value] = itemsOf(attribute)
  if (!type || !value) throw new NotDer('An attribute without a value.')
  const word = WORDS.get(type.content.toString('hex'))
  const decode = STRINGS[value.tag]
  return word && decode
    ? `${word}=${escapeValue(decode(value.content))}`
    : `${word ?? dotted(type.content)}=#${value.whole.toString('hex')}`
}

/** Escapes a value by RFC 2253, section 2.4. Controls are written as numbers, since XML cannot carry them. */
function escapeValue(text: string): string {
  return text
    .replace(/[,+"\\<>;]|^[ #]| $/g, '\\$&')
    .replace(/\p{Cc}/gu, (letter) => Buffer.from(letter).toString('hex').replace(/../g, '\\$&'))
}

function dotted(content: Buffer): string {
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    arcs.push(arc)
    arc = 0
  }
  const first = Math.min(2, Math.floor((arcs[0] ?? 0) / 40))
  return [first, (arcs[0] ?? 0) - first * 40, ...arcs.slice(1)].join('.')
}

/** Converts a whole number in DER to decimal text. */
export function decimalOf(integer: Uint8Array): string {
  const { content } = onlyDer(integer)
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex') || '0'}`)).toString()
}
