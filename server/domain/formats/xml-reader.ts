/**
 * Reads XML of strangers as a tree: namespaces resolved, no DOCTYPE and so no entities of their own, nothing fetched, and caps
 * on depth, nodes and text, so that a small file cannot cost much.
 */
import { SaxesParser } from 'saxes'

export interface XmlElement {
  /** Namespace address; empty when the element is in none. */
  ns: string
  /** Name without prefix. */
  name: string
  /** By name as written. Namespace declarations are left out. */
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
  /** Line of its opening tag. */
  line: number
}

interface XmlLimits {
  /** Elements inside each other. */
  depth: number
  /** Elements and attributes together. */
  nodes: number
  /** Characters of the text of one element. */
  elementChars: number
  /** Characters of all texts together. */
  totalChars: number
}

type XmlFault =
  | 'not_well_formed'
  | 'empty'
  | 'doctype'
  | 'too_deep'
  | 'too_many_nodes'
  | 'element_text_too_long'
  | 'text_too_long'

export class XmlRefused extends Error {
  readonly fault: XmlFault
  readonly line: number
  constructor(fault: XmlFault, line: number, detail: string = fault) {
    super(detail)
    this.name = 'XmlRefused'
    this.fault = fault
    this.line = line
  }
}

/**
 * Reads a whole document and returns its root. `onElement` is called with each element when it is complete, and may keep it out
 * of the tree by returning true, so that a long list never stands in memory as a whole. Throws `XmlRefused`.
 */
export function readXml(
  text: string,
  limits: XmlLimits,
  onElement: (element: XmlElement, parent: XmlElement | null) => boolean = () => false,
): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: XmlElement[] = []
  let root: XmlElement | null = null
  let nodes = 0
  let chars = 0
  const refuse = (fault: XmlFault, detail?: string): never => {
    throw new XmlRefused(fault, parser.line, detail)
  }
  parser.on('error', (error) => refuse('not_well_formed', error.message.replace(/^\d+:\d+:\s*/, '')))
  parser.on('doctype', () => refuse('doctype'))
  parser.on('opentag', (tag) => {
    if (open.length >= limits.depth) refuse('too_deep')
    const attributes: Record<string, string> = {}
    nodes += 1
    for (const { name, prefix, value } of Object.values(tag.attributes)) {
      nodes += 1
      if (prefix !== 'xmlns' && name !== 'xmlns') attributes[name] = value
    }
    if (nodes > limits.nodes) refuse('too_many_nodes')
    const element = { ns: tag.uri, name: tag.local, attributes, children: [], text: '', line: parser.line }
    root ??= element
    open.push(element)
  })
  const addText = (more: string): void => {
    const element = open.at(-1)
    if (!element) return
    chars += more.length
    if (chars > limits.totalChars) refuse('text_too_long')
    if (element.text.length + more.length > limits.elementChars) refuse('element_text_too_long')
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
  parser.write(text).close()
  return root ?? refuse('empty')
}

/** The first child of that name, whatever its namespace. */
export function child(element: XmlElement | null | undefined, name: string): XmlElement | null {
  return element?.children.find((each) => each.name === name) ?? null
}

/** All children of that name. */
export function children(element: XmlElement | null | undefined, name: string): XmlElement[] {
  return element?.children.filter((each) => each.name === name) ?? []
}

/** The element at the end of a path of names. */
export function at(element: XmlElement | null | undefined, ...path: string[]): XmlElement | null {
  let here: XmlElement | null = element ?? null
  for (const name of path) here = child(here, name)
  return here
}

/** The trimmed text at the end of a path; null when it is not there or empty. */
export function textAt(element: XmlElement | null | undefined, ...path: string[]): string | null {
  return at(element, ...path)?.text.trim() || null
}
