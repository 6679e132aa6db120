/**
 * Reads untrusted XML into a small tree: strict namespaces, no document type, no external entities, bounded depth,
 * size and text.
 */
import { SaxesParser } from 'saxes'
import { refuseFile } from './statement.ts'

const MAX_DEPTH = 40
const MAX_ELEMENTS = 3_000_000
const MAX_TEXT = 20_000

export interface Element {
  name: string
  uri: string
  attributes: Record<string, string>
  text: string
  children: Element[]
  /** Line of the opening tag. */
  line: number
}

/**
 * Reads a document. `onElement` receives each complete element of the given name and returns true to remove it from
 * the tree, so that a long list is never in memory as a whole.
 */
export function readXml(
  text: string,
  onElement: (element: Element, parent: Element | null) => boolean,
): Element {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: Element[] = []
  let root: Element | null = null
  let count = 0
  const refuse = (reason: string): never =>
    refuseFile('xml_refused', `Line ${parser.line}: ${reason}`, { line: parser.line, reason })
  parser.on('error', (error) => {
    throw new XmlFault(error.message.replace(/^\d+:\d+:\s*/, ''), parser.line)
  })
  parser.on('doctype', () => refuse('document types are not taken'))
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) refuse('nested too deeply')
    if (++count > MAX_ELEMENTS) refuse('too many elements')
    const attributes: Record<string, string> = {}
    for (const [name, attribute] of Object.entries(tag.attributes)) attributes[name] = attribute.value
    const element: Element = {
      name: tag.local,
      uri: tag.uri,
      attributes,
      text: '',
      children: [],
      line: parser.line,
    }
    root ??= element
    open.push(element)
  })
  const addText = (more: string): void => {
    const element = open.at(-1)
    if (!element) return
    if (element.text.length + more.length > MAX_TEXT) refuse('a text is too long')
    element.text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (!element) return
    const parent = open.at(-1) ?? null
    if (!onElement(element, parent)) parent?.children.push(element)
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof XmlFault)
      refuseFile('xml_broken', `Line ${error.line}: the XML is not well-formed (${error.message}).`, {
        line: error.line,
        reason: error.message.slice(0, 120),
      })
    throw error
  }
  if (!root) refuseFile('bank_file_empty', 'The file is empty.')
  return root
}

class XmlFault extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** Returns the first descendant along a path of local names. */
export function childAt(element: Element | undefined, ...path: string[]): Element | undefined {
  let place = element
  for (const name of path) place = place?.children.find((child) => child.name === name)
  return place
}

/** Returns the trimmed text of an element, or null when it is missing or empty. */
export function textAt(element: Element | undefined, ...path: string[]): string | null {
  return childAt(element, ...path)?.text.trim() || null
}

export function childrenOf(element: Element | undefined, name: string): Element[] {
  return element?.children.filter((child) => child.name === name) ?? []
}
