/**
 * Values of PDF as text: where one ends, what a dictionary or an array holds. Values are kept as they are written, so that
 * what is not changed is copied letter by letter. Throws `UnsignablePdf` on whatever is not plainly written.
 * Source: ISO 32000-1, section 7.3.
 */

/** The file is built in a way that signing does not know, or is damaged. */
export class UnsignablePdf extends Error {
  override name = 'UnsignablePdf'
}

/** Names without their stroke to values as written, in their order. */
export type Dictionary = Map<string, string>

const SPACE = /[\0\t\n\f\r ]*/y
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y
const HEX = /<[0-9A-Fa-f\0\t\n\f\r ]*>/y
const REFERENCE = /\d+ \d+ R(?![^\0\t\n\f\r ()<>[\]{}/%])/y
const PLAIN = /[+-]?(?:\d+\.?\d*|\.\d+)|true|false|null/y
/** Deeper than any file of ours, and far from the end of the stack. */
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

/** Where the value that begins at `at` ends. */
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

/** Past the end of an array or a dictionary of which the beginning is read; its values are added to `found`. */
function endOfItems(text: string, start: number, end: string, depth: number, found: string[] | null): number {
  let at = afterSpace(text, start)
  while (!text.startsWith(end, at)) {
    const next = endOfValue(text, at, depth + 1)
    found?.push(text.slice(at, next))
    at = afterSpace(text, next)
  }
  return at + end.length
}

/** The dictionary that begins at `at`, and where it ends. */
export function dictionaryAt(text: string, at: number): { entries: Dictionary; end: number } {
  if (!text.startsWith('<<', at)) refuse(at)
  const values: string[] = []
  const end = endOfItems(text, at + 2, '>>', 0, values)
  const entries: Dictionary = new Map()
  for (let index = 0; index < values.length; index += 2) {
    const [name = '', value] = values.slice(index, index + 2)
    // A name written with `#` could be one of those that are looked for, in disguise.
    if (!/^\/[^#]+$/.test(name) || value === undefined || entries.has(name.slice(1))) refuse(at)
    entries.set(name.slice(1), value)
  }
  return { entries, end }
}

/** A value that is a dictionary. */
export function dictionaryOf(value: string): Dictionary {
  const { entries, end } = dictionaryAt(value, 0)
  if (end !== value.length) refuse(end)
  return entries
}

/** The values of an array. */
export function itemsOf(value: string): string[] {
  const items: string[] = []
  if (!value.startsWith('[') || endOfItems(value, 1, ']', 0, items) !== value.length)
    throw new UnsignablePdf('A list was expected.')
  return items
}

/** The number of the object a value points to; null when it is no reference. */
export function referenceOf(value: string | undefined): number | null {
  const id = /^(\d+) 0 R$/.exec(value ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

/** A whole number, not negative. */
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

/** Text for people: as it is when ASCII suffices, else UTF-16; in hexadecimal, so that nothing in it means anything. */
export function writeText(text: string): string {
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  const bytes = isAscii
    ? Buffer.from(text, 'latin1')
    : Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}
