/**
 * Writes XML for other parties: bank files, electronic invoices. Text is escaped as in Canonical XML 1.0, so that
 * signed bytes are canonical already; the caller gives attributes in canonical order (namespaces first). Registry
 * messages have their own serializer, whose text is hashed.
 */

/**
 * An element with text or with child elements; undefined children are omitted. Attributes are written without
 * escaping: never pass user text.
 */
export type XmlNode = readonly [
  name: string,
  content: string | readonly (XmlNode | undefined)[],
  attributes?: string,
]

/** Characters that XML 1.0 cannot hold (section 2.2), except lone surrogates. */
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const SPECIAL = /[&<>\r\u0000-\u001f\ud800-\udfff\ufffe\uffff]/

/** Escapes text as the content of an element and removes characters that XML cannot carry. */
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

/** Returns the document of a root element, with each element on its own line. */
export function xmlDocument(root: XmlNode): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>']
  write(parts, root, '\n', '  ')
  return `${parts.join('')}\n`
}

/** Returns the same document without any whitespace outside text, for files that are signed. */
export function xmlDocumentCompact(root: XmlNode): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  write(parts, root, '', '')
  return parts.join('')
}
