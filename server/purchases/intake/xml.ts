/**
 * XML of strangers as a tree: namespaces resolved, no DOCTYPE and so no entities of their own, and caps on depth, nodes
 * and text, so that a small file cannot cost much.
 */
import { SaxesParser } from 'saxes'
import { UnreadableFile } from './read-result.ts'

export interface Node {
  ns: string
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

const DEPTH = 64
const NODES = 200_000
const TEXT_CHARS = 30_000_000

const ENCODINGS: Record<string, string> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
}

/** The text of an XML file, by its byte order mark or its declaration. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  let encoding = 'utf-8'
  if (first === 0xff && second === 0xfe) encoding = 'utf-16le'
  else if (first === 0xfe && second === 0xff) encoding = 'utf-16be'
  else {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1')
    const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
    const known = ENCODINGS[(declared ?? 'utf-8').toLowerCase()]
    if (!known) throw new UnreadableFile('unknown_encoding')
    // Declared as UTF-16 but written in single bytes, or the declaration could not have been read.
    encoding = known.startsWith('utf-16') ? 'utf-8' : known
  }
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)
  } catch {
    throw new UnreadableFile('broken')
  }
}

/** Reads a whole document. Throws `UnreadableFile`. */
export function readXml(bytes: Uint8Array): Node {
  const text = decodeXml(bytes)
    .replace(/^\ufeff/, '')
    .trimStart()
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: Node[] = []
  let root: Node | null = null
  let nodes = 0
  let chars = 0
  const stop = (error: unknown): never => {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('broken')
  }
  parser.on('error', stop)
  parser.on('doctype', () => stop(new UnreadableFile('doctype')))
  parser.on('opentag', (tag) => {
    if (open.length >= DEPTH) stop(new UnreadableFile('too_deep'))
    const attributes: Record<string, string> = {}
    for (const attribute of Object.values(tag.attributes)) {
      if (attribute.prefix !== 'xmlns' && attribute.name !== 'xmlns')
        attributes[attribute.local] = attribute.value
      nodes += 1
    }
    nodes += 1
    if (nodes > NODES) stop(new UnreadableFile('too_large'))
    const node: Node = { ns: tag.uri, name: tag.local, attributes, children: [], text: '' }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
  })
  const take = (piece: string): void => {
    chars += piece.length
    if (chars > TEXT_CHARS) stop(new UnreadableFile('too_large'))
    const node = open.at(-1)
    if (node) node.text += piece
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', () => {
    open.pop()
  })
  try {
    parser.write(text).close()
  } catch (error) {
    stop(error)
  }
  return root ?? stop(new UnreadableFile('broken'))
}

/** The first child of that name, whatever its namespace. */
export function child(node: Node | null | undefined, name: string): Node | null {
  return node?.children.find((each) => each.name === name) ?? null
}

/** All children of that name. */
export function children(node: Node | null | undefined, name: string): Node[] {
  return node?.children.filter((each) => each.name === name) ?? []
}

/** The node at the end of a path of names. */
export function at(node: Node | null | undefined, ...path: string[]): Node | null {
  let here: Node | null = node ?? null
  for (const name of path) here = child(here, name)
  return here
}

/** The trimmed text at the end of a path; null when it is not there or empty. */
export function textAt(node: Node | null | undefined, ...path: string[]): string | null {
  return at(node, ...path)?.text.trim() || null
}
