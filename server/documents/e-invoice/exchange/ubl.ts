/** Namespaces of UBL documents, and the caps under which those of others are read. */
import { readXml } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** Returns the namespace declarations of a root element. */
export function rootAttributes(root: string): string {
  return `xmlns="${UBL}${root}-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2"`
}

/** What the largest document that the platform takes can hold. */
const LIMITS = { depth: 32, nodes: 400_000, elementChars: 6_000_000, totalChars: 6_000_000 }

/** Reads a document of the exchange. Throws `XmlRefused`, also for a DOCTYPE. */
export function readUblDocument(xml: string): XmlElement {
  return readXml(xml.replace(/^\ufeff/, '').trimStart(), LIMITS)
}
