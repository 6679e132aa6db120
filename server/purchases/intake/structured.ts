/** Reader of XML files: chooses the syntax by the root element; null for XML that is no known invoice. */
import { isCii, readCii } from './cii.ts'
import { isFacturae, readFacturae } from './facturae.ts'
import { warning } from '../fault.ts'
import { USUAL_TAX } from './own-tax.ts'
import type { OwnTax } from './own-tax.ts'
import { emptyProposal } from './read-result.ts'
import type { ReadResult } from './read-result.ts'
import { isUbl, readUbl } from './ubl.ts'
import { readXml } from './xml.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

/** Messages about invoices in UBL: statuses, and answers of the public platform. */
const MESSAGE = /^urn:oasis:names:specification:ubl:schema:xsd:(ApplicationResponse|DocumentStatus)-2$/

/** Says that a message about invoices is none. */
function aboutInvoices({ ns, name }: XmlElement): ReadResult | null {
  if (MESSAGE.exec(ns)?.[1] !== name) return null
  return {
    proposal: emptyProposal('none', `UBL 2.5 ${name}`),
    warnings: [
      warning(
        'not_an_invoice',
        'content',
        'The file is a message about invoices, and none itself.',
        'Wait for the invoice, or enter it if it is one.',
        { title: name },
      ),
    ],
  }
}

/** Signed files may carry the invoice inside an enveloping signature, so a few levels are searched. */
const DEEPEST = 4

function find(node: XmlElement, depth: number, ownTax: OwnTax): ReadResult | null {
  if (isFacturae(node)) return readFacturae(node, ownTax)
  if (isUbl(node)) return readUbl(node, ownTax)
  if (isCii(node)) return readCii(node, ownTax)
  if (depth >= DEEPEST) return null
  for (const child of node.children) {
    const found = find(child, depth + 1, ownTax)
    if (found) return found
  }
  return null
}

/** Reads an XML file; the proposal of a message about invoices is empty. Throws `UnreadableFile`. */
export function readStructured(bytes: Uint8Array, ownTax: OwnTax = USUAL_TAX): ReadResult | null {
  const root = readXml(bytes)
  return aboutInvoices(root) ?? find(root, 0, ownTax)
}
