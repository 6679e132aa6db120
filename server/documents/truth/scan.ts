/**
 * Finds elements in XML that this program wrote, by name and without a tree: the check of an invoice reads only a few of
 * them, in every document. Not for files of others.
 */

interface Tags {
  open: string
  close: string
}

/** Start and end of a tag by its name: a text that is put together anew for every search costs as much as the search. */
const tags = new Map<string, Tags>()

function tagsOf(name: string): Tags {
  let known = tags.get(name)
  if (!known) tags.set(name, (known = { open: `<${name}`, close: `</${name}>` }))
  return known
}

/** Position of the next start tag with this name, or -1. */
function tagAt(xml: string, name: string, from: number): number {
  const { open } = tagsOf(name)
  for (let at = xml.indexOf(open, from); at !== -1; at = xml.indexOf(open, at + 1)) {
    const next = xml.charCodeAt(at + open.length)
    // A longer name begins in the same way.
    if (next === 62 || next === 32 || next === 47) return at
  }
  return -1
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, digits?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (digits !== undefined) return String.fromCodePoint(Number(digits))
      return ENTITIES[name ?? ''] ?? whole
    },
  )
}

/** Returns the text of the first element with a name; null if there is none. */
export function textOf(xml: string, name: string): string | null {
  const at = tagAt(xml, name, 0)
  if (at === -1) return null
  const start = xml.indexOf('>', at) + 1
  const end = xml.indexOf('</', start)
  return end === -1 ? null : decoded(xml.slice(start, end))
}

/** Returns what the first element with a name contains, as written; an empty text if there is none. */
export function inside(xml: string, name: string): string {
  return partsOf(xml, name, 1)[0] ?? ''
}

/** Returns what each element with a name contains. Elements of that name do not nest. */
export function partsOf(xml: string, name: string, most = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = []
  const { close } = tagsOf(name)
  let at = tagAt(xml, name, 0)
  while (at !== -1 && parts.length < most) {
    const start = xml.indexOf('>', at) + 1
    const end = xml.indexOf(close, start)
    if (end === -1) break
    parts.push(xml.slice(start, end))
    at = tagAt(xml, name, end)
  }
  return parts
}

/** Returns the text before the first element with a name, and from it on. */
export function splitAt(xml: string, name: string): [before: string, after: string] {
  const at = tagAt(xml, name, 0)
  return at === -1 ? [xml, ''] : [xml.slice(0, at), xml.slice(at)]
}

/** Reads decimal text as cents; NaN, which equals nothing, if it is not a number. */
export function cents(text: string | null): number {
  return scaled(text, 100)
}

/** Reads decimal text as millionths. */
export function micro(text: string | null): number {
  return scaled(text, 1_000_000)
}

/** Reads a percentage as hundredths of a percent; 0 where there is none. */
export function basisPoints(text: string | null): number {
  return text === null ? 0 : scaled(text, 100)
}

function scaled(text: string | null, by: number): number {
  if (text === null || !/^-?\d+(?:\.\d+)?$/.test(text)) return Number.NaN
  // Adding 0 turns a negative zero into zero.
  return Math.round(Number(text) * by) + 0
}
