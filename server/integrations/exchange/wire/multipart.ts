/** Messages with several parts (MIME multipart/related, RFC 2387): the envelope first, then documents named by `Content-ID`. */
import { Unreadable } from './xml.ts'

export interface Part {
  /** Without angle brackets. */
  id: string
  body: Uint8Array
}

interface ReadMessage {
  /** The envelope. */
  root: Uint8Array
  parts: Part[]
}

const CRLF = '\r\n'
const MOST_PARTS = 1_101
const MOST_HEADER_BYTES = 8_192

/** Returns the body and its content type. `boundary` must be free of anything but letters, digits and hyphens. */
export function writeMultipart(
  envelope: string,
  parts: readonly Part[],
  { boundary, soapType }: { boundary: string; soapType: string },
): { contentType: string; body: Buffer } {
  const bodies = parts.map(({ body }) => Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  let free = boundary
  while (bodies.some((body) => body.includes(`--${free}`))) free += '-x'
  const chunks: Buffer[] = [
    `--${free}${CRLF}Content-Type: ${soapType}; charset=UTF-8${CRLF}Content-Transfer-Encoding: binary${CRLF}Content-ID: <envelope>${CRLF}${CRLF}${envelope}`,
  ].map((text) => Buffer.from(text, 'utf8'))
  for (const [index, { id }] of parts.entries()) {
    const head = `${CRLF}--${free}${CRLF}Content-Type: application/xml${CRLF}Content-Transfer-Encoding: binary${CRLF}Content-ID: <${id}>${CRLF}${CRLF}`
    chunks.push(Buffer.from(head, 'utf8'), bodies[index] ?? Buffer.alloc(0))
  }
  chunks.push(Buffer.from(`${CRLF}--${free}--${CRLF}`, 'utf8'))
  return {
    contentType: `multipart/related; boundary="${free}"; type="${soapType}"; start="<envelope>"`,
    body: Buffer.concat(chunks),
  }
}

/** Returns the media type and its parameters, names in lower case. */
export function readContentType(value: string): { type: string; parameters: ReadonlyMap<string, string> } {
  const [type = ''] = value.split(';')
  const parameters = new Map<string, string>()
  const each = /;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,40})\s*=\s*(?:"([^"]{0,200})"|([^\s";]{1,200}))/g
  for (const [, name = '', quoted, bare] of value.slice(0, 2_000).matchAll(each))
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? bare ?? '')
  return { type: type.trim().toLowerCase(), parameters }
}

/**
 * Reads a body of that content type: several parts, or an envelope alone. Throws `Unreadable` for a body without its end, a
 * part without an identifier, one identifier twice, and any transfer encoding that changes bytes.
 */
export function readMessage(contentType: string, body: Uint8Array): ReadMessage {
  const { type, parameters } = readContentType(contentType)
  if (type === 'application/soap+xml' || type === 'text/xml') return { root: body, parts: [] }
  if (type !== 'multipart/related') throw new Unreadable('The content type is none of a message.')
  const boundary = parameters.get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70) throw new Unreadable('The content type has no boundary.')
  const start = parameters.get('start')?.replace(/^<|>$/g, '')
  const parts = partsOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength), boundary)
  const ids = new Set(parts.map(({ id }) => id))
  if (ids.size < parts.length) throw new Unreadable('Two parts have one identifier.')
  const at = start === undefined ? 0 : parts.findIndex(({ id }) => id === start)
  const root = parts[at]
  if (!root) throw new Unreadable('The part of the envelope is missing.')
  return { root: root.body, parts: parts.filter((part) => part !== root) }
}

function partsOf(body: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Part[] = []
  let at = body.indexOf(delimiter)
  if (at < 0 || (at > 0 && body[at - 1] !== LF)) throw new Unreadable('The first delimiter is missing.')
  for (;;) {
    at += delimiter.length
    if (body[at] === HYPHEN && body[at + 1] === HYPHEN) return parts
    at = lineEnd(body, at)
    const next = nextDelimiter(body, delimiter, at)
    parts.push(partOf(body.subarray(at, next.contentEnd)))
    if (parts.length > MOST_PARTS) throw new Unreadable('There are too many parts.')
    at = next.at
  }
}

const LF = 0x0a
const CR = 0x0d
const HYPHEN = 0x2d
const SPACE = 0x20
const TAB = 0x09

/** Skips blanks and one line end. */
function lineEnd(body: Buffer, from: number): number {
  let at = from
  while (body[at] === SPACE || body[at] === TAB) at += 1
  if (body[at] === CR) at += 1
  if (body[at] !== LF) throw new Unreadable('A delimiter is followed by something else.')
  return at + 1
}

/** Finds the delimiter at the start of a line; the line end before it belongs to it (RFC 2046, section 5.1.1). */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): { at: number; contentEnd: number } {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    if (at === from) return { at, contentEnd: at }
    if (body[at - 1] !== LF) continue
    return { at, contentEnd: body[at - 2] === CR && at - 2 >= from ? at - 2 : at - 1 }
  }
  throw new Unreadable('The last delimiter is missing.')
}

function partOf(bytes: Buffer): Part {
  const long = bytes.indexOf('\r\n\r\n')
  const short = bytes.indexOf('\n\n')
  const isLong = long >= 0 && (short < 0 || long < short)
  const end = isLong ? long : short
  if (end < 0 || end > MOST_HEADER_BYTES) throw new Unreadable('A part has no end of its header.')
  const headers = new Map<string, string>()
  for (const line of bytes
    .toString('latin1', 0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!['7bit', '8bit', 'binary'].includes(encoding))
    throw new Unreadable(`The transfer encoding ${encoding.slice(0, 40)} is not accepted.`)
  const id = /^<([^<>]{1,200})>$/.exec(headers.get('content-id') ?? '')?.[1]
  if (id === undefined) throw new Unreadable('A part has no identifier.')
  return { id, body: bytes.subarray(end + (isLong ? 4 : 2)) }
}
