/**
 * Answers as one text each, for a store that keeps the answer of every message: status and the headers that judge it, then the body,
 * unpacked. What is read back proves the same as what came.
 */
import { gunzipSync } from 'node:zlib'
import type { WireExchange } from './outcome.ts'

type Answered = Extract<WireExchange, { kind: 'answered' }>

const KEPT = [
  'eus-bizkaia-n3-tipo-respuesta',
  'eus-bizkaia-n3-codigo-respuesta',
  'eus-bizkaia-n3-mensaje-respuesta',
  'eus-bizkaia-n3-identificativo',
  'eus-bizkaia-n3-numero-registro',
  'retry-after',
] as const
const MOST_BYTES = 64 * 1024 * 1024
const HEAD = /^TicketBAI (\d{3})\n((?:[a-z0-9-]+: [^\n]*\n)*)\n/

/** Returns the text. A body that cannot be unpacked is stored empty, with `damaged` in its head, and is read as damaged. */
export function storeAnswer({ status, headers, body }: Answered): Uint8Array {
  const lines = KEPT.flatMap((name) => {
    const value = headers[name]
    // Headers arrive as one character per byte; written so, they come back the same.
    return value === undefined ? [] : [`${name}: ${value.replace(/[\r\n]+/g, ' ')}`]
  })
  let content: Uint8Array = body
  if ((headers['content-encoding'] ?? '').toLowerCase() === 'gzip')
    try {
      content = gunzipSync(body, { maxOutputLength: MOST_BYTES })
    } catch {
      content = Buffer.alloc(0)
      lines.push('damaged: gzip')
    }
  const head = Buffer.from(`TicketBAI ${status}\n${lines.map((line) => `${line}\n`).join('')}\n`, 'utf8')
  return Buffer.concat([head, content])
}

/** Returns the answer that a text holds; null for a text that holds none. */
export function restoreAnswer(stored: Uint8Array): Answered | null {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const end = bytes.indexOf('\n\n')
  const found = end < 0 ? null : HEAD.exec(bytes.subarray(0, end + 2).toString('utf8'))
  if (!found) return null
  const [head, status, lines = ''] = found
  const headers = Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const body = bytes.subarray(Buffer.byteLength(head, 'utf8'))
  // No body of a service is one byte long: it is read as what it is, unreadable.
  if ('damaged' in headers)
    return { kind: 'answered', status: Number(status), headers, body: Buffer.from('-') }
  return { kind: 'answered', status: Number(status), headers, body }
}
