/**
 * Writes the XML that goes to others: bank files, electronic invoices. Text is escaped as Canonical XML 1.0 writes it, so
 * that signed bytes are canonical already; whoever makes the nodes gives attributes in its order (namespaces first).
 * What the registry is sent has its own serializer, whose text is hashed.
 */

/** An element with text, or with elements; undefined children are left out. The attributes stand as written: no user's text. */
export type XmlNode = readonly [
  name: string,
  content: string | readonly (XmlNode | undefined)[],
  attributes?: string,
]

/** What XML 1.0 cannot hold (section 2.2), halves of characters apart. */
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const SPECIAL = /[&<>\r\u0000-\u001f\ud800-\udfff\ufffe\uffff]/

/** Text as the content of an element. What XML cannot carry is left out: it was never meant to be read. */
export function xmlText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .toWellFormed()
    .replace(UNFIT, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;')
}

function write(parts: string[], [name, content, attributes]: XmlNode, before: string, step: string): void {
  const open = attributes ? `<${name} ${attributes}>` : `<${name}>`
  if (typeof content === 'string') {
    parts.push(before, open, xmlText(content), `</${name}>`)
    return
  }
  parts.push(before, open)
  for (const child of content) if (child) write(parts, child, before + step, step)
  parts.push(before, `</${name}>`)
}

/** The document of a root element, each element on a line of its own. */
export function xmlDocument(root: XmlNode): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>']
  write(parts, root, '\n', '  ')
  return `${parts.join('')}\n`
}

/** The same without a blank that is not text: for files that are signed. */
export function xmlDocumentCompact(root: XmlNode): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  write(parts, root, '', '')
  return parts.join('')
}
