/** Draws large JPEGs smaller: as RGBA, a photo of 50 million pixels would take 200 MB, twice. */
import { wasmOf } from '../codes.ts'
import { UnreadableFile } from '../read-result.ts'
import type { Grey } from './grey.ts'
import type { PictureSize } from './header.ts'

const COLOUR_SPACES: Readonly<Record<number, string>> = {
  1: '/DeviceGray',
  3: '/DeviceRGB',
  // Adobe writes these inverted.
  4: '/DeviceCMYK /Decode [1 0 1 0 1 0 1 0]',
}

/** Returns a PDF of one page of this size in points, filled by a JPEG as it is. */
function pdfAround(jpeg: Uint8Array, stated: PictureSize, components: number, page: PictureSize): Buffer {
  const { width, height } = stated
  const content = `q ${page.width} 0 0 ${page.height} 0 0 cm /P Do Q`
  const image =
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 ` +
    `/ColorSpace ${COLOUR_SPACES[components]} /Filter /DCTDecode /Length ${jpeg.length}`
  const objects = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] ` +
        '/Resources << /XObject << /P 5 0 R >> >> /Contents 4 0 R >>',
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [`<< ${image} >>\nstream\n`, jpeg, '\nendstream'],
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (part: string | Uint8Array): void => {
    const bytes =
      typeof part === 'string'
        ? Buffer.from(part, 'latin1')
        : Buffer.from(part.buffer, part.byteOffset, part.length)
    parts.push(bytes)
    length += bytes.length
  }
  objects.forEach((pieces, index) => {
    offsets.push(length)
    for (const piece of [`${index + 1} 0 obj\n`, ...pieces, '\nendobj\n']) add(piece)
  })
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return Buffer.concat(parts)
}

/**
 * Returns a JPEG in grey with no more than `mostPixels`. PDFium unpacks it row by row and keeps only the drawn size.
 * Throws `UnreadableFile`.
 */
export async function drawnJpeg(
  jpeg: Uint8Array,
  stated: PictureSize & { components: number },
  mostPixels: number,
): Promise<Grey> {
  const { width, height, components } = stated
  if (COLOUR_SPACES[components] === undefined) throw new UnreadableFile('broken')
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)))
  const page = { width: Math.floor(width * scale), height: Math.floor(height * scale) }
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init({
    wasmBinary: await wasmOf('pdfium.wasm', '@hyzyla/pdfium/pdfium.wasm'),
  })
  try {
    const document = await library.loadDocument(pdfAround(jpeg, stated, components, page))
    const drawn = await document.getPage(0).render({ scale: 1, render: 'bitmap', colorSpace: 'Gray' })
    document.destroy()
    return { width: drawn.width, height: drawn.height, data: new Uint8Array(drawn.data) }
  } finally {
    library.destroy()
  }
}
