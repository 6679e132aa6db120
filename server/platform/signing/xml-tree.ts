/**
 * Reads XML whose signature is verified: prefixes and declarations stay as written, because the signed bytes depend on
 * them. No DOCTYPE and so no entities, nothing is fetched, and limits on depth and nodes.
 */
import { SaxesParser } from 'saxes'

interface TreeAttribute {
  /** As written, with its prefix. */
  name: string
  local: string
  /** Namespace address; empty without a prefix. */
  uri: string
  value: string
}

/** An element with its place in the document. Comments are left out, as canonical XML does. */
export interface TreeElement {
  /** As written, with its prefix. */
  name: string
  prefix: string
  local: string
  uri: string
  /** Declarations on this element: prefix to address, `` for the default one. */
  declared: ReadonlyMap<string, string>
  attributes: readonly TreeAttribute[]
  children: (TreeElement | string)[]
  parent: TreeElement | null
}

/** The text is no XML that can carry a verifiable signature. */
export class UnreadableTree extends Error {
  override name = 'UnreadableTree'
}

const MOST_DEPTH = 100
const MOST_NODES = 400_000
const XML_PREFIX = 'xml'
/** Of `xml:` attributes, which need no declaration. */
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/** Reads a document and returns its root element. Throws `UnreadableTree`. */
export function readTree(text: string): TreeElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: TreeElement[] = []
  let root: TreeElement | null = null
  let nodes = 0
  const refuse = (why: string): never => {
    throw new UnreadableTree(why)
  }
  parser.on('error', (error) => refuse(error.message))
  parser.on('doctype', () => refuse('There is a DOCTYPE.'))
  parser.on('processinginstruction', () => refuse('There is a processing instruction.'))
  parser.on('opentag', (tag) => {
    const attributes = Object.values(tag.attributes)
    nodes += 1 + attributes.length
    if (open.length >= MOST_DEPTH) refuse('Elements are nested too deeply.')
    if (nodes > MOST_NODES) refuse('There are too many elements.')
    const parent = open.at(-1) ?? null
    const element: TreeElement = {
      name: tag.name,
      prefix: tag.prefix,
      local: tag.local,
      uri: tag.uri,
      declared: new Map(Object.entries(tag.ns)),
      attributes: attributes
        .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
        .map(({ name, prefix, local, uri, value }) => ({
          name,
          local,
          uri: prefix === '' ? '' : prefix === XML_PREFIX ? XML_NAMESPACE : uri,
          value,
        })),
      children: [],
      parent,
    }
    parent?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  const add = (written: string): void => {
    open.at(-1)?.children.push(written)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(text.replace(/^\ufeff/, '')).close()
  return root ?? refuse('There is no element.')
}

/** Returns the child elements, of a name if one is given. */
export function elementsOf(element: TreeElement, local?: string, uri?: string): TreeElement[] {
  return element.children.filter(
    (child): child is TreeElement =>
      typeof child !== 'string' &&
      (local === undefined || child.local === local) &&
      (uri === undefined || child.uri === uri),
  )
}

/** Returns the only child element of a name; null if there is none or more than one. */
export function onlyElement(element: TreeElement, local: string, uri?: string): TreeElement | null {
  const [first, second] = elementsOf(element, local, uri)
  return first !== undefined && second === undefined ? first : null
}

/** Returns the text directly inside an element. */
export function textIn(element: TreeElement | null | undefined): string {
  return (element?.children ?? []).filter((child) => typeof child === 'string').join('')
}

/** Returns an attribute's value, or null. */
export function attributeOf(element: TreeElement, local: string, uri = ''): string | null {
  return (
    element.attributes.find((attribute) => attribute.local === local && attribute.uri === uri)?.value ?? null
  )
}

/** Yields an element and all below it, in the order of the document. */
export function* within(element: TreeElement): Generator<TreeElement, void, undefined> {
  yield element
  for (const child of element.children) if (typeof child !== 'string') yield* within(child)
}
