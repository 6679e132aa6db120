/** Pictures for tests: PNG files of every kind written bit by bit, and small JPEG files by another program. */
import { crc32, deflateSync } from 'node:zlib'

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Returns a chunk with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

type ColourType = 'grey' | 'rgb' | 'palette' | 'greyAlpha' | 'rgba'
const COLOUR_TYPES: Record<ColourType, { code: number; channels: number }> = {
  grey: { code: 0, channels: 1 },
  rgb: { code: 2, channels: 3 },
  palette: { code: 3, channels: 1 },
  greyAlpha: { code: 4, channels: 2 },
  rgba: { code: 6, channels: 4 },
}

export interface PngSpec {
  width: number
  height: number
  type: ColourType
  /** Bits of a sample. */
  depth: 1 | 2 | 4 | 8 | 16
  /** The samples of a pixel: grey, red green blue, or a palette index; then alpha if present. */
  pixel: (x: number, y: number) => readonly number[]
  interlaced?: boolean
  /** Three bytes a colour. */
  palette?: readonly number[]
  /** The raw tRNS chunk. */
  transparency?: readonly number[]
  /** Chunks between header and pixels. */
  extra?: readonly Buffer[]
}

export function pngHeader({
  width,
  height,
  type,
  depth,
  interlaced = false,
}: Omit<PngSpec, 'pixel'>): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, COLOUR_TYPES[type].code, 0, 0, interlaced ? 1 : 0], 8)
  return pngChunk('IHDR', data)
}

/** Offset and step of the seven passes of Adam7, by columns and rows. */
const ADAM7 = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const

/** Returns rows of unfiltered samples, each after its filter byte. */
function rowsOf(spec: PngSpec): Buffer {
  const { width, height, depth, pixel } = spec
  const bytes: number[] = []
  for (const [x0, dx, y0, dy] of spec.interlaced ? ADAM7 : [[0, 1, 0, 1] as const])
    for (let y = y0; y < height && x0 < width; y += dy) {
      bytes.push(0)
      let [held, bits] = [0, 0]
      for (let x = x0; x < width; x += dx)
        for (const sample of pixel(x, y)) {
          if (depth === 16) bytes.push(sample >> 8, sample & 0xff)
          else {
            held = (held << depth) | sample
            bits += depth
            if (bits === 8) {
              bytes.push(held)
              ;[held, bits] = [0, 0]
            }
          }
        }
      if (bits > 0) bytes.push(held << (8 - bits))
    }
  return Buffer.from(bytes)
}

/** Returns the file of a picture. */
export function png(spec: PngSpec): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(spec),
    ...(spec.extra ?? []),
    ...(spec.palette ? [pngChunk('PLTE', Buffer.from(spec.palette))] : []),
    ...(spec.transparency ? [pngChunk('tRNS', Buffer.from(spec.transparency))] : []),
    pngChunk('IDAT', deflateSync(rowsOf(spec))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a plain logo: a disc of one colour on white. */
export function discPng(
  width = 240,
  height = 80,
  colour: readonly [number, number, number] = [20, 70, 160],
): Buffer {
  const radius = height / 2
  return png({
    width,
    height,
    type: 'rgb',
    depth: 8,
    pixel: (x, y) => (Math.hypot(x - radius, y - radius) < radius ? colour : [255, 255, 255]),
  })
}

/** A sheet of 32 by 20 pixels, blue on the left and orange on the right, written by poppler's pdftoppm and pdftocairo. */
export const JPEGS = {
  baseline: Buffer.from(
    [
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i',
      'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj',
      'Y2NjY2NjY2P/wAARCAAUACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUE/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/E',
      'ABUBAQEAAAAAAAAAAAAAAAAAAAYF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AwALiesAAZYjgHgmsAAZY/9k=',
    ].join(''),
    'base64',
  ),
  progressive: Buffer.from(
    [
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i',
      'Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj',
      'Y2NjY2NjY2P/wgARCAAUACADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAAFBP/a',
      'AAwDAQACEAMQAAABnF09gBWjDxNgBW//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAEFAk//xAAUEQEAAAAAAAAAAAAAAAAA',
      'AAAg/9oACAEDAQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEB',
      'AAY/Ak//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAE/IU//2gAMAwEAAgADAAAAEPPPPP/EABQRAQAAAAAAAAAAAAAAAAAA',
      'ACD/2gAIAQMBAT8QH//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQIBAT8QH//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEA',
      'AT8QT//Z',
    ].join(''),
    'base64',
  ),
  grey: Buffer.from(
    [
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i',
      'Z2hnPk1xeXBkeFxlZ2P/wAALCAAUACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUE/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/a',
      'AAgBAQAAPwDALIjCyIwsj//Z',
    ].join(''),
    'base64',
  ),
  cmyk: Buffer.from(
    [
      '/9j/4AAQSkZJRgABAQEASABIAAD/7gAOQWRvYmUAZAAAAAAC/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3',
      'QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj',
      'Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj/8AAFAgAFAAgBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAEBv/EABQQ',
      'AQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAGBf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAhEDEQQA',
      'AD8AkAQ1BpgEYB4JrQFgAGWIgEYB4JrQH//Z',
    ].join(''),
    'base64',
  ),
} as const

/** Returns a JPEG segment: comments are `0xfe`, application data `0xe0` to `0xef`. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
