/** Reader of XML files: chooses the syntax by the root element; null for XML that is no known invoice. */
import { isCii, readCii } from './cii.ts'
import { isFacturae, readFacturae } from './facturae.ts'
import type { ReadResult } from './read-result.ts'
import { isUbl, readUbl } from './ubl.ts'
import { readXml } from './xml.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

/** Signed files may carry the invoice inside an enveloping signature, so a few levels are searched. */
const DEEPEST = 4

function find(node: XmlElement, depth: number): ReadResult | null {
  if (isFacturae(node)) return readFacturae(node)
  if (isUbl(node)) return readUbl(node)
  if (isCii(node)) return readCii(node)
  if (depth >= DEEPEST) return null
  for (const child of node.children) {
    const found = find(child, depth + 1)
    if (found) return found
  }
  return null
}

/** Reads an XML file. Throws `UnreadableFile`. */
export function readStructured(bytes: Uint8Array): ReadResult | null {
  return find(readXml(bytes), 0)
}
