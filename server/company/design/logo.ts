/**
 * Prepares a logo for print: opaque, in RGB or grey, not larger than print needs. Archive files forbid transparency
 * (and a soft mask costs more than the picture), and CMYK differs on every screen.
 */
import { createHash } from 'node:crypto'
import { constants, inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { AppError } from '../../domain/errors/app-error.ts'
import { parse, ParserFailure } from '../../platform/processes/parsers.ts'
import { MAX_LOGO_KIB } from './limits.ts'

export interface Logo {
  bytes: Uint8Array
  mediaType: 'image/png' | 'image/jpeg'
  /** Pixels. */
  width: number
  height: number
  /** Hash of the stored bytes. */
  sha256: Buffer
}

/** 150 points at 400 dots per inch are 833; twice that is beyond the resolution of any printer. */
const MAX_SIDE = 2000
const MIN_SIDE = 16

const TIMEOUT_MS = 10_000

type Why = 'type' | 'broken' | 'too_large' | 'too_small' | 'cmyk'

function unusable(why: Why): AppError {
  return new AppError('logo_unusable', { field: 'logo', details: { why } })
}

function checkSize({ width, height }: { width: number; height: number }): void {
  if (width > MAX_SIDE || height > MAX_SIDE) throw unusable('too_large')
  if (width < MIN_SIDE || height < MIN_SIDE) throw unusable('too_small')
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Chunks with the picture (PNG, third edition, 11.2 and 11.3.1); all others contain only metadata. */
const PICTURE_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

/** Samples per pixel by colour type; other types do not exist. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface Chunk {
  type: string
  /** Including length, type and checksum. */
  whole: Buffer
  data: Buffer
}

/** Returns the chunks of the picture, up to its end; ignores data after it. */
function pictureChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (PICTURE_CHUNKS.includes(type))
      chunks.push({ type, whole: bytes.subarray(at, end), data: bytes.subarray(at + 8, end - 4) })
    if (type === 'IEND') return chunks
    at = end
  }
  throw unusable('broken')
}

/**
 * Checks that an interlaced picture does not contain more than its pixels, because it is decompressed to its end,
 * however long that is. No row of its seven passes is longer than the picture's, and together they have less than
 * twice as many.
 */
function checkPacked(packed: Buffer, header: Buffer): void {
  if (header[12] !== 1) return
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bitsPerPixel = (CHANNELS[header[9] ?? -1] ?? 4) * (header[8] ?? 16)
  const maxOutputLength = 2 * (height + 8) * (Math.ceil((width * bitsPerPixel) / 8) + 1)
  inflateSync(packed, { maxOutputLength })
}

/** Flattens the picture on white and encodes it again: nothing of the file except its pixels is kept. */
function readPng(bytes: Buffer): Omit<Logo, 'sha256'> {
  const chunks = pictureChunks(bytes)
  const header = chunks[0]
  // A second header would change the picture after the first has been checked.
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw unusable('broken')
  if (chunks.filter(({ type }) => type === 'IHDR').length !== 1) throw unusable('broken')
  // Checked before decompression: the picture could be larger than the memory.
  checkSize({ width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) })
  let flat: Buffer
  try {
    checkPacked(
      Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
      header.data,
    )
    const { width, height, data } = PNG.sync.read(
      Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)]),
    )
    flat = PNG.sync.write({ width, height, data } as PNG, {
      inputHasAlpha: true,
      colorType: 2,
      bgColor: { red: 255, green: 255, blue: 255 },
      // The default strategy only packs runs of the same byte: a gradient would need twenty times the space.
      deflateStrategy: constants.Z_DEFAULT_STRATEGY,
    })
  } catch {
    throw unusable('broken')
  }
  // A picture with few colours can grow when it is encoded again.
  if (flat.length > MAX_LOGO_KIB * 1024) throw unusable('too_large')
  return {
    bytes: flat,
    mediaType: 'image/png',
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
  }
}

/** Markers of a JPEG file (ITU T.81, table B.1). */
const MARKER = { startOfScan: 0xda, endOfImage: 0xd9, comment: 0xfe }

/** Returns true for the start of a frame; c4, c8 and cc mark other segments. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Baseline, extended and progressive: the types that PDF supports (ISO 32000-1, 7.4.8), with 8 bits per sample. */
const SHOWN_FRAMES = [0xc0, 0xc1, 0xc2]

function checkFrame(marker: number, data: Buffer): { width: number; height: number } {
  if (data.length < 6) throw unusable('broken')
  const components = data[5] ?? 0
  if (!SHOWN_FRAMES.includes(marker) || data[0] !== 8) throw unusable('type')
  if (components === 4) throw unusable('cmyk')
  if (![1, 3].includes(components) || data.length !== 6 + 3 * components) throw unusable('broken')
  const size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) }
  checkSize(size)
  return size
}

/**
 * Returns true for metadata: APP1 to APP13, APP15 and comments contain no pixels; APP0 (JFIF) and APP14 (Adobe)
 * define the colours.
 */
function isBaggage(marker: number): boolean {
  return (marker >= 0xe1 && marker <= 0xed) || marker === 0xef || marker === MARKER.comment
}

/** Returns the end of packed pixels: the next marker that is neither a restart (d0 to d7) nor a stuffed byte. */
function endOfPixels(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1] ?? 0
    if (next === 0xff) at += 1
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else return at
  }
  throw unusable('broken')
}

/** Keeps the picture unchanged, but removes everything else in and after it (location, camera, thumbnails). */
function readJpeg(bytes: Buffer): Omit<Logo, 'sha256'> {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  let hasPixels = false
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) break
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === MARKER.endOfImage) {
      if (size === null || !hasPixels) break
      const whole = Buffer.concat([...kept, bytes.subarray(at, at + 2)])
      return { bytes: whole, mediaType: 'image/jpeg', ...size }
    }
    const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0
    let end = at + 2 + length
    if (length < 2 || end > bytes.length) break
    if (isFrame(marker)) {
      if (size !== null) break
      size = checkFrame(marker, bytes.subarray(at + 4, end))
    }
    if (marker === MARKER.startOfScan) {
      if (size === null) break
      hasPixels = true
      end = endOfPixels(bytes, end)
    }
    if (!isBaggage(marker)) kept.push(bytes.subarray(at, end))
    at = end
  }
  throw unusable('broken')
}

/** Returns the logo of a file. Throws `logo_unusable` with the reason in `details.why`. */
export function readLogo(bytes: Buffer): Logo {
  const isPng = bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
  if (!isPng && !isJpeg) throw unusable('type')
  const read = isPng ? readPng(bytes) : readJpeg(bytes)
  return { ...read, sha256: createHash('sha256').update(read.bytes).digest() }
}

/** Does the same as `readLogo` in a process of its own, under limits of memory and time. */
export async function readLogoInChildProcess(bytes: Buffer): Promise<Logo> {
  try {
    const logo = await parse<Uint8Array, Logo>('logo', bytes, {
      from: import.meta.url,
      timeoutMs: TIMEOUT_MS,
    })
    return { ...logo, sha256: Buffer.from(logo.sha256) }
  } catch (error) {
    if (error instanceof ParserFailure) throw unusable(error.why === 'broken' ? 'broken' : 'too_large')
    throw error
  }
}
