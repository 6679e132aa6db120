/** Reads what a picture file states about itself before anything of it is decoded. Pure. */

type PictureFormat = 'jpeg' | 'png' | 'webp' | 'heic' | 'tiff'

export interface PictureSize {
  width: number
  height: number
}

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

const HEIF_BRANDS = /^(?:heic|heix|hevc|heim|heis|mif1|msf1)$/

/** Returns the format by the first bytes; null for any other file. */
export function pictureFormatOf(bytes: Uint8Array): PictureFormat | null {
  if (bytes.length < 16) return null
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  if (ascii(bytes, 4, 8) === 'ftyp' && HEIF_BRANDS.test(ascii(bytes, 8, 12))) return 'heic'
  if (/^(?:II\x2a\0|MM\0\x2a)$/.test(ascii(bytes, 0, 4))) return 'tiff'
  return null
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Calls `see` with each segment of a JPEG before its scan, until it returns a value; null if none does. */
function inSegments<T>(
  bytes: Uint8Array,
  see: (marker: number, at: number, end: number) => T | null,
): T | null {
  const view = viewOf(bytes)
  for (let at = 2; at + 4 <= bytes.length;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    // A marker may be padded, and the scan ends the header.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xda || marker === 0xd9) return null
    const end = at + 2 + view.getUint16(at + 2)
    if (end > bytes.length) return null
    const seen = see(marker, at + 4, end)
    if (seen !== null) return seen
    at = end
  }
  return null
}

/** Returns the size of a JPEG and the number of its colour components, as its frame states them. */
export function jpegFrame(bytes: Uint8Array): (PictureSize & { components: number }) | null {
  const view = viewOf(bytes)
  return inSegments(bytes, (marker, at, end) =>
    // Start of a frame; c4, c8 and cc mark other segments.
    marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker) && at + 6 <= end
      ? {
          height: view.getUint16(at + 1),
          width: view.getUint16(at + 3),
          components: view.getUint8(at + 5),
        }
      : null,
  )
}

function webpSize(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 30) return null
  const view = viewOf(bytes)
  const uint24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  switch (ascii(bytes, 12, 16)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: uint24(24) + 1, height: uint24(27) + 1 }
    default:
      return null
  }
}

/** Returns the largest size that an item of a HEIC states (`ispe`, ISO/IEC 23008-12): the picture or one of its tiles. */
function heicSize(bytes: Uint8Array): PictureSize | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let largest: PictureSize | null = null
  for (
    let at = file.indexOf('ispe');
    at !== -1 && at + 16 <= file.length;
    at = file.indexOf('ispe', at + 4)
  ) {
    // Box of 20 bytes: size, type, version and flags, width, height. Compressed data may contain the letters too.
    if (at < 4 || file.readUInt32BE(at - 4) !== 20 || file.readUInt32BE(at + 4) !== 0) continue
    const width = file.readUInt32BE(at + 8)
    const height = file.readUInt32BE(at + 12)
    if (largest === null || width * height > largest.width * largest.height) largest = { width, height }
  }
  return largest
}

/** Returns width and height of a picture as its header states them; null if they are missing. Not for TIFF. */
export function statedSize(bytes: Uint8Array, format: Exclude<PictureFormat, 'tiff'>): PictureSize | null {
  switch (format) {
    case 'jpeg': {
      const frame = jpegFrame(bytes)
      return frame && { width: frame.width, height: frame.height }
    }
    case 'png': {
      if (bytes.length < 33) return null
      return { width: viewOf(bytes).getUint32(16), height: viewOf(bytes).getUint32(20) }
    }
    case 'webp':
      return webpSize(bytes)
    case 'heic':
      return heicSize(bytes)
  }
}

/** Returns the orientation in a block of EXIF data: 1 to 8, or 1 if it states none. */
function orientationIn(exif: Uint8Array): number {
  if (exif.length < 14) return 1
  const view = viewOf(exif)
  const little = view.getUint16(0) === 0x4949
  const start = view.getUint32(4, little)
  if (start + 2 > exif.length) return 1
  const entries = view.getUint16(start, little)
  for (let entry = 0; entry < entries; entry++) {
    const at = start + 2 + entry * 12
    if (at + 12 > exif.length) return 1
    if (view.getUint16(at, little) !== 0x0112) continue
    const value = view.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Returns the EXIF block of a chunked file: `find` gives the start and end of its chunk. */
function exifOf(bytes: Uint8Array, format: PictureFormat): Uint8Array | null {
  if (format === 'jpeg')
    return inSegments(bytes, (marker, at, end) =>
      marker === 0xe1 && ascii(bytes, at, at + 6) === 'Exif\0\0' ? bytes.subarray(at + 6, end) : null,
    )
  const view = viewOf(bytes)
  if (format === 'png')
    for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
      if (ascii(bytes, at + 4, at + 8) === 'eXIf') return bytes.subarray(at + 8, at + 8 + view.getUint32(at))
  if (format === 'webp')
    for (let at = 12; at + 8 <= bytes.length;) {
      const length = view.getUint32(at + 4, true)
      if (ascii(bytes, at, at + 4) === 'EXIF') {
        const chunk = bytes.subarray(at + 8, at + 8 + length)
        return ascii(chunk, 0, 6) === 'Exif\0\0' ? chunk.subarray(6) : chunk
      }
      at += 8 + length + (length % 2)
    }
  return null
}

/** Returns how the camera was held, as in EXIF: 1 is upright. A HEIC is turned by its decoder. */
export function statedOrientation(bytes: Uint8Array, format: PictureFormat): number {
  const exif = exifOf(bytes, format)
  return exif === null ? 1 : orientationIn(exif)
}
