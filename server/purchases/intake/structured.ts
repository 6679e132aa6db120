/** An XML file by what its root says it is; null for XML that is no invoice known here. */
import { isCii, readCii } from './cii.ts'
import { isFacturae, readFacturae } from './facturae.ts'
import type { ReadResult } from './read-result.ts'
import { isUbl, readUbl } from './ubl.ts'
import { readXml } from './xml.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

/** Signed files may carry the invoice inside an enveloping signature: looked for a few levels down. */
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
