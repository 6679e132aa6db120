/**
 * Strict reader of the registry's XML: returns a tree of elements with resolved namespaces, or throws an XmlError. It
 * accepts the small part of XML that the messages use and rejects the rest (DOCTYPE, processing instructions,
 * comments, mixed content), so there are no entities to expand, nothing to fetch and only one interpretation.
 *
 * It does not use the reader of foreign XML (`domain/formats/xml-reader.ts`): saxes accepts comments, processing instructions,
 * mixed content and names beyond ASCII, and reports faults as sentences only. saxes would be no faster (11 MB: 430 ms here, 490 ms
 * there), and the verifier page of an inspector's pack would have to contain the package.
 */

type XmlFault =
  | 'too_large'
  | 'too_deep'
  | 'too_many_nodes'
  | 'attribute_too_large'
  | 'not_utf8'
  | 'doctype'
  | 'processing_instruction'
  | 'comment'
  | 'character'
  | 'entity'
  | 'syntax'
  | 'unbound_prefix'
  | 'duplicate_attribute'
  | 'mixed_content'
  | 'duplicate_element'
  | 'unexpected_element'
  | 'missing_element'

export class XmlError extends Error {
  readonly fault: XmlFault
  constructor(fault: XmlFault, detail: string) {
    super(`${fault}: ${detail}`)
    this.name = 'XmlError'
    this.fault = fault
  }
}

export interface XmlElement {
  /** Namespace address; empty when the element is in none. */
  ns: string
  /** Name without prefix. */
  name: string
  /** By name, or by `{namespace}name` for those with a prefix. Namespace declarations are omitted. */
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** Unescaped text of an element without children, as written; empty for an element with children. */
  text: string
}

/** Limits of a document. */
export interface XmlLimits {
  /** Size in UTF-8. */
  bytes: number
  /** Depth of nested elements. */
  depth: number
  /** Elements, texts and attributes together; blanks between elements do not count. */
  nodes: number
  attributeChars: number
}

/** The limits of a record, and of the reply to a submission. */
export const XML_LIMITS: XmlLimits = {
  bytes: 5 * 1024 * 1024,
  depth: 32,
  nodes: 200_000,
  attributeChars: 65_536,
}

/**
 * The limits of messages with many records: a full page of a query's answer is 10,000 records of about 3 kB and 88
 * nodes each, a full submission 1000 of at most 6 kB. What fits the bytes fits the nodes.
 */
export const LARGE_XML_LIMITS: XmlLimits = { ...XML_LIMITS, bytes: 40 * 1024 * 1024, nodes: 1_500_000 }

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()
const NS_XML = 'http://www.w3.org/XML/1998/namespace'
const NS_XMLNS = 'http://www.w3.org/2000/xmlns/'
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const BLANK = /^[ \t\n]*$/
// The messages' names are plain ASCII; any other name is rejected.
const QNAME = /(?:([A-Za-z_][A-Za-z0-9_.-]*):)?([A-Za-z_][A-Za-z0-9_.-]*)/y
const ATTRIBUTE =
  /[ \t\n]+(?:([A-Za-z_][A-Za-z0-9_.-]*):)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /[ \t\n]*(\/?)>/y
const CLOSE_END = /[ \t\n]*>/y

type Scope = ReadonlyMap<string, string>
const ROOT_SCOPE: Scope = new Map([
  ['', ''],
  ['xml', NS_XML],
])

interface OpenElement {
  element: XmlElement
  /** As written, with its prefix: the closing tag must repeat it. */
  tag: string
  scope: Scope
  hasText: boolean
}

