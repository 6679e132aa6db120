/**
 * Canonical XML 1.0 without comments (W3C, 15 March 2001), for the output of our own writers: verifies that XML is
 * already canonical, and rejects everything else. It never converts.
 */

/** The XML is not written in its canonical form, or uses more of XML than invoices do. */
export class NotCanonicalXml extends Error {
  override name = 'NotCanonicalXml'
}

interface CanonicalDocument {
  /** Text before the root element: the declaration, or nothing. */
  declaration: string
  /** The root element, which is the whole canonical form: the declaration and outer white space do not belong to it. */
  root: string
  rootName: string
  /** Prefix to address, of all declarations; they are on the root element. `` is the default one. */
  namespaces: Map<string, string>
}

const DECLARATION = /^(?:<\?xml version="1\.0" encoding="UTF-8"\?>)?\n?/
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const OPENING = new RegExp(`<(${NAME})((?: ${NAME}="[^"]*")*)>`, 'y')
const CLOSING = new RegExp(`</(${NAME})>`, 'y')
const TEXT = /[^<]+/y
const ATTRIBUTE = new RegExp(` (${NAME})="([^"]*)"`, 'g')
/** Characters as canonical XML writes them (section 2.3), in text and in attribute values. */
const CANONICAL_TEXT = /^(?:[^&<>\r]|&(?:amp|lt|gt|#xD);)*$/
const CANONICAL_VALUE = /^(?:[^&<"\t\n\r]|&(?:amp|lt|quot|#x9|#xA|#xD);)*$/
/** XML 1.0, section 2.2. */
const FORBIDDEN = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/

function refuse(what: string, at: number): never {
  throw new NotCanonicalXml(`${what} at character ${at}.`)
}

/** Reads a document that is canonical except for its declaration. Throws `NotCanonicalXml`. */
export function readCanonical(xml: string): CanonicalDocument {
  if (!xml.isWellFormed() || FORBIDDEN.test(xml))
    throw new NotCanonicalXml('A character has no place in XML.')
  const [declaration] = DECLARATION.exec(xml) ?? ['']
  const namespaces = new Map<string, string>()
  const open: string[] = []
  let rootName = ''
  let at = declaration.length
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(xml)
    if (found) at = pattern.lastIndex
    return found
  }
  do {
    const start = at
    const text = open.length > 0 ? next(TEXT) : null
    if (text) {
      if (!CANONICAL_TEXT.test(text[0])) refuse('Text is not canonical', start)
      continue
    }
    const closing = next(CLOSING)
    if (closing) {
      if (open.pop() !== closing[1]) refuse('An end without its beginning', start)
      continue
    }
    const [, name, attributes = ''] = next(OPENING) ?? refuse('Not understood', start)
    checkAttributes(attributes, open.length === 0 ? namespaces : null, start)
    const prefix = prefixOf(name!)
    if (prefix !== '' && !namespaces.has(prefix)) refuse('A prefix without its address', start)
    if (open.length === 0) rootName = name!
    open.push(name!)
  } while (open.length > 0)
  if (xml.slice(at).trim() !== '') refuse('Something follows the root element', at)
  return { declaration, root: xml.slice(declaration.length, at), rootName, namespaces }
}

const prefixOf = (name: string): string => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '')

/**
 * Checks the order of attributes: declarations first, by prefix, then the others by name; `namespaces` is null where
 * no declaration is allowed.
 */
function checkAttributes(written: string, namespaces: Map<string, string> | null, at: number): void {
  let before = ''
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    if (!CANONICAL_VALUE.test(value)) refuse('A value is not canonical', at)
    const isDeclaration = name === 'xmlns' || name.startsWith('xmlns:')
    // Prefixed attributes sort by namespace address, and `xml:` ones are inherited: our writers use neither.
    if (!isDeclaration && name.includes(':')) refuse('An attribute with a prefix', at)
    const order = isDeclaration ? `0${name}` : `1${name}`
    if (order <= before) refuse('Attributes are out of order', at)
    before = order
    if (!isDeclaration) continue
    // A declaration on an inner element may repeat an outer one, and would then not be canonical.
    if (!namespaces || value === '') refuse('A declaration below the root element', at)
    namespaces.set(name.slice('xmlns:'.length), value)
  }
}

/**
 * Returns the canonical form of an element cut from a document: it declares everything that is declared around it
 * (section 2.4). The element itself must be canonical and declare nothing; `namespaces` are those in force at its
 * position.
 */
export function canonicalSubset(element: string, namespaces: ReadonlyMap<string, string>): string {
  const nameEnd = /[ >]/.exec(element)?.index ?? 0
  const declarations = [...namespaces]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, address]) => ` xmlns${prefix && `:${prefix}`}="${address}"`)
  return `${element.slice(0, nameEnd)}${declarations.join('')}${element.slice(nameEnd)}`
}
