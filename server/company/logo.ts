/**
 * A logo made fit for paper: opaque, in RGB or grey, not larger than print needs. An archive file keeps no transparency
 * (each soft mask costs more than the picture), and CMYK has another meaning on every screen.
 */
import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'
import { AppError } from '../core/errors.ts'

export interface Logo {
  bytes: Uint8Array
  mediaType: 'image/png' | 'image/jpeg'
  /** Pixels. */
  width: number
  height: number
  /** Of the bytes as kept. */
  sha256: Buffer
}

/** 150 points at 400 dots per inch are 833; twice that is more than any printer shows. */
const MAX_SIDE = 2000
const MIN_SIDE = 16

type Why = 'type' | 'broken' | 'too_large' | 'too_small' | 'cmyk'

function unusable(why: Why): AppError {
  return new AppError('logo_unusable', { field: 'logo', details: { why } })
}

function checkSize({ width, height }: { width: number; height: number }): void {
  if (width > MAX_SIDE || height > MAX_SIDE) throw unusable('too_large')
  if (width < MIN_SIDE || height < MIN_SIDE) throw unusable('too_small')
}

/** Flattened on white and written again: nothing of the file but its pixels is kept. */
function readPng(bytes: Buffer): Omit<Logo, 'sha256'> {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') throw unusable('broken')
  // Before anything is unpacked: the picture could be larger than the memory.
  checkSize({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) })
  try {
    const { width, height, data } = PNG.sync.read(bytes)
    const flat = PNG.sync.write({ width, height, data } as PNG, {
      inputHasAlpha: true,
      colorType: 2,
      bgColor: { red: 255, green: 255, blue: 255 },
    })
    return { bytes: flat, mediaType: 'image/png', width, height }
  } catch {
    throw unusable('broken')
  }
}

/** Start of a frame; c4, c8 and cc mark other segments (ITU T.81, table B.1). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Kept as it came, but for what stands in it besides the picture (place, camera, thumbnails). */
function readJpeg(bytes: Buffer): Omit<Logo, 'sha256'> {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let frame: { width: number; height: number; components: number } | null = null
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw unusable('broken')
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (isFrame(marker) && at + 10 <= bytes.length)
      frame = {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes[at + 9] ?? 0,
      }
    // The picture itself: it lasts to the end.
    if (marker === 0xda) {
      if (frame === null || length < 2 || !bytes.subarray(at).includes(Buffer.from([0xff, 0xd9]))) break
      if (frame.components !== 1 && frame.components !== 3) throw unusable('cmyk')
      checkSize(frame)
      const { width, height } = frame
      return {
        bytes: Buffer.concat([...kept, bytes.subarray(at)]),
        mediaType: 'image/jpeg',
        width,
        height,
      }
    }
    // APP1 to APP13 and comments hold no pixels; APP0 (JFIF) and APP14 (Adobe) say how to read the colours.
    const isBaggage = (marker >= 0xe1 && marker <= 0xed) || marker === 0xef || marker === 0xfe
    if (!isBaggage) kept.push(bytes.subarray(at, at + 2 + length))
    at += 2 + length
  }
  throw unusable('broken')
}

/** The logo of a file. Throws `logo_unusable` with the reason in `details.why`. */
export function readLogo(bytes: Buffer): Logo {
  const isPng = bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
  if (!isPng && !isJpeg) throw unusable('type')
  const read = isPng ? readPng(bytes) : readJpeg(bytes)
  return { ...read, sha256: createHash('sha256').update(read.bytes).digest() }
}
