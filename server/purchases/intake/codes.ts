/** Reader of two-dimensional codes in images and rendered pages; it is a WebAssembly module, loaded on first use. */
import { readFile } from 'node:fs/promises'
import type * as ZXing from 'zxing-wasm/reader'
import { dataFile } from './data-file.ts'
import type { Grey } from './pictures/grey.ts'
import { UnreadableFile } from './read-result.ts'

/** Returns the content of a WebAssembly file of a package (see `dataFile`). */
export async function wasmOf(fileName: string, specifier: string): Promise<ArrayBuffer> {
  const bytes = await readFile(dataFile(fileName, specifier))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
}

type Reader = typeof ZXing
let loading: Promise<Reader> | null = null

async function loadReader(): Promise<Reader> {
  const reader = await import('zxing-wasm/reader')
  const wasmBinary = await wasmOf('zxing_reader.wasm', 'zxing-wasm/reader/zxing_reader.wasm')
  await reader.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  return reader
}

const OPTIONS = { formats: ['QRCode' as const], tryHarder: true, maxNumberOfSymbols: 8 }

async function codesIn(file: Uint8Array): Promise<string[]> {
  const reader = await (loading ??= loadReader())
  const results = await reader.readBarcodes(file, OPTIONS)
  return results.filter((result) => result.isValid).map((result) => result.text)
}

/**
 * Returns the texts of the codes in a grey picture. It is handed over as a file of the portable grey map (PGM): the
 * reader's other input is RGBA, four times as much memory on both sides.
 */
export function codesInGrey({ data, width, height }: Grey): Promise<string[]> {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`)
  const file = new Uint8Array(head.length + data.length)
  file.set(head)
  file.set(data, head.length)
  return codesIn(file)
}

const MAX_PIXELS = 60_000_000

/** Returns the width and height in the header of a PNG or JPEG, without decoding it; null when they are missing. */
function sizeOfImage(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes[0] === 0x89 && bytes.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20) }
  if (bytes[0] !== 0xff) return null
  for (let at = 2; at + 9 < bytes.length;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    // Start of a frame; c4, c8 and cc mark other segments.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

/**
 * Returns the texts of the codes in a PNG or JPEG file. Throws `UnreadableFile` for an image too large for the
 * memory.
 */
export async function codesInImage(bytes: Uint8Array): Promise<string[]> {
  const size = sizeOfImage(bytes)
  if (size === null) throw new UnreadableFile('broken')
  if (size.width * size.height > MAX_PIXELS) throw new UnreadableFile('too_large')
  return codesIn(bytes)
}
