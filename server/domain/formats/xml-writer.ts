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

/** Returns the text of an element and all within it; building one text is faster than joining a list of its pieces. */
function written([name, content, attributes]: XmlNode, before: string, step: string): string {
  const open = attributes ? `${before}<${name} ${attributes}>` : `${before}<${name}>`
  if (typeof content === 'string') return `${open}${xmlText(content)}</${name}>`
  let text = open
  const inner = before + step
  for (const child of content) if (child) text += written(child, inner, step)
  return `${text}${before}</${name}>`
}

/** Returns the document of a root element, with each element on its own line. */
export function xmlDocument(root: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${written(root, '\n', '  ')}\n`
}

/** Returns the same document without any whitespace outside text, for files that are signed. */
export function xmlDocumentCompact(root: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '', '')}`
}
