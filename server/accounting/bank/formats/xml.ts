/** XML of banks: what the reader refuses is told to the person with the line. */
import { readXml as readTree, XmlRefused } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { refuseFile } from './statement.ts'

const LIMITS = { depth: 40, nodes: 3_000_000, elementChars: 20_000, totalChars: Number.POSITIVE_INFINITY }

/** What the person is told of XML that is well-formed and refused. */
const REASONS: Partial<Record<XmlRefused['fault'], string>> = {
  doctype: 'document types are not taken',
  too_deep: 'nested too deeply',
  too_many_nodes: 'too many elements',
  element_text_too_long: 'a text is too long',
}

/**
 * Reads a document. `onElement` receives each complete element of the given name and returns true to remove it from
 * the tree, so that a long list is never in memory as a whole.
 */
export function readXml(
  text: string,
  onElement: (element: XmlElement, parent: XmlElement | null) => boolean,
): XmlElement {
  try {
    return readTree(text, LIMITS, onElement)
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error
    const { fault, line, message } = error
    if (fault === 'empty') refuseFile('bank_file_empty', 'The file is empty.')
    const reason = REASONS[fault]
    if (reason !== undefined) refuseFile('xml_refused', `Line ${line}: ${reason}`, { line, reason })
    return refuseFile('xml_broken', `Line ${line}: the XML is not well-formed (${message}).`, {
      line,
      reason: message.slice(0, 120),
    })
  }
}
