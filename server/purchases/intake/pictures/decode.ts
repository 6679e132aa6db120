/** Decodes pictures of unknown origin to grey pixels. Runs only in the OCR process, under its limits of memory. */
import { createRequire } from 'node:module'
import { wasmOf } from '../codes.ts'
import { dataFile } from '../data-file.ts'
import { UnreadableFile } from '../read-result.ts'
import { drawnJpeg } from './draw-jpeg.ts'
import { greyOfRgba, uprightOf } from './grey.ts'
import type { Grey } from './grey.ts'
import { jpegFrame, pictureFormatOf, statedOrientation, statedSize } from './header.ts'
import type { PictureSize } from './header.ts'
import { MAX_DRAWN_PIXELS } from './prepare.ts'

/** Pixels that a header may state: the largest cameras of phones in common use have 50 million. */
const MAX_STATED_PIXELS = 60_000_000
/** A JPEG with more pixels, or for printing (CMYK), is drawn by PDFium at the size that is needed. */
const MAX_RGBA_PIXELS = 13_000_000
const MAX_SIDE = 32_000
/** Pages of one TIFF that are read. */
const MAX_PAGES = 12

interface Rgba {
  data: Uint8Array | Uint8ClampedArray
  width: number
  height: number
}

/** Throws `UnreadableFile` for a size that is missing, or too large to decode. */
function checkSize(size: PictureSize | null): void {
  if (size === null || size.width < 1 || size.height < 1) throw new UnreadableFile('broken')
  if (size.width > MAX_SIDE || size.height > MAX_SIDE || size.width * size.height > MAX_STATED_PIXELS)
    throw new UnreadableFile('too_large')
}

/** Starts a new instance of a decoder compiled by Emscripten: its memory only grows, so that no picture reuses one. */
async function emscriptenDecoder<Decoder>(
  factory: (options: object) => Promise<Decoder>,
  fileName: string,
  specifier: string,
): Promise<Decoder> {
  const wasm = new WebAssembly.Module(await wasmOf(fileName, specifier))
  return factory({
    noInitialRun: true,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      done(instance)
      return instance.exports
    },
  })
}

async function decodeJpeg(bytes: Uint8Array): Promise<Rgba | null> {
  const { default: factory } = await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js')
  const decoder = await emscriptenDecoder(
    factory as unknown as (
      options: object,
    ) => Promise<{ decode(bytes: Uint8Array, turn: boolean): Rgba | null }>,
    'mozjpeg_dec.wasm',
    '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  )
  return decoder.decode(bytes, false)
}

async function decodeWebp(bytes: Uint8Array): Promise<Rgba | null> {
  const { default: factory } = await import('@jsquash/webp/codec/dec/webp_dec.js')
  const decoder = await emscriptenDecoder(
    factory as unknown as (options: object) => Promise<{ decode(bytes: Uint8Array): Rgba | null }>,
    'webp_dec.wasm',
    '@jsquash/webp/codec/dec/webp_dec.wasm',
  )
  return decoder.decode(bytes)
}

async function decodePng(bytes: Uint8Array): Promise<Rgba> {
  const { default: start, decode } = await import('@jsquash/png/codec/pkg/squoosh_png.js')
  await start(await wasmOf('squoosh_png_bg.wasm', '@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
  return decode(bytes)
}

interface HeifImage {
  get_width(): number
  get_height(): number
  display(target: Rgba, done: (filled: Rgba | null) => void): void
  free(): void
}
interface Libheif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] }
}

/** Returns the library for HEIC: a separate file that the user may replace (LGPL). */
async function startLibheif(): Promise<Libheif> {
  const load = createRequire(import.meta.url)
  const factory = load(dataFile('libheif.cjs', 'libheif-js/libheif-wasm/libheif.js')) as (
    options: object,
  ) => Libheif
  const wasmBinary = await wasmOf('libheif.wasm', 'libheif-js/libheif-wasm/libheif.wasm')
  return factory({ wasmBinary, print: () => {}, printErr: () => {} })
}

async function decodeHeic(bytes: Uint8Array): Promise<Rgba | null> {
  const { HeifDecoder } = await startLibheif()
  const [image] = new HeifDecoder().decode(bytes)
  if (!image) return null
  const width = image.get_width()
  const height = image.get_height()
  checkSize({ width, height })
  const filled = await new Promise<Rgba | null>((resolve) => {
    image.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, resolve)
  })
  image.free()
  return filled
}

async function* decodeTiff(bytes: Uint8Array): AsyncGenerator<Grey> {
  const { default: utif } = await import('utif2')
  // The decoder reads from the beginning of a buffer.
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const tag = (page: { [name: string]: unknown }, name: string): number =>
    Number((page[name] as number[] | undefined)?.[0] ?? 0)
  const pages = utif
    .decode(file)
    // Reduced copies and masks are no pages (NewSubfileType, bits 0 and 2).
    .filter((page) => tag(page, 't256') > 0 && (tag(page, 't254') & 5) === 0)
  if (pages.length === 0) throw new UnreadableFile('broken')
  for (const page of pages.slice(0, MAX_PAGES)) {
    checkSize({ width: tag(page, 't256'), height: tag(page, 't257') })
    utif.decodeImage(file, page)
    const { width, height } = page
    checkSize({ width, height })
    const grey = greyOfRgba(utif.toRGBA8(page), width, height)
    page.data = new Uint8Array(0)
    yield uprightOf(grey, tag(page, 't274'))
  }
}

/**
 * Decodes a JPEG, PNG, WebP, HEIC or TIFF, page by page, as its camera held it. Throws `UnreadableFile`: `broken` for
 * damaged and for other files, `too_large` for a picture beyond `MAX_STATED_PIXELS`, before it is decoded.
 */
export async function* decodePictures(bytes: Uint8Array): AsyncGenerator<Grey> {
  const format = pictureFormatOf(bytes)
  if (format === null) throw new UnreadableFile('broken')
  if (format === 'tiff') {
    yield* decodeTiff(bytes)
    return
  }
  checkSize(statedSize(bytes, format))
  const frame = format === 'jpeg' ? jpegFrame(bytes) : null
  if (frame && (frame.components === 4 || frame.width * frame.height > MAX_RGBA_PIXELS)) {
    yield uprightOf(await drawnJpeg(bytes, frame, MAX_DRAWN_PIXELS), statedOrientation(bytes, format))
    return
  }
  const decoders = { jpeg: decodeJpeg, png: decodePng, webp: decodeWebp, heic: decodeHeic }
  const decoded = await decoders[format](bytes)
  if (decoded === null || decoded.data.length < decoded.width * decoded.height * 4)
    throw new UnreadableFile('broken')
  const grey = greyOfRgba(decoded.data, decoded.width, decoded.height)
  yield uprightOf(grey, statedOrientation(bytes, format))
}
