/**
 * Parses values of PDF as text: the end of a value, and the content of dictionaries and arrays. Values stay as
 * written, so that unchanged ones are copied character by character. Throws `UnsignablePdf` for anything unusual.
 * Source: ISO 32000-1, section 7.3.
 */

/** The structure of the file is not supported by signing, or is damaged. */
export class UnsignablePdf extends Error {
  override name = 'UnsignablePdf'
}

/** Names without their slash, mapped to values as written, in their order. */
export type Dictionary = Map<string, string>

const SPACE = /[\0\t\n\f\r ]*/y
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y
const HEX = /<[0-9A-Fa-f\0\t\n\f\r ]*>/y
const REFERENCE = /\d+ \d+ R(?![^\0\t\n\f\r ()<>[\]{}/%])/y
const PLAIN = /[+-]?(?:\d+\.?\d*|\.\d+)|true|false|null/y
/** Deeper than any file of ours, and far from a stack overflow. */
const DEEPEST = 50

function matchAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

export function afterSpace(text: string, at: number): number {
  return matchAt(SPACE, text, at) ?? at
}

function refuse(at: number): never {
  throw new UnsignablePdf(`Not understood at byte ${at}.`)
}

/** Returns the end of the value that begins at `at`. */
export function endOfValue(text: string, at: number, depth = 0): number {
  if (depth > DEEPEST) refuse(at)
  switch (text[at]) {
    case '/':
      return matchAt(NAME, text, at) ?? refuse(at)
    case '(':
      return endOfString(text, at)
    case '[':
      return endOfItems(text, at + 1, ']', depth, null)
    case '<':
      if (text[at + 1] === '<') return endOfItems(text, at + 2, '>>', depth, null)
      return matchAt(HEX, text, at) ?? refuse(at)
    default:
      return matchAt(REFERENCE, text, at) ?? matchAt(PLAIN, text, at) ?? refuse(at)
  }
}

function endOfString(text: string, start: number): number {
  let open = 0
  for (let at = start; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\\') at++
    else if (letter === '(') open++
    else if (letter === ')' && --open === 0) return at + 1
  }
  return refuse(start)
}

/** Returns the end of an array or a dictionary whose beginning has been read; adds its values to `found`. */
function endOfItems(text: string, start: number, end: string, depth: number, found: string[] | null): number {
  let at = afterSpace(text, start)
  while (!text.startsWith(end, at)) {
    const next = endOfValue(text, at, depth + 1)
    found?.push(text.slice(at, next))
    at = afterSpace(text, next)
  }
  return at + end.length
}

/** Returns the dictionary that begins at `at`, and its end. */
export function dictionaryAt(text: string, at: number): { entries: Dictionary; end: number } {
  if (!text.startsWith('<<', at)) refuse(at)
  const values: string[] = []
  const end = endOfItems(text, at + 2, '>>', 0, values)
  const entries: Dictionary = new Map()
  for (let index = 0; index < values.length; index += 2) {
    const [name = '', value] = values.slice(index, index + 2)
    // A name written with `#` could be an encoded form of one that is searched for.
    if (!/^\/[^#]+$/.test(name) || value === undefined || entries.has(name.slice(1))) refuse(at)
    entries.set(name.slice(1), value)
  }
  return { entries, end }
}

/** Parses a value that is a dictionary. */
export function dictionaryOf(value: string): Dictionary {
  const { entries, end } = dictionaryAt(value, 0)
  if (end !== value.length) refuse(end)
  return entries
}

/** Returns the values of an array. */
export function itemsOf(value: string): string[] {
  const items: string[] = []
  if (!value.startsWith('[') || endOfItems(value, 1, ']', 0, items) !== value.length)
    throw new UnsignablePdf('A list was expected.')
  return items
}

/** Returns the number of the object that a value refers to; null when it is not a reference. */
export function referenceOf(value: string | undefined): number | null {
  const id = /^(\d+) 0 R$/.exec(value ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

/** Parses a non-negative whole number. */
export function wholeNumberOf(value: string | undefined): number {
  if (value === undefined || !/^\d{1,10}$/.test(value))
    throw new UnsignablePdf('A whole number was expected.')
  return Number(value)
}

export const reference = (id: number): string => `${id} 0 R`

export function writeDictionary(entries: Dictionary | Record<string, string>): string {
  const pairs = entries instanceof Map ? [...entries] : Object.entries(entries)
  return `<<\n${pairs.map(([name, value]) => `/${name} ${value}\n`).join('')}>>`
}

/** Writes text: ASCII as it is, else UTF-16; in hexadecimal, so that no character needs escaping. */
export function writeText(text: string): string {
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  const bytes = isAscii
    ? Buffer.from(text, 'latin1')
    : Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}
