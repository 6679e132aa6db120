/**
 * Checks a document against UBL 2.5 and the rules of the exchange profile, without schema or network: what Sello writes before it is
 * sent, what others wrote when it is received, and in the simulator what it is given.
 */
import { XmlRefused } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { MOST_BYTES } from './codes.ts'
import type { Finding } from './finding.ts'
import { headerRules } from './rules/header.ts'
import { lineRules } from './rules/lines.ts'
import type { ExchangeRule } from './rules/names.ts'
import { partyRules } from './rules/parties.ts'
import { sumRules } from './rules/sums.ts'
import { Document } from './rules/document.ts'
import { checkStructure } from './structure.ts'
import type { UblRoot } from './structure.ts'
import { readUblDocument } from './ubl.ts'

/** Reads a document of the exchange and checks its structure; the findings are the reason why there is no root. */
export function readChecked(
  xml: string,
  expected: UblRoot,
): { root: XmlElement; findings: Finding[] } | { root: null; findings: Finding[] } {
  const finding = (rule: ExchangeRule, message: string) => ({
    root: null,
    findings: [{ rule, path: '', message }],
  })
  if (xml.length > MOST_BYTES || Buffer.byteLength(xml) > MOST_BYTES)
    return finding('SIZE', 'The document has more than 5,120 kB.')
  try {
    const root = readUblDocument(xml)
    return { root, findings: checkStructure(root, expected) }
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error
    return error.fault === 'doctype'
      ? finding('XML-DOCTYPE', 'The document has a DOCTYPE.')
      : finding('XML', `The document is not readable: ${error.fault}, line ${error.line}.`)
  }
}

/** Returns what is wrong in an invoice for the exchange; empty if nothing. Each finding names its rule. */
export function checkExchangeInvoice(xml: string): Finding[] {
  const { root, findings } = readChecked(xml, 'Invoice')
  // The rules read places that exist only in a document of that structure.
  if (root === null || findings.length > 0) return findings
  const document = new Document(root)
  for (const rules of [headerRules, partyRules, lineRules, sumRules]) rules(document)
  return document.findings
}