/** Reads a whole document within the limits and returns its root element. Throws XmlError. */
export function readXml(source: string | Uint8Array, limits: XmlLimits = XML_LIMITS): XmlElement {
  const text = documentText(source, limits.bytes)
  let at = 0
  if (/^<\?xml[ \t\n?]/.test(text)) {
    const declaration = DECLARATION.exec(text)
    if (!declaration) throw new XmlError('syntax', 'the XML declaration cannot be read')
    const encoding = declaration[1] ?? declaration[2] ?? 'UTF-8'
    if (encoding.toUpperCase() !== 'UTF-8') throw new XmlError('not_utf8', `declared encoding ${encoding}`)
    at = declaration[0].length
  }
  const open: OpenElement[] = []
  let root: XmlElement | null = null
  let nodes = 0
  while (at < text.length) {
    const tagAt = text.indexOf('<', at)
    const end = tagAt === -1 ? text.length : tagAt
    const current = open.at(-1)
    if (end > at) {
      if (current) nodes += addText(current, decodeText(text.slice(at, end)))
      else if (!BLANK.test(text.slice(at, end))) throw new XmlError('syntax', 'text outside the root element')
      at = end
      if (nodes > limits.nodes) throw new XmlError('too_many_nodes', String(limits.nodes))
    }
    if (tagAt === -1) break
    const mark = text.charCodeAt(at + 1)
    if (mark === 0x2f) {
      const closed = open.pop()
      if (!closed || !text.startsWith(closed.tag, at + 2))
        throw new XmlError('syntax', 'a closing tag without its opening tag')
      CLOSE_END.lastIndex = at + 2 + closed.tag.length
      if (!CLOSE_END.test(text)) throw new XmlError('syntax', `the closing tag of ${closed.tag}`)
      at = CLOSE_END.lastIndex
    } else if (mark === 0x21) {
      const cdata = text.startsWith('<![CDATA[', at)
      if (!cdata) {
        if (text.startsWith('<!--', at)) throw new XmlError('comment', 'comments are refused')
        if (text.startsWith('<!DOCTYPE', at)) throw new XmlError('doctype', 'a DOCTYPE is refused')
        throw new XmlError('syntax', 'markup declaration')
      }
      const close = text.indexOf(']]>', at + 9)
      if (close === -1 || !current) throw new XmlError('syntax', 'a CDATA section')
      addText(current, text.slice(at + 9, close))
      at = close + 3
      if (++nodes > limits.nodes) throw new XmlError('too_many_nodes', String(limits.nodes))
    } else if (mark === 0x3f) {
      throw new XmlError('processing_instruction', 'processing instructions are refused')
    } else {
      if (root && !current) throw new XmlError('syntax', 'a second root element')
      if (open.length >= limits.depth) throw new XmlError('too_deep', String(limits.depth))
      const start = readStartTag(text, at, current?.scope ?? ROOT_SCOPE, limits)
      nodes += 1 + start.element.attributes.size
      if (nodes > limits.nodes) throw new XmlError('too_many_nodes', String(limits.nodes))
      if (current) addChild(current, start.element)
      else root = start.element
      if (!start.selfClosing)
        open.push({ element: start.element, tag: start.tag, scope: start.scope, hasText: false })
      at = start.end
    }
  }
  if (!root || open.length > 0) throw new XmlError('syntax', 'the document ends too early')
  return root
}

function documentText(source: string | Uint8Array, maxBytes: number): string {
  let text: string
  if (typeof source === 'string') {
    // A UTF-16 unit is at most three bytes of UTF-8; bytes are counted only near the limit.
    if (
      source.length > maxBytes ||
      (source.length * 3 > maxBytes && new TextEncoder().encode(source).byteLength > maxBytes)
    )
      throw new XmlError('too_large', `more than ${maxBytes} bytes`)
    if (!source.isWellFormed()) throw new XmlError('not_utf8', 'half of a Unicode character')
    text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  } else {
    if (source.byteLength > maxBytes) throw new XmlError('too_large', `more than ${maxBytes} bytes`)
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(source)
    } catch {
      throw new XmlError('not_utf8', 'the bytes are not UTF-8')
    }
  }
  if (UNFIT.test(text)) throw new XmlError('character', 'a character XML does not allow')
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** Adds text to an element and returns its number of nodes: blanks between children are dropped and count as none. */
function addText(current: OpenElement, text: string): 0 | 1 {
  if (current.element.children.length > 0) {
    if (!BLANK.test(text)) throw new XmlError('mixed_content', `text beside the children of ${current.tag}`)
    return 0
  }
  current.element.text += text
  current.hasText ||= !BLANK.test(text)
  return 1
}

function addChild(current: OpenElement, child: XmlElement): void {
  if (current.hasText) throw new XmlError('mixed_content', `text beside the children of ${current.tag}`)
  current.element.text = ''
  current.element.children.push(child)
}

