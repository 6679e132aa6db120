/** Files that Sello stores: their types, detected from the bytes since a name or a declared type proves nothing. Pure. */

/** Maximum size of a stored file, in MiB. */
export const MAX_FILE_MIB = 20
export const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024

/** Supported media types. */
export const MEDIA_TYPES = [
  'application/pdf',
  'application/xml',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'message/rfc822',
] as const

type MediaType = (typeof MEDIA_TYPES)[number]

const HEAD_BYTES = 1024
const TEXT_SAMPLE_BYTES = 65_536

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1')

const includes = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text, 0, 'latin1')

const HEIF_BRANDS = /^(heic|heix|hevc|heim|heis|mif1|msf1)$/

function imageOf(bytes: Uint8Array): MediaType | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 0, 4) === 'II*\0' || ascii(bytes, 0, 4) === 'MM\0*') return 'image/tiff'
  if (ascii(bytes, 4, 8) === 'ftyp' && HEIF_BRANDS.test(ascii(bytes, 8, 12))) return 'image/heic'
  return null
}

/** Returns the beginning of a text in UTF-8 or UTF-16, or null for binary data. */
function textHead(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, TEXT_SAMPLE_BYTES)
  if (sample[0] === 0xff && sample[1] === 0xfe) return new TextDecoder('utf-16le').decode(sample)
  if (sample[0] === 0xfe && sample[1] === 0xff) return new TextDecoder('utf-16be').decode(sample)
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(0)) return null
  // Text contains no control characters other than tab, line ends and form feed.
  for (const byte of sample) if (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)) return null
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString('utf8')
  return text.replace(/^\ufeff/, '')
}

const MAIL_HEADER =
  /^(?:received|from|to|subject|date|mime-version|message-id|return-path|delivered-to)\s*:/im

function textType(head: string, name: string): MediaType | null {
  const start = head.trimStart()
  if (/^<(?:!doctype\s+html|html[\s>]|script[\s>])/i.test(start)) return null
  if (/^<\?xml[\s?]/.test(start) || /^<[A-Za-z_][\w.-]*(?::[\w.-]+)?[\s/>]/.test(start))
    return 'application/xml'
  if (/^[A-Za-z][\w-]*\s*:/.test(start)) {
    const headers = start.split(/\r?\n\r?\n/, 1)[0] ?? ''
    const found = headers.split(/\r?\n/).filter((each) => MAIL_HEADER.test(each)).length
    if (found >= 2) return 'message/rfc822'
  }
  return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
}

/** Returns the media type of a supported file, or null. The name only distinguishes CSV from other text. */
export function mediaTypeOf(bytes: Uint8Array, name: string): MediaType | null {
  if (bytes.length === 0) return null
  // Readers search for the marker in the first kilobyte, and some producers write data before it.
  if (ascii(bytes, 0, HEAD_BYTES).includes('%PDF-')) return 'application/pdf'
  const image = imageOf(bytes)
  if (image) return image
  if (ascii(bytes, 0, 4) === 'PK\x03\x04')
    // Rejects workbooks with macros, which are programs.
    return includes(bytes, 'xl/workbook.xml') && !includes(bytes, 'vbaProject.bin')
      ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      : null
  const head = textHead(bytes)
  return head === null ? null : textType(head, name)
}
