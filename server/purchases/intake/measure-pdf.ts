/**
 * Measures the unpacked size of the streams of a PDF before a reader loads it: a few kilobytes can hold gigabytes.
 * Streams that it cannot measure (encrypted, other filters) are stopped by the limits of the process.
 */
import { inflateSync } from 'node:zlib'
import { UnreadableFile } from './read-result.ts'

/** Of one stream: a colour page of 2,600 by 3,700 pixels takes 29 MB. */
const MAX_STREAM_BYTES = 48 * 1024 * 1024
const MAX_TOTAL_BYTES = 160 * 1024 * 1024
const MAX_FILTERS = 8
/** Distance before its data within which the dictionary of a stream is searched. */
const DICTIONARY_BYTES = 2_048
const FLATE = /\/(?:FlateDecode|Fl)(?![A-Za-z])/g

const START = Buffer.from('stream')
const END = Buffer.from('endstream')

/** Returns the bytes after each layer of Flate; null when the data is not Flate. Throws `UnreadableFile`. */
function unpackedBytes(packed: Buffer, layers: number): number | null {
  let data = packed
  let bytes = 0
  for (let layer = 0; layer < layers; layer++) {
    try {
      // A truncated stream is measured up to its end.
      data = inflateSync(data, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: 2 })
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new UnreadableFile('too_large')
      return null
    }
    bytes += data.length
  }
  return bytes
}

/** Throws `UnreadableFile` for a file whose streams unpack to more than the limit of an invoice. */
export function measurePdf(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let total = 0
  for (let at = file.indexOf(START); at !== -1; at = file.indexOf(START, at)) {
    const isEnd = at >= 3 && file.toString('latin1', at - 3, at) === 'end'
    const head = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
    at += START.length
    const dictionary = head.slice(head.lastIndexOf(' obj') + 1)
    if (isEnd || !dictionary.trimEnd().endsWith('>>')) continue
    if (file[at] === 0x0d) at += 1
    if (file[at] === 0x0a) at += 1
    const end = file.indexOf(END, at)
    const packed = file.subarray(at, end === -1 ? file.length : end)
    const layers = dictionary.match(FLATE)?.length ?? 0
    if (layers > MAX_FILTERS) throw new UnreadableFile('too_large')
    if (layers > 0) total += unpackedBytes(packed, layers) ?? 0
    if (total > MAX_TOTAL_BYTES) throw new UnreadableFile('too_large')
    at += packed.length
  }
}