function readStartTag(text: string, at: number, outer: Scope, { attributeChars }: XmlLimits) {
  QNAME.lastIndex = at + 1
  const name = QNAME.exec(text)
  if (!name) throw new XmlError('syntax', 'the name of a tag')
  let end = QNAME.lastIndex
  let scope = outer
  let written: { prefix: string | undefined; name: string; value: string }[] | null = null
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const match = ATTRIBUTE.exec(text)
    if (!match) break
    end = ATTRIBUTE.lastIndex
    const raw = match[3] ?? match[4] ?? ''
    if (raw.length > attributeChars) throw new XmlError('attribute_too_large', String(attributeChars))
    written ??= []
    // Attributes are few; the limit keeps the search for repeated names short.
    if (written.length >= 64) throw new XmlError('too_many_nodes', 'more than 64 attributes in one element')
    written.push({ prefix: match[1], name: match[2] ?? '', value: decodeText(raw.replace(/[\t\n]/g, ' ')) })
  }
  TAG_END.lastIndex = end
  const close = TAG_END.exec(text)
  if (!close) throw new XmlError('syntax', `the tag ${name[0]}`)
  let attributes = NO_ATTRIBUTES
  if (written) {
    scope = declaredScope(written, outer)
    attributes = resolvedAttributes(written, scope)
  }
  const ns = scope.get(name[1] ?? '')
  if (ns === undefined) throw new XmlError('unbound_prefix', name[0])
  const element: XmlElement = { ns, name: name[2] ?? '', attributes, children: [], text: '' }
  return { element, tag: name[0], scope, selfClosing: close[1] === '/', end: TAG_END.lastIndex }
}

type WrittenAttribute = { prefix: string | undefined; name: string; value: string }

function declaredPrefix(attribute: WrittenAttribute): string | null {
  if (attribute.prefix === 'xmlns') return attribute.name
  return attribute.prefix === undefined && attribute.name === 'xmlns' ? '' : null
}

function declaredScope(written: WrittenAttribute[], outer: Scope): Scope {
  let scope: Map<string, string> | null = null
  const seen = new Set<string>()
  for (const attribute of written) {
    const prefix = declaredPrefix(attribute)
    if (prefix === null) continue
    if (seen.has(prefix)) throw new XmlError('duplicate_attribute', `xmlns:${prefix}`)
    seen.add(prefix)
    const reserved =
      prefix === 'xml' || prefix === 'xmlns' || attribute.value === NS_XML || attribute.value === NS_XMLNS
    if (reserved || (prefix !== '' && attribute.value === ''))
      throw new XmlError('unbound_prefix', `xmlns:${prefix}`)
    scope ??= new Map(outer)
    scope.set(prefix, attribute.value)
  }
  return scope ?? outer
}

function resolvedAttributes(written: WrittenAttribute[], scope: Scope): ReadonlyMap<string, string> {
  let attributes: Map<string, string> | null = null
  for (const attribute of written) {
    if (declaredPrefix(attribute) !== null) continue
    let key = attribute.name
    if (attribute.prefix !== undefined) {
      const ns = scope.get(attribute.prefix)
      if (ns === undefined) throw new XmlError('unbound_prefix', attribute.prefix)
      key = `{${ns}}${attribute.name}`
    }
    attributes ??= new Map()
    if (attributes.has(key)) throw new XmlError('duplicate_attribute', key)
    attributes.set(key, attribute.value)
  }
  return attributes ?? NO_ATTRIBUTES
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeText(text: string): string {
  if (text.includes(']]>')) throw new XmlError('syntax', ']]> in text')
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return NAMED[name as string] ?? ''
      if (whole === '&')
        throw new XmlError('entity', 'only the five entities of XML and character references are read')
      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16)
      const allowed =
        code === 0x9 ||
        code === 0xa ||
        code === 0xd ||
        (code >= 0x20 && code <= 0xd7ff) ||
        (code >= 0xe000 && code <= 0xfffd) ||
        (code >= 0x10000 && code <= 0x10ffff)
      if (!allowed) throw new XmlError('character', whole)
      return String.fromCodePoint(code)
    },
  )
}

/** Returns the only child of that name, or undefined. Throws `duplicate_element` when there are two. */
export function optionalChild(parent: XmlElement, ns: string, name: string): XmlElement | undefined {
  let found: XmlElement | undefined
  for (const child of parent.children) {
    if (child.name !== name || child.ns !== ns) continue
    if (found) throw new XmlError('duplicate_element', name)
    found = child
  }
  return found
}

/** Returns the only child of that name. Throws `missing_element` or `duplicate_element`. */
export function onlyChild(parent: XmlElement, ns: string, name: string): XmlElement {
  const found = optionalChild(parent, ns, name)
  if (!found) throw new XmlError('missing_element', name)
  return found
}
