/** XML of suppliers: in the encoding it is written in, and refused with a reason that a person can act on. */
import { readXml as readTree, XmlRefused } from '../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'
import { UnreadableFile } from './read-result.ts'

/**
 * A file may hold its attachments and its PDF as text, so that one text may be as long as all together. An invoice of 10,000 lines
 * has about 200,000 elements and attributes, which take some 60 MB.
 */
const LIMITS = { depth: 64, nodes: 300_000, elementChars: 30_000_000, totalChars: 30_000_000 }

const REASONS: Record<XmlRefused['fault'], UnreadableFile['why']> = {
  not_well_formed: 'broken',
  empty: 'broken',
  doctype: 'doctype',
  too_deep: 'too_deep',
  too_many_nodes: 'too_large',
  element_text_too_long: 'too_large',
  text_too_long: 'too_large',
}

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

/** Decodes an XML file by its byte order mark or its declaration. */
function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  let encoding = 'utf-8'
  if (first === 0xff && second === 0xfe) encoding = 'utf-16le'
  else if (first === 0xfe && second === 0xff) encoding = 'utf-16be'
  else {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1')
    const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
    const known = ENCODINGS[(declared ?? 'utf-8').toLowerCase()]
    if (!known) throw new UnreadableFile('unknown_encoding')
    // The file is declared as UTF-16 but written in single bytes: otherwise the declaration could not have been read.
    encoding = known.startsWith('utf-16') ? 'utf-8' : known
  }
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)
  } catch {
    throw new UnreadableFile('broken')
  }
}

/** Reads a whole document. Throws `UnreadableFile`. */
export function readXml(bytes: Uint8Array): XmlElement {
  const text = decodeXml(bytes)
    .replace(/^\ufeff/, '')
    .trimStart()
  try {
    return readTree(text, LIMITS)
  } catch (error) {
    throw new UnreadableFile(error instanceof XmlRefused ? REASONS[error.fault] : 'broken')
  }
}
